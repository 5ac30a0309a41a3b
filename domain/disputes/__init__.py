"""A disputed hand: the case, what was brought up in it, and what two people ruled."""
