"""The rules of stud poker as pure functions over facts: no clock, dice, disk, network or log."""
