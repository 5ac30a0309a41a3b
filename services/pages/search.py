"""Finding a hand by what somebody remembers of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request, Response

from domain.games import GAMES
from domain.house_rules import ALL_GAMES
from services.api import asking
from services.api.parts import InService, Parts
from services.lookup import players_called
from services.pages.fields import asked, moment, stakes
from services.pages.forms import Form, FormError
from services.pages.rendering import complete, page, see_other
from services.reports import BadCursor, HandsPage, HandsWanted, find_hands
from services.store.players import as_id

router = APIRouter(include_in_schema=False)

ON_A_PAGE = 50
TITLES = {game: GAMES[game].title for game in ALL_GAMES}
CHOICES = {
    "titles": TITLES,
    "games": (("", "any game"), *TITLES.items()),
    "judged": (("", "any"), ("true", "with findings"), ("false", "without findings")),
    "cases": (("", "any"), ("true", "with a case"), ("false", "without a case")),
}
LABELS = {
    "number": "Number",
    "table": "Table",
    "player": "Player",
    "game": "Game",
    "stakes": "Stakes",
    "min_pot": "Pot at least",
    "from": "From",
    "from_time": "From, time",
    "to": "To",
    "to_time": "To, time",
    "findings": "Findings",
    "disputed": "Disputed",
    "after": "Place in the list",
}
Typed = Annotated[str | None, Query()]


class Paged(msgspec.Struct, frozen=True):
    """Where a list goes on and where it begins; None where it does not, or is there."""

    next: str | None
    first: str | None


@router.get("/hands")
def hands_page(
    request: Request,
    parts: InService,
    number: Typed = None,
    table: Typed = None,
    player: Typed = None,
    game: Typed = None,
    stakes: Typed = None,
    min_pot: Typed = None,
    from_: Annotated[str | None, Query(alias="from")] = None,
    from_time: Typed = None,
    to: Typed = None,
    to_time: Typed = None,
    findings: Typed = None,
    disputed: Typed = None,
    after: Typed = None,
) -> Response:
    """Hands as they were asked for, newest first; nothing asked, all of them."""
    typed = dict(request.query_params)
    if not all(typed.values()):
        return see_other(_address({name: text for name, text in typed.items() if text}))
    form = Form(typed)
    try:
        found = _found(parts, form)
    except FormError:
        return _shown(request, form, None, status=422)
    except BadCursor as wrong:
        form.errors["after"] = str(wrong)
        return _shown(request, form, None, status=422)
    return _shown(request, form, found, complete=complete(parts.room, found.complete_to))


def _shown(
    request: Request, form: Form, found: HandsPage | None, status: int = 200, **more: object
) -> Response:
    typed = dict(request.query_params)
    first = {name: text for name, text in typed.items() if name != "after"}
    paged = Paged(
        next=_address(first | {"after": found.next}) if found and found.next else None,
        first=_address(first) if "after" in typed else None,
    )
    return page(
        request,
        "search.html",
        status,
        form=form,
        found=found,
        paged=paged,
        asked_for=first,
        labels=LABELS,
        **CHOICES,
        **more,
    )


def _found(parts: Parts, form: Form) -> HandsPage:
    """The hands the form asks for. Raises FormError once all fields are looked at."""
    number = asked(form, "number", asking.Number)
    wanted = HandsWanted(
        hand=number and as_id(number),
        number=number if number and not as_id(number) else None,
        table=asked(form, "table", asking.Table),
        players=_players(parts, asked(form, "player", asking.Player)),
        game=asked(form, "game", asking.OneGame),
        stakes=stakes(form, "stakes"),
        since=moment(form, "from", "from_time"),
        until=moment(form, "to", "to_time", after=True),
        min_pot=asked(form, "min_pot", asking.Pot),
        findings=asked(form, "findings", asking.Findings),
        disputed=asked(form, "disputed", asking.Findings),
        after=asked(form, "after", asking.After),
        limit=ON_A_PAGE,
    )
    form.require_no_mistake()
    return find_hands(parts.room.connect, wanted)


def _players(parts: Parts, called: str | None) -> tuple[str, ...] | None:
    return None if called is None else players_called(parts.room, called)


def _address(query: Mapping[str, str]) -> str:
    return f"/hands?{urlencode(query)}" if query else "/hands"
