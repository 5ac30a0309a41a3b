"""Measurements of work against equal work, side by side in one run: figures, not tests."""
