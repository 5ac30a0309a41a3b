"""Bots at the tables of a running service: they know of it what it answers over HTTP, no more."""

from services.playing.asking import Heard, Refused, Unwelcome
from services.playing.running import Staff, play
from services.playing.tally import Played, TableTally
from services.playing.wanted import PlayWanted

__all__ = ["Heard", "PlayWanted", "Played", "Refused", "Staff", "TableTally", "Unwelcome", "play"]
