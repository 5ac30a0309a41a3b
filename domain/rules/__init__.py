"""The rulebook as pure functions over the state of a hand."""
