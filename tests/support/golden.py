"""Golden hands: a page of commands, each with the events or the refusal it led to.

# What the hand shows, in a sentence or two.
> {"type":"post_bring_in","seat":2}
< {"type":"bring_in_posted.v1","seat":2,"amount":300,"all_in":true}
> {"type":"complete","seat":2}
! OutOfTurn B1
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain import commands as c
from domain import events as e
from domain.decide import decide
from domain.errors import Refused
from domain.evolve import evolve
from domain.hand import Hand


def retold(page: str) -> str:
    """The page as the rules of today tell it: its comments and commands, and what they lead to."""
    return "".join(f"{line}\n" for line in _lines(page))


def commands_of(page: str) -> list[c.HandCommand]:
    """What is asked on a page, in order."""
    return [c.decode_command(line[2:]) for line in page.splitlines() if line.startswith("> ")]


def events_of(page: str) -> list[e.HandEvent]:
    """What happened on a page, in order."""
    return [e.decode(line[2:]) for line in page.splitlines() if line.startswith("< ")]


def _lines(page: str) -> Iterator[str]:
    hand: Hand | None = None
    for line in page.splitlines():
        if line.startswith("#") or not line:
            yield line
        if not line.startswith("> "):
            continue
        command = c.decode_command(line[2:])
        yield "> " + msgspec.json.encode(command).decode()
        try:
            events = decide(hand, command)
        except Refused as refusal:
            yield f"! {type(refusal).__name__} {refusal.rule}"
            continue
        for event in events:
            hand = evolve(hand, event)
            yield "< " + e.encode(event).decode()
