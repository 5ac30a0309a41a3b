"""Templates made into pages; whatever is not ours in them is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Protocol
from unicodedata import category

import msgspec
from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from domain.amounts import amount_words
from domain.cards import RANK_WORDS, RANKS
from domain.events import Money
from domain.units import UNKNOWN, Card, ChipsMoved
from services.api.parts import parts_of
from services.pages.files import FILES
from services.pages.visiting import visitor_if_any
from services.replaying.faces import GLYPHS
from services.store.room import Room

PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Vary": "Cookie",
}
"""No inline script or style, nothing from elsewhere, in nobody's frame, and kept by no cache."""

NAVIGATION = (
    ("/hands", "Hands", "GET /hands"),
    ("/tables", "Tables", "GET /tables"),
    ("/cases", "Cases", "GET /cases"),
    ("/rake", "Rake", "GET /rake"),
    ("/schedules", "Schedules", "GET /schedules"),
    ("/log", "Log", "GET /log"),
)
"""Where one may begin: the address, its name, and the route one must be allowed to open."""

SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class InCurrency(Protocol):
    """Whatever says in which currency its amounts are."""

    @property
    def currency(self) -> str:
        """Its code, `chips` for play money."""

    @property
    def exponent(self) -> int:
        """How many decimals a whole unit has."""


class Complete(msgspec.Struct, frozen=True):
    """Up to which event a page is complete, and how many are stored that it does not know yet."""

    to: int
    behind: int


def page(request: Request, template: str, status: int = 200, **shown: object) -> HTMLResponse:
    """A page made of a template; `shown` is what it tells."""
    context = {
        "visitor": visitor_if_any(request),
        "here": here(request),
        "room": parts_of(request).room.settings.room,
        "navigation": NAVIGATION,
        **shown,
    }
    return HTMLResponse(TEMPLATES.get_template(template).render(context), status, PAGE_HEADERS)


def see_other(path: str) -> RedirectResponse:
    """Go there, by GET: a form that was sent is never sent again by going back."""
    return RedirectResponse(path, 303, {"Cache-Control": "no-store"})


def here(request: Request) -> str:
    """The page's address within the service, with its query."""
    url = request.url
    return f"{url.path}?{url.query}" if url.query else url.path


def complete(room: Room, to: int) -> Complete:
    """How complete a page is that reads projections which have taken in the log up to `to`."""
    return Complete(to=to, behind=max(0, room.store.head() - to))


def money(amount: ChipsMoved, of: InCurrency) -> str:
    """An amount in minor units, in the currency of what it is of: `$12.25`."""
    return amount_words(amount, Money(kind="play", currency=of.currency, exponent=of.exponent))


def time(at: datetime | None, seconds: bool = False) -> Markup:
    """A moment in UTC, to the minute if not to the second; a dash where there is none."""
    if at is None:
        return Markup('<span class="none">–</span>')
    at = at.astimezone(UTC)
    text = f"{at:%Y-%m-%d %H:%M:%S}" if seconds else f"{at:%Y-%m-%d %H:%M}"
    return Markup('<time datetime="{}">{}</time>').format(
        at.isoformat().replace("+00:00", "Z"), text
    )


def card(shown: Card) -> Markup:
    """A card by rank and suit's glyph, told in words to who does not see it."""
    if shown == UNKNOWN:
        return Markup('<span class="card down" role="img" aria-label="a face-down card">?</span>')
    rank, suit = shown[0], shown[1]
    words = f"{RANK_WORDS[RANKS.index(rank)]} of {SUIT_WORDS[suit]}"
    return Markup('<span class="card {}" role="img" aria-label="{}">{}{}</span>').format(
        SUIT_WORDS[suit], words, "10" if rank == "T" else rank, GLYPHS[suit]
    )


def static(name: str) -> str:
    """The address of a static file, another one whenever its content is another."""
    return f"/static/{name}?v={FILES[name].version}"


def readable(shown: Any) -> Any:
    """What a template shows, without characters that would turn or hide the text around them."""
    if type(shown) is not str or shown.isprintable():
        return shown
    lines = shown.replace("\r\n", "\n")
    return "".join(char if _is_seen(char) else "\N{REPLACEMENT CHARACTER}" for char in lines)


def _is_seen(char: str) -> bool:
    """Whether a character is a mark, a blank or the end of a line."""
    return char in "\n\t" or category(char) == "Zs" or char.isprintable()


def _environment(filters: Mapping[str, Any], calls: Mapping[str, Any]) -> Environment:
    made = Environment(
        loader=PackageLoader("services.pages"),
        autoescape=True,
        finalize=readable,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= filters
    made.globals |= calls
    return made


TEMPLATES = _environment({"money": money, "time": time, "card": card}, {"static": static})
