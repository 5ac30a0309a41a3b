"""A table of the room: who sits there with what, and which hand is being played."""
