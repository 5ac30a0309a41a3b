"""A hand at one step, as a view sees it: the frame every replay shows (JSON and terminal)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from domain import events as e
from domain.discreet import Discreet
from domain.evolve import evolve
from domain.hand import Hand, Player, Status
from domain.legal import LegalAction, legal_actions
from domain.ruled import Ruled, as_ruled
from domain.rules.turn import turn
from domain.units import Card, Chips, ChipsMoved, Game, Seat
from services.errors import ServiceError
from services.replaying.clock import ClockNow, clock_now
from services.replaying.notes import note
from services.replaying.pots import PotNow, pots_now
from services.replaying.seating import Seating, seating
from services.replaying.views import PUBLIC, View, require_allowed, seen_by


class NoSuchStep(ServiceError):
    """The hand has no such step; the text says which it has."""


class SeatNow(Discreet, frozen=True, kw_only=True):
    """One seat at a step. `committed` is what it has in the pot, `street_total` what of it went
    in on this street, `won` what it was awarded so far. Cards the view may not see are `??`.
    """

    seat: Seat
    player: str
    stack: Chips
    committed: Chips
    street_total: Chips
    won: Chips
    status: Status
    mucked: bool
    down: tuple[Card, ...]
    up: tuple[Card, ...]


class ReplayFrame(Discreet, frozen=True, kw_only=True):
    """The table after `step` of `steps` events. Amounts are minor units of `currency`.

    `to_act` is null where nobody is to act, or where the record leaves it open who is; `legal`
    is what the seat to act may do. `event` is the fact of this step and `note` says it in words.
    `ruled` is the money as played and as ruled, from the first ruling on. `clock` is that of the
    seat to act, where the house has one and the record says when the turn began.
    """

    hand: str
    number: str
    step: int
    steps: int
    view: str
    game: Game
    site: str
    table: str
    played_at: datetime | None
    currency: str
    exponent: int
    small_bet: Chips
    big_bet: Chips
    street: int
    dealer: Seat | None
    community: Card | None
    to_act: Seat | None
    legal: tuple[LegalAction, ...]
    price: Chips
    pot: Chips
    pots: tuple[PotNow, ...]
    rake: ChipsMoved
    seats: tuple[SeatNow, ...]
    event: e.HandEvent
    note: str
    ruled: Ruled | None = None
    clock: ClockNow | None = None


def require_step(events: Sequence[e.HandEvent], step: int | None) -> int:
    """The step meant: the last one if none is named. Raises `NoSuchStep`."""
    if step is None:
        return len(events)
    if not 1 <= step <= len(events):
        raise NoSuchStep(f"there is no step {step}: the hand has steps 1 to {len(events)}")
    return step


def replay_step(
    hand: str,
    events: Sequence[e.HandEvent],
    step: int | None = None,
    view: View = PUBLIC,
    names: Mapping[str, str] | None = None,
) -> ReplayFrame:
    """The table after `step` (default: the last), as `view` sees it.

    `hand` is the hand's id, `names` maps player ids to names. Raises `NoSuchStep`, `BadView`.
    """
    wanted = require_step(events, step)
    require_allowed(view, events)
    state: Hand | None = None
    event = events[0]
    for event in seen_by(view, events[:wanted]):
        state = evolve(state, event)
    assert state is not None, "a hand has at least one event"
    words = seating(state.started, names or {})
    return _with_record(_frame(hand, len(events), view, words, event, state), state, events)


def replay_frames(
    hand: str,
    events: Sequence[e.HandEvent],
    view: View = PUBLIC,
    names: Mapping[str, str] | None = None,
) -> Iterator[ReplayFrame]:
    """Every step of the hand in turn, for playing it. Raises as `replay_step`, at once."""
    require_step(events, 1)
    require_allowed(view, events)
    return _frames(hand, events, view, names or {})


def _frames(
    hand: str, events: Sequence[e.HandEvent], view: View, names: Mapping[str, str]
) -> Iterator[ReplayFrame]:
    state: Hand | None = None
    for event in seen_by(view, events):
        state = evolve(state, event)
        frame = _frame(hand, len(events), view, seating(state.started, names), event, state)
        yield _with_record(frame, state, events)


def _with_record(frame: ReplayFrame, state: Hand, events: Sequence[e.HandEvent]) -> ReplayFrame:
    """What takes more than the state to tell: rulings and the clock. No card is in either."""
    so_far = events[: state.step]
    if state.ruled:
        frame = replace(frame, ruled=as_ruled(so_far))
    clock = clock_now(so_far, state)
    return frame if clock is None else replace(frame, clock=clock)


def _frame(
    hand: str, steps: int, view: View, words: Seating, event: e.HandEvent, state: Hand
) -> ReplayFrame:
    started, waiting = state.started, turn(state)
    to_act = waiting[0] if len(waiting) == 1 else None
    return ReplayFrame(
        hand=hand,
        number=started.number,
        step=state.step,
        steps=steps,
        view=str(view),
        game=started.game,
        site=started.site,
        table=started.table.name,
        played_at=started.played_at,
        currency=started.money.currency,
        exponent=started.money.exponent,
        small_bet=started.stakes.small_bet,
        big_bet=started.stakes.big_bet,
        street=state.betting.street,
        dealer=started.dealer,
        community=state.community,
        to_act=to_act,
        legal=() if to_act is None else legal_actions(state, to_act),
        price=state.betting.price,
        pot=state.pot,
        pots=pots_now(state),
        rake=state.rake,
        seats=_seats(state, words),
        event=event,
        note=note(words, event, state),
    )


def _seats(state: Hand, words: Seating) -> tuple[SeatNow, ...]:
    won: dict[Seat, Chips] = {}
    for record in state.awards:
        for share in record.award.shares:
            won[share.seat] = won.get(share.seat, 0) + share.amount
    return tuple(_seat(state, player, words, won) for player in state.seats)


def _seat(state: Hand, player: Player, words: Seating, won: Mapping[Seat, Chips]) -> SeatNow:
    return SeatNow(
        seat=player.seat,
        player=words.player(player.seat),
        stack=player.stack,
        committed=0 if state.voided else player.paid,
        street_total=0 if state.voided else player.street_total,
        won=0 if state.voided else won.get(player.seat, 0),
        status=player.status,
        mucked=player.mucked,
        down=player.down,
        up=player.up,
    )
