"""Routes of hands: finding them, and everything about one."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from services.api import asking, problems, sheets
from services.api import bodies as b
from services.api.answers import (
    answer,
    next_link,
    streamed_lines,
    tagged,
    tagged_lines,
    wants_lines,
)
from services.api.describing import answers
from services.api.files import Hand, OnFile
from services.api.parts import InService
from services.api.sight import SeenHand
from services.explaining import Explanation
from services.explaining import explain as explain_hand
from services.lookup import players_called
from services.replaying import ReplayFrame, replay_step
from services.reports import HandFound, HandsPage, HandsWanted, find_hands

router = APIRouter(tags=["hands"])


@router.get("/v1/hands", summary="Find hands", **answers(HandsPage, lines=HandFound))
def search(
    request: Request,
    parts: InService,
    number: asking.Number = None,
    table: asking.Table = None,
    player: asking.Player = None,
    game: asking.OneGame = None,
    from_day: asking.FirstDay = None,
    to_day: asking.LastDay = None,
    min_pot: asking.Pot = None,
    findings: asking.Findings = None,
    limit: asking.Limit = 50,
    after: asking.After = None,
) -> Response:
    """Hands by what they were, newest first. As JSON Lines, one hand a line. Days are UTC."""
    asking.in_order(from_day, to_day)
    wanted = HandsWanted(
        number=number,
        table=table,
        players=None if player is None else players_called(parts.room, player),
        game=game,
        from_day=from_day,
        to_day=to_day,
        min_pot=min_pot,
        findings=findings,
        limit=limit,
        after=after,
    )
    page = find_hands(parts.room.connect, wanted)
    link = next_link(request, page.next)
    if wants_lines(request):
        return streamed_lines(page.hands, link=link)
    return answer(page, link=link)


@router.get("/v1/hands/{hand}", summary="One hand", **answers(b.HandSheet))
def hand(request: Request, parts: InService, file: Hand) -> Response:
    """One hand: what was played, by whom, for how much, and the verdict."""
    listed = find_hands(parts.room.connect, HandsWanted(hand=file.hand, limit=1)).hands
    return tagged(
        request,
        sheets.hand_sheet(
            file,
            conflicting=any(row.conflicting for row in listed),
            disputed=any(row.disputed for row in listed),
        ),
    )


@router.get(
    "/v1/hands/{hand}/events",
    summary="The events of a hand",
    **answers(b.EventsOfHand, lines=b.EventLine),
)
def events(request: Request, seen: SeenHand) -> Response:
    """Every event of the hand in order, hidden cards as `??`."""
    if wants_lines(request):
        return tagged_lines(request, sheets.event_lines(seen.file, seen.view))
    return tagged(request, sheets.events_of_hand(seen.file, seen.view))


@router.get(
    "/v1/hands/{hand}/replay", summary="The table at a step of a hand", **answers(ReplayFrame)
)
def replay(request: Request, seen: SeenHand, step: asking.Step = None) -> Response:
    """The table after a step of the hand."""
    file = with_step(seen.file, step)
    frame = replay_step(str(file.hand), file.events, step, seen.view, file.names)
    return tagged(request, frame)


@router.get("/v1/hands/{hand}/pots", summary="The pots of a hand", **answers(b.PotsOfHand))
def pots(request: Request, file: Hand) -> Response:
    """Main pot and side pots: who paid, who could win, what was paid out."""
    return tagged(request, sheets.pots_of_hand(file))


@router.get(
    "/v1/hands/{hand}/odd-chips", summary="The odd chips of a hand", **answers(b.OddChipsOfHand)
)
def odd_chips(request: Request, seen: SeenHand) -> Response:
    """Every odd chip: to whom, by which rule, and what was compared."""
    return tagged(request, sheets.odd_chips_of_hand(seen.file, seen.view))


@router.get("/v1/hands/{hand}/rake", summary="The rake of a hand", **answers(b.RakeOfHand))
def rake(request: Request, file: Hand) -> Response:
    """What the house took from the hand, why so much, from whom, and the hand's books."""
    return tagged(request, sheets.rake_of_hand(file))


@router.get(
    "/v1/hands/{hand}/verdict", summary="Whether a hand was right", **answers(b.VerdictOnHand)
)
def verdict(request: Request, seen: SeenHand) -> Response:
    """Whether the hand was played and paid by the rules, judged now from its events."""
    return tagged(request, sheets.verdict_on_hand(seen.file, seen.view))


@router.get(
    "/v1/hands/{hand}/explain", summary="Why a hand came out as it did", **answers(Explanation)
)
def explain(request: Request, seen: SeenHand, step: asking.Step = None) -> Response:
    """Why the hand, or one step of it, came out as it did, with the rules' ids."""
    file = with_step(seen.file, step)
    return tagged(request, explain_hand(str(file.hand), file.events, step, seen.view, file.names))


def with_step(file: OnFile, step: int | None) -> OnFile:
    """The hand, if it has the step. Raises a problem with those it has."""
    last = len(file.events)
    if step is not None and step > last:
        message = f"the hand has no step {step}"
        raise problems.bad_parameter("step", message, (f"1 to {last}",))
    return file
