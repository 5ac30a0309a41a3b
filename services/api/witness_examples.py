"""Examples of what is answered about posted hands."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.api import witness_bodies as b
from services.api.files import OnFile
from services.witness import LineAnswer, Suspended


def witness_examples(file: OnFile) -> Iterator[msgspec.Struct]:
    """As if this hand had been posted, with a mistake on the way."""
    hand, started = file.hand, file.started
    line = LineAnswer(line=1, hand=hand, called="G-7", n=1, status="stored", position=4711)
    waiting = Suspended(
        hand=hand,
        n=12,
        type="folded.v1",
        reason="step 12: nobody was dealt in at seat 9",
        lines=40,
        since=started.played_at or file.facts[0].recorded_at,
    )
    yield line
    yield b.SuspendedHands(hands=(waiting,))
    yield b.ReleaseWanted(event=file.events[-1])
    yield b.ReleaseAnswer(hand=hand, suspended=False, lines=(line,))
