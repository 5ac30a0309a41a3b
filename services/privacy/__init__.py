"""What is kept of people outside the log: held, told, erased, and how long it is kept."""
