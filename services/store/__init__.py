"""The log and what is kept beside it: one room's facts, names, original texts and secrets."""
