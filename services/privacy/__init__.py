"""What is kept of people outside the log: held, told, erased, and how long it is kept.

The parts are imported by themselves: whoever reads the events needs nothing of the rest.
"""
