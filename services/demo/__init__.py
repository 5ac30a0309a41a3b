"""The demonstration: deterministic hands of all three games, and a look at each answer."""
