"""Whether what hands say was ruled is what two people ruled, and the other way round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from uuid import UUID

import msgspec

from domain import events as e
from domain.disputes import adjustments as a
from domain.disputes.agreeing import Moved, meant_by, said_of, unsound
from domain.disputes.case import Ruling
from domain.disputes.rulings import moves_by_seat
from domain.errors import CorruptHistory
from services.disputes.errors import UnknownCase
from services.disputes.loading import case_of
from services.store.room import Room

CASES = b"select id, hand from disputes where %(hands)s::uuid[] is null or hand = any(%(hands)s)"


class RulingDiffers(msgspec.Struct, frozen=True):
    """Something about the rulings of a hand that does not agree, in a sentence."""

    hand: UUID
    text: str


def rulings_that_differ(
    room: Room, hands: Mapping[UUID, tuple[e.HandEvent, ...]]
) -> Iterator[RulingDiffers]:
    """Every disagreement between these hands and the cases about them.

    What a hand says was ruled after it was over must be an approved ruling of a case about it,
    with the same amounts, by two people; and every approved ruling must have had its effect.
    """
    ruled = _approved(room, hands.keys())
    for hand, events in hands.items():
        said = said_of(events)
        for name, moved in said.items():
            ruling = ruled[hand].get(name)
            if ruling is None:
                yield RulingDiffers(hand, f"ruling {name} was approved in no case about it")
            elif not isinstance(ruling, str) and meant_by(ruling) != moved:
                yield RulingDiffers(hand, f"ruling {name} moved other amounts than were approved")
        for name, ruling in ruled[hand].items():
            if isinstance(ruling, str):
                yield RulingDiffers(hand, ruling)
            else:
                yield from _had_effect(room, hand, name, ruling, said)


def _approved(room: Room, hands: Collection[UUID]) -> defaultdict[UUID, dict[str, Ruling | str]]:
    """Approved rulings by hand and id, from the cases' own streams; a sentence for a broken one."""
    found: defaultdict[UUID, dict[str, Ruling | str]] = defaultdict(dict)
    with room.connect() as connection:
        cases = dict(connection.execute(CASES, {"hands": list(hands)}).fetchall())
    loaded = room.store.load_many(cases) if cases else {}
    for case, hand in cases.items():
        try:
            rulings = case_of(case, loaded.get(case, ())).case.rulings
        except (UnknownCase, CorruptHistory, msgspec.MsgspecError):
            found[hand][str(case)] = f"the facts of case {case} cannot be applied"
            continue
        for ruling in rulings:
            if ruling.stage == "approved":
                found[hand][str(ruling.id)] = unsound(ruling) or ruling
    return found


def _had_effect(
    room: Room, hand: UUID, name: str, ruling: Ruling, said: Mapping[str, Moved]
) -> Iterator[RulingDiffers]:
    kind = ruling.proposed.kind
    if kind in ("void", "corrected_award") and name not in said:
        yield RulingDiffers(hand, f"ruling {name} was approved and the hand does not have it")
    if kind == "goodwill" and _gifts(room, hand, ruling) != moves_by_seat(ruling.proposed.moves):
        yield RulingDiffers(hand, f"ruling {name} is not what was posted to players' ledgers")


def _gifts(room: Room, hand: UUID, ruling: Ruling) -> dict[int, int]:
    """What the ledgers of those dealt in have of this ruling, by seat."""
    started = e.decode(room.store.states(hand)[0])
    assert isinstance(started, e.HandStarted), "a hand begins with its start"
    named = moves_by_seat(ruling.proposed.moves)
    posted: dict[int, int] = {}
    for taken in started.seats:
        if taken.seat not in named:
            continue
        for state in room.store.states(a.ledger_stream(taken.player)):
            posting = a.decode(state)
            if posting.ruling == ruling.id and not _unbalanced(posting):
                account = a.adjustment_account(taken.player)
                posted[taken.seat] = sum(
                    one.amount for one in posting.postings if one.account == account
                )
    return posted


def _unbalanced(posting: a.AdjustmentPosted) -> bool:
    return sum(one.amount for one in posting.postings) != 0
