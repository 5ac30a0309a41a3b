"""Routes of a hand that is being played here: actions, and what else happens at its table."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Request, Response

from domain import commands as c
from domain.legal import Action
from services.api import live_bodies as b
from services.api import problems
from services.api.arriving import arrived
from services.api.asking import Short
from services.api.describing import answers
from services.api.live_answers import answered, live_answer, turn_response
from services.api.parts import InService, Parts, parts_of
from services.api.sight import SeenHand
from services.api.straight import Plain, straight_to
from services.api.wanting import (
    Asker,
    TurnAnswered,
    asked_by,
    body_of,
    describes,
    understanding,
)
from services.live import By, Standing, handle
from services.lookup import find_hand
from services.store.players import as_id

router = APIRouter(tags=["live"])

Called = Annotated[Short, Path(alias="hand", description="The hand's id or the site's number.")]

_PLAIN: dict[Action, type[c.Fold | c.Check | c.Call | c.Complete | c.PostBringIn]] = {
    "fold": c.Fold,
    "check": c.Check,
    "call": c.Call,
    "complete": c.Complete,
    "bring_in": c.PostBringIn,
}
_WAGERS: dict[Action, type[c.Bet | c.Raise]] = {"bet": c.Bet, "raise": c.Raise}


def act(
    request: Request,
    parts: InService,
    called: Called,
    by: Asker,
    turn: TurnAnswered,
    wanted: Annotated[b.ActionWanted, Depends(body_of(b.ActionWanted))],
) -> Response:
    """Fold, check, call, bet, raise, complete or bring in, if it still is the turn answered."""
    return _handled(request, parts, called, _action(wanted), by, turn)


_wanted = understanding(b.ActionWanted)


def _act_straight(request: Request, said: Plain, body: bytes) -> Response:
    by = asked_by(request, said.key, body)
    return act(request, parts_of(request), said.hand, by, said.turn, _wanted(body))


router.add_api_route(
    "/v1/hands/{hand}/actions",
    act,
    methods=["POST"],
    route_class_override=straight_to(_act_straight),
    summary="Act in a hand",
    openapi_extra=describes(b.ActionWanted, {"seat": 3, "action": "raise", "to": 400}),
    **answers(b.LiveAnswer, refuses=True, answers_a_turn=True),
)


@router.post(
    "/v1/hands/{hand}/connection",
    summary="Say that a seat lost its connection, or has it back",
    openapi_extra=describes(b.ConnectionSeen, {"seat": 3, "state": "lost"}),
    **answers(b.LiveAnswer, refuses=True),
)
def connection(
    request: Request,
    parts: InService,
    called: Called,
    by: Asker,
    seen: Annotated[b.ConnectionSeen, Depends(body_of(b.ConnectionSeen))],
) -> Response:
    """Evidence for the clock; whose turn it is stays as it is."""
    command = c.Disconnect(seat=seen.seat) if seen.state == "lost" else c.Reconnect(seat=seen.seat)
    return _handled(request, parts, called, command, by)


@router.post(
    "/v1/hands/{hand}/cards",
    summary="Deal the cards of a street from outside",
    openapi_extra=describes(b.CardsOfStreet, {"cards": ["Ah", "2d", "9c"]}),
    **answers(b.LiveAnswer, refuses=True),
)
def cards(
    request: Request,
    parts: InService,
    called: Called,
    by: Asker,
    dealt: Annotated[b.CardsOfStreet, Depends(body_of(b.CardsOfStreet))],
) -> Response:
    """All cards that are due, where the hand is dealt from a deck that is not here."""
    return _handled(request, parts, called, c.Deal(cards=dealt.cards), by)


@router.post(
    "/v1/hands/{hand}/incidents",
    summary="Put an incident of a hand on record",
    openapi_extra=describes(b.IncidentSeen, {"kind": "exposed card", "text": "seat 4, first card"}),
    **answers(b.LiveAnswer, refuses=True),
)
def incident(
    request: Request,
    parts: InService,
    called: Called,
    by: Asker,
    seen: Annotated[b.IncidentSeen, Depends(body_of(b.IncidentSeen))],
) -> Response:
    """It moves nothing, and may be told of a hand that is over."""
    return _handled(request, parts, called, c.NoteIncident(kind=seen.kind, text=seen.text), by)


@router.post(
    "/v1/hands/{hand}/void",
    summary="Call a hand off",
    openapi_extra=describes(b.VoidWanted, {"reason": "fouled deck"}),
    **answers(b.LiveAnswer, refuses=True),
)
def void(
    request: Request,
    parts: InService,
    called: Called,
    by: Asker,
    wanted: Annotated[b.VoidWanted, Depends(body_of(b.VoidWanted))],
) -> Response:
    """Everybody gets back all he put in, and the hand is over."""
    return _handled(request, parts, called, c.Void(reason=wanted.reason), by)


@router.post(
    "/v1/hands/{hand}/clock",
    summary="Stop the clock of a hand, or let it run again",
    openapi_extra=describes(b.ClockWanted, {"state": "paused", "reason": "fire alarm"}),
    **answers(b.LiveAnswer, refuses=True),
)
def clock(
    request: Request,
    parts: InService,
    called: Called,
    by: Asker,
    wanted: Annotated[b.ClockWanted, Depends(body_of(b.ClockWanted))],
) -> Response:
    """Time that passes while it is stopped is nobody's."""
    kind = c.PauseClock if wanted.state == "paused" else c.ResumeClock
    return _handled(request, parts, called, kind(reason=wanted.reason), by)


@router.get(
    "/v1/hands/{hand}/turn",
    summary="Whose turn it is, and what he may do",
    **answers(b.LiveAnswer),
)
def turn(seen: SeenHand) -> Response:
    """The table as it stands, the turn to answer with If-Match, and until when."""
    file = seen.file
    standing = Standing(file.hand, file.events)
    return turn_response(
        live_answer(
            file.hand, file.events, (), standing.turn, standing.clock, seen.view, file.names
        )
    )


def _handled(
    request: Request, parts: Parts, called: str, command: c.HandCommand, by: By,
    turn: str | None = None,
) -> Response:  # fmt: skip
    """Run a command, stamped with the request's arrival."""
    hand = as_id(called) or find_hand(parts.room, called).hand
    return answered(request, parts, handle(parts.live, hand, _at(command, request), by, turn))


def _at(command: c.HandCommand, request: Request) -> c.HandCommand:
    return msgspec.structs.replace(command, at=arrived(request))


def _action(wanted: b.ActionWanted) -> c.HandCommand:
    """The command of an action. Raises a problem for an amount where none belongs."""
    if wanted.action in _WAGERS:
        return _WAGERS[wanted.action](seat=wanted.seat, to=wanted.to)
    if wanted.to is not None:
        message = f"`to` does not go with {wanted.action}: there is only one amount"
        raise problems.bad_parameter("body", message, ("bet", "raise"))
    return _PLAIN[wanted.action](seat=wanted.seat)
