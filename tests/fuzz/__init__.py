"""Nonsense of every kind, thrown at whatever takes in what others wrote."""
