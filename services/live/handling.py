"""One command at a live hand: read, decide, append; refused with evidence, repeated in peace."""

from __future__ import annotations

from typing import NoReturn
from uuid import UUID

from msgspec.structs import replace

from domain import commands as c
from domain.decide import decide
from domain.errors import NotAllowedNow, Refused
from services.errors import StaleStream
from services.live.acted import Acted, acted
from services.live.attempts import Kind, attempt, keep
from services.live.deadlines import by_the_clock
from services.live.dealing import dealt_on, require_dealer
from services.live.ending import ended_at_table
from services.live.errors import NotYourSeat, TooLate, TurnMoved
from services.live.live import By, Live
from services.live.repeating import again, alternatives
from services.live.standing import Standing, table_of
from services.live.turns import ACTIONS
from services.store.port import Append, Appended, facts

MOST_TRIES = 20


def handle(
    live: Live, hand_id: UUID, command: c.HandCommand, by: By, turn: str | None = None
) -> Acted:
    """Run one command at a hand that is dealt here; `turn` is the token of the turn it answers.

    The events carry the command's `at`: when it arrived. Raises `Refused`, `TurnMoved`,
    `NotYourSeat`, `NotDealtHere`, `UnknownHand` or `KeyReused`, and then nothing was done.
    Raises StaleStream if others never leave it a place.
    """
    timed = command if command.at is not None else replace(command, at=live.now())
    for _ in range(MOST_TRIES):
        before = live.hands.read(live.store, hand_id, by.command_id)
        table_of(before)
        _require_own_seat(before, timed, by)
        if (repeated := again(live.store, before, by)) is not None:
            return repeated
        if turn is None and isinstance(timed, ACTIONS):
            turn = before.turn
        try:
            after = _decided(live, before, timed, turn)
        except (Refused, TurnMoved) as no:
            _refuse(live, before, timed, by, turn, no)
        if (answer := _stored(live, before, after, by)) is not None:
            return answer
        live.hands.forget(hand_id)
    raise StaleStream("too many are acting at this hand: try again")


def _require_own_seat(hand: Standing, command: c.HandCommand, by: By) -> None:
    """A player acts for himself only."""
    if by.role != "player":
        return
    seat = getattr(command, "seat", None)
    own = {taken.seat for taken in hand.started.seats if taken.player == str(by.player)}
    if seat not in own:
        raise NotYourSeat("a player acts at his own seat only")


def _decided(live: Live, before: Standing, command: c.HandCommand, turn: str | None) -> Standing:
    """The hand after the command, its consequences and the cards that are due then."""
    if before.over and not isinstance(command, c.NoteIncident):
        rule, how = ("P9", "void") if before.hand.voided else ("B9", "over")
        raise NotAllowedNow(f"the hand is {how}", rule=rule)
    if turn is not None and turn != before.turn:
        raise TurnMoved(before.turn, before.legal)
    require_dealer(before, command)
    happened = decide(before.hand, by_the_clock(before, command))
    assert command.at is not None, "every command is stamped when it arrives"
    return dealt_on(live.decks, before.gone_on(happened), command.at)


def _refuse(
    live: Live, hand: Standing, command: c.HandCommand, by: By, turn: str | None,
    no: Refused | TurnMoved,
) -> NoReturn:  # fmt: skip
    """Put the attempt on record, then say no, with the legal alternatives."""
    kind: Kind = "turn_moved"
    if isinstance(no, Refused):
        kind = "late" if isinstance(no, TooLate) else "refused"
    refused = attempt(
        command,
        by,
        kind,
        rule=no.rule if isinstance(no, Refused) else None,
        text=str(no),
        turn=turn,
        step=len(hand.events),
        deadline=no.deadline if isinstance(no, TooLate) else None,
    )
    if not isinstance(command, c.TimeOut):  # Nobody tried anything: the clock only looked.
        keep(live.store, hand.hand_id, refused, by)
    if isinstance(no, Refused):
        no.legal = alternatives(refused, hand)
    raise no


def _stored(live: Live, before: Standing, after: Standing, by: By) -> Acted | None:
    """The answer once the new events are in the log; None if somebody else was faster."""
    own = Append(
        stream=before.hand_id,
        expected=len(before.events),
        facts=facts(after.events[len(before.events) :]),
        actor=by.actor,
        command_id=by.command_id,
        request_id=by.request_id,
        causation=by.causation,
    )
    (answer, *_) = _append(live, before, after, own, by)
    if answer.status != "ok":
        return None
    live.hands.keep(after, own.facts[-1].state)
    return acted(after, answer.positions)


def _append(
    live: Live, before: Standing, after: Standing, own: Append, by: By
) -> tuple[Appended, ...]:
    """The hand's events; with the table's if they end the hand, both or neither."""
    if before.over or not after.over:
        return live.store.append([own])
    try:
        return live.store.append_together([own, ended_at_table(live, after, by)])
    except StaleStream:
        return (_overtaken(own),)
    except Refused:
        # The table knows this hand no more, because somebody else has ended it meanwhile.
        if len(live.store.states(own.stream)) == own.expected:
            raise
        return (_overtaken(own),)


def _overtaken(own: Append) -> Appended:
    return Appended(own.stream, "stale", own.expected, ())
