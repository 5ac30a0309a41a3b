"""One command in a case: read, decide, append; an approval with all it moves, or nothing of it."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4, uuid5

from msgspec.structs import replace

from domain.discreet import Discreet
from domain.disputes import adjustments as a
from domain.disputes import commands as q
from domain.disputes import events as d
from domain.disputes.applying import Applied, Effects, effects
from domain.disputes.case import evolve
from domain.disputes.decide import decide
from domain.disputes.rolling_back import with_amounts
from domain.errors import Refused
from domain.ruled import ruled_since
from services.disputes.errors import UnknownCase
from services.disputes.loading import (
    LoadedCase,
    LoadedHand,
    case_of,
    facts_of,
    load_case,
    load_hand,
)
from services.errors import StaleStream
from services.live import By, KeyReused
from services.seating.handling import known_by
from services.store.port import Append, EventStore, Fact
from services.store.port import facts as hand_facts

MOST_TRIES = 20


class InCase(Discreet, frozen=True, kw_only=True):
    """The case after a command. A `repeated` one was done before: it is as it was then."""

    loaded: LoadedCase
    repeated: bool = False


def open_case(store: EventStore, command: q.OpenCase, by: By) -> InCase:
    """Take up a complaint. Raises `Refused`, `UnknownHand` or `KeyReused`."""
    case = uuid4() if by.command_id is None else uuid5(by.command_id, "case")
    return _handled(store, case, command, by, new=True)


def handle(store: EventStore, case: UUID, command: q.CaseCommand, by: By) -> InCase:
    """Run one command in a case; its events carry the command's `at`, now if it has none.

    What an approved ruling moves is stored in the same transaction. Raises `Refused`,
    `UnknownCase` or `KeyReused`, and then nothing was done; StaleStream if others never leave it
    a place.
    """
    return _handled(store, case, command, by, new=False)


def _handled(store: EventStore, case: UUID, command: q.CaseCommand, by: By, *, new: bool) -> InCase:
    assert command.by == by.actor, "nobody asks in another's name"
    by = known_by(by, _meant(command))
    timed = command if command.at is not None else replace(command, at=datetime.now(UTC))
    for _ in range(MOST_TRIES):
        if (before := done_before(store, case, timed, by)) is not None:
            return before
        loaded = None if new else load_case(store, case)
        try:
            answer = _stored(store, case, loaded, timed, by)
        except Refused:
            # What was refused for what others did meanwhile is asked again of the case as it is.
            if loaded is None or len(store.states(case)) == loaded.version:
                raise
            continue
        if answer is not None:
            return answer
    raise StaleStream("too many are working at this case: try again")


def _meant(command: q.CaseCommand) -> q.CaseCommand:
    """What is asked: who complains as he is taken up does so whenever the request comes again."""
    if isinstance(command, q.OpenCase) and command.submitted_at == command.at:
        return replace(command, submitted_at=datetime.min.replace(tzinfo=UTC))
    return command


def _stored(
    store: EventStore, case: UUID, loaded: LoadedCase | None, command: q.CaseCommand, by: By
) -> InCase | None:
    """The case once all of it is in the log; None if somebody else was faster anywhere."""
    hand = load_hand(store, _hand_of(loaded, command))
    state = None if loaded is None else loaded.case
    if isinstance(command, q.ProposeRuling):
        command = with_amounts(command, hand.events)
    events = decide(state, command, hand.hand)
    batch = [
        _of_case(case, loaded, events, command, by),
        *_effects(store, case, loaded, hand, events, by),
    ]
    try:
        (answer, *_) = store.append_together(batch)
    except StaleStream:
        return None
    if answer.status != "ok":
        return None
    for event in events:
        state = evolve(state, event)
    assert state is not None, "a command leads to something"
    before = () if loaded is None else loaded.events
    return InCase(loaded=LoadedCase(id=case, case=state, events=(*before, *events)))


def _hand_of(loaded: LoadedCase | None, command: q.CaseCommand) -> UUID:
    if loaded is not None:
        return loaded.case.opened.hand
    if not isinstance(command, q.OpenCase):
        raise UnknownCase("a case begins with a complaint")
    return command.hand


def _of_case(
    case: UUID,
    loaded: LoadedCase | None,
    events: tuple[d.CaseEvent, ...],
    command: q.CaseCommand,
    by: By,
) -> Append:
    return Append(
        stream=case,
        expected=0 if loaded is None else loaded.version,
        facts=facts_of(events),
        actor=by.actor,
        command_id=_known_as(command, by),
        request_id=by.request_id,
        causation=by.causation,
    )


def _known_as(command: q.CaseCommand, by: By) -> UUID | None:
    """What the command is known by in the case's stream.

    An approval is known by its ruling: were it known by a key that somebody used twice at once,
    the hand's part of it could be stored and the case's not.
    """
    if isinstance(command, q.ApproveRuling):
        return uuid5(command.ruling, "approved")
    return by.command_id


def _effects(
    store: EventStore,
    case: UUID,
    loaded: LoadedCase | None,
    hand: LoadedHand,
    events: tuple[d.CaseEvent, ...],
    by: By,
) -> list[Append]:
    """What an approval does beyond the case: to the hand, to ledgers."""
    (event,) = events
    if loaded is None or not isinstance(event, d.RulingApproved):
        return []
    ruling = loaded.case.ruling(event.ruling)
    assert ruling is not None, "only what was proposed is approved"
    proposed = ruling.proposed
    applied = Applied(
        case=case,
        hand=hand.id,
        value_date=hand.day,
        at=event.at,
        ruled_since=ruled_since(hand.events, proposed.hand_step or hand.version),
    )
    done = effects(hand.hand, proposed, applied)
    return [*_of_hand(hand, done, ruling.id, by), *_of_ledgers(store, done, ruling.id, by)]


def _of_hand(hand: LoadedHand, done: Effects, ruling: UUID, by: By) -> list[Append]:
    if done.of_hand is None:
        return []
    return [
        Append(
            stream=hand.id,
            expected=hand.version,
            facts=hand_facts([done.of_hand]),
            actor=by.actor,
            command_id=uuid5(ruling, "hand"),
            request_id=by.request_id,
            causation=f"ruling {ruling}",
        )
    ]


def _of_ledgers(store: EventStore, done: Effects, ruling: UUID, by: By) -> list[Append]:
    return [
        Append(
            stream=a.ledger_stream(posted.player),
            expected=len(store.states(a.ledger_stream(posted.player))),
            facts=(Fact(a.TAG, a.encode(posted)),),
            actor=by.actor,
            command_id=uuid5(ruling, posted.player),
            request_id=by.request_id,
            causation=f"ruling {ruling}",
        )
        for posted in done.adjustments
    ]


def done_before(store: EventStore, case: UUID, command: q.CaseCommand, by: By) -> InCase | None:
    """The case as it stood after this request, if it was done. Raises `KeyReused`."""
    if by.command_id is None:
        return None
    facts = store.load(case)
    if any(fact.command_id == by.command_id != _known_as(command, by) for fact in facts):
        raise KeyReused("this idempotency key stood for another request before")
    known = [fact for fact in facts if fact.command_id == _known_as(command, by)]
    if not known:
        return None
    if known[0].causation == by.causation and known[0].actor == by.actor:
        return InCase(loaded=case_of(case, facts[: known[-1].n]), repeated=True)
    if isinstance(command, q.ApproveRuling):
        return None  # Somebody else approved it: the rules say so.
    raise KeyReused("this idempotency key stood for another request before")
