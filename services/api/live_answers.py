"""What a live hand answers: the new events and the table, as the caller may see them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from fastapi import Request, Response

from domain import events as e
from domain.timing import TurnClock
from services.api.accepting import JSON
from services.api.answers import PRIVATE, encode
from services.api.guard import Caller, caller_of
from services.api.live_bodies import LiveAnswer, LiveEvent
from services.api.parts import Parts
from services.live import Acted, Happened
from services.replaying import PUBLIC, View, replay_step, seen_by


def answered(request: Request, parts: Parts, acted: Acted) -> Response:
    """The answer to a command, in the view of whoever asked, with the turn as its ETag."""
    view = view_of(caller_of(request), acted.hand.started)
    names = parts.names.of(acted.hand.started)
    return turn_response(
        live_answer(
            acted.hand_id, acted.history, acted.events, acted.turn, acted.clock, view, names
        )
    )


def view_of(caller: Caller, started: e.HandStarted) -> View:
    """A player sees his own cards, everybody else what the table sees."""
    for taken in started.seats:
        if caller.player is not None and taken.player == str(caller.player):
            return View("seat", taken.seat)
    return PUBLIC


def live_answer(
    hand: UUID,
    history: Sequence[e.HandEvent],
    new: Sequence[Happened],
    turn: str,
    clock: TurnClock | None,
    view: View,
    names: dict[str, str],
) -> LiveAnswer:
    """How the hand stands after its `history`, of which `new` were added."""
    seen = list(seen_by(view, history))
    state = replay_step(str(hand), history, None, view, names)
    return LiveAnswer(
        hand=hand,
        turn=turn,
        events=tuple(
            LiveEvent(n=one.n, position=one.position, event=seen[one.n - 1]) for one in new
        ),
        state=state,
        legal=state.legal,
        countdown_at=None if clock is None else clock.countdown_at,
        deadline=None if clock is None else clock.deadline,
        paused=clock is not None and clock.paused,
    )


def turn_response(answer: LiveAnswer) -> Response:
    """As JSON. Its ETag names the turn, which others' connections do not change."""
    headers = PRIVATE | {"ETag": f'"{answer.turn}"'}
    return Response(encode(answer), headers=headers, media_type=JSON)
