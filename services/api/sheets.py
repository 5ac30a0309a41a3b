"""What the answers about one hand say, worked out from its events alone: never behind, never wrong.

Where cards matter the events are masked for the view before anything is worked out from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.events import HandEvent
from domain.evolve import replay
from domain.hand import Hand
from domain.rules.turn import hand_over
from domain.verdict import RULES_VERSION, judge
from projections.hand_players import HAND_PLAYERS, HandPlayerRow
from projections.hands import HANDS, HandRow
from projections.odd_chips import ODD_CHIPS
from projections.pots import POTS, PotRow
from projections.rake_ledger import RAKE_LEDGER
from projections.shape import Projection, Row, Told
from services.api import bodies as b
from services.api.files import OnFile
from services.explaining.judging import as_seen
from services.explaining.raking import rake_lines
from services.replaying import View, seen_by
from services.replaying.pots import pot_name
from services.replaying.seating import seating


def hand_sheet(file: OnFile, *, conflicting: bool, disputed: bool = False) -> b.HandSheet:
    """The hand as a whole; what only other records can say of it is told here."""
    (row,) = _rows(HANDS, file, file.events)
    assert isinstance(row, HandRow)
    verdict = judge(file.events)
    started = file.started
    return b.HandSheet(
        hand=file.hand,
        table=row.table_name,
        verdict=verdict.verdict if file.is_over else None,
        findings=len(verdict.findings),
        conflicting=conflicting or row.conflicting,
        disputed=disputed,
        dealer=started.dealer,
        rake_schedule=started.rake_schedule,
        seats=tuple(_seat(seat, file.names) for seat in _rows(HAND_PLAYERS, file, file.events)),
        **_fields(row, _OF_HAND),
    )


def _seat(row: Any, names: dict[str, str]) -> b.SeatSheet:
    assert isinstance(row, HandPlayerRow)
    return b.SeatSheet(player=names.get(row.player, f"seat {row.seat}"), **_fields(row, _OF_SEAT))


def event_lines(file: OnFile, view: View) -> Iterable[b.EventLine]:
    """Every event as the view may know it."""
    return (
        b.EventLine(hand=file.hand, n=fact.n, recorded_at=fact.recorded_at, event=event)
        for fact, event in zip(file.facts, seen_by(view, file.events), strict=True)
    )


def events_of_hand(file: OnFile, view: View) -> b.EventsOfHand:
    """The hand's events in one answer."""
    return b.EventsOfHand(
        hand=file.hand,
        number=file.started.number,
        view=str(view),
        events=tuple(event_lines(file, view)),
    )


def pots_of_hand(file: OnFile) -> b.PotsOfHand:
    """The pots; there is no card in them."""
    money = file.started.money
    return b.PotsOfHand(
        hand=file.hand,
        number=file.started.number,
        currency=money.currency,
        exponent=money.exponent,
        pots=tuple(map(_pot, _rows(POTS, file, file.events))),
    )


def _pot(row: Any) -> b.PotSheet:
    assert isinstance(row, PotRow)
    paid = msgspec.json.decode(row.contributions, type=dict[int, int])
    return b.PotSheet(
        pot=row.pot,
        name=pot_name(row.pot),
        gross=row.gross,
        rake=row.rake,
        awarded=row.awarded,
        claimants=msgspec.json.decode(row.claimants, type=tuple[int, ...]),
        contributions=tuple(b.PaidIn(seat=seat, amount=chips) for seat, chips in paid.items()),
        halves=msgspec.json.decode(row.halves, type=tuple[b.HalfAwarded, ...]),
    )


def odd_chips_of_hand(file: OnFile, view: View) -> b.OddChipsOfHand:
    """The odd chips as the view may know them."""
    money = file.started.money
    return b.OddChipsOfHand(
        hand=file.hand,
        number=file.started.number,
        view=str(view),
        currency=money.currency,
        exponent=money.exponent,
        odd_chips=tuple(map(_odd_chip, _rows(ODD_CHIPS, file, seen_by(view, file.events)))),
    )


def _odd_chip(row: Any) -> b.OddChip:
    fields = msgspec.structs.asdict(row)
    parsed = {name: msgspec.json.decode(fields[name]) for name in ("cards", "compared")}
    return msgspec.convert(fields | parsed, b.OddChip)


def rake_of_hand(file: OnFile) -> b.RakeOfHand:
    """The rake with its books; there is no card in them."""
    hand, started = _state(file), file.started
    taken = hand.rake_taken
    words = seating(started, file.names)
    return b.RakeOfHand(
        hand=file.hand,
        number=started.number,
        currency=started.money.currency,
        exponent=started.money.exponent,
        schedule=started.rake_schedule,
        matched=0 if hand.voided else sum(player.paid for player in hand.seats),
        total=taken.total if taken else 0,
        rake=hand.rake,
        pots=taken.pots if taken else (),
        row=taken.row if taken else None,
        step=taken.step if taken else None,
        attribution=taken.attribution if taken else None,
        because=tuple(rake_lines(hand, words)) if hand_over(hand) and not hand.voided else (),
        postings=tuple(
            b.HandPosting(**_fields(row, b.HandPosting.__struct_fields__))
            for row in _rows(RAKE_LEDGER, file, file.events)
        ),
    )


def verdict_on_hand(file: OnFile, view: View) -> b.VerdictOnHand:
    """The judgement, in the words of a view."""
    real = judge(file.events)
    masked = judge(seen_by(view, file.events))
    return b.VerdictOnHand(
        hand=file.hand,
        number=file.started.number,
        view=str(view),
        verdict=real.verdict if file.is_over else None,
        rules_version=RULES_VERSION,
        steps=len(file.events),
        findings=as_seen(real.findings, masked.findings),
        open_questions=real.open_questions,
    )


# -- folding ---------------------------------------------------------------------------------------

_OF_SEAT = tuple(name for name in b.SeatSheet.__struct_fields__ if name != "player")
_OF_HAND = tuple(
    name
    for name in b.HandSheet.__struct_fields__
    if name in HandRow.__struct_fields__ and name not in {"hand", "conflicting"}
)


def _rows(projection: Projection[Row], file: OnFile, events: Iterable[HandEvent]) -> Sequence[Any]:
    """What a projection makes of these events of the hand."""
    row: Row | None = None
    for event in events:
        row = projection.project(row, event)
    assert row is not None, "a hand has at least one event"
    return projection.rows(row, Told(file.hand, file.facts[0].recorded_at))


def _state(file: OnFile) -> Hand:
    """The hand after its last event."""
    return replay(file.events)


def _fields(row: msgspec.Struct, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}
