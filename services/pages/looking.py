"""How a page of a hand is looked at: the view, its purpose, and the addresses within that view."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from fastapi import Depends, Request, Response

from services.access import PurposeMissing
from services.api.files import Hand, OnFile
from services.api.guard import caller_of
from services.api.parts import InService
from services.api.sight import ViewParameter, WhyParameter, goes_on_record, seen, views_for
from services.pages.forms import Form
from services.pages.rendering import page
from services.pages.view_words import view_words
from services.pages.visiting import led_here
from services.replaying import PUBLIC, View, parse_view
from services.replaying.seating import Seating, seating


class Addresses(msgspec.Struct, frozen=True):
    """Where the pages of one hand are, in one view."""

    hand: UUID
    view: View
    why: str | None = None

    def step(self, step: int) -> str:
        """The table at a step."""
        return self._address("replay", {"step": str(step)})

    def result(self, **asked: str) -> str:
        """How it ended; with a change, what if."""
        return self._address("result", asked)

    def file(self) -> str:
        """The whole replay as a file."""
        return self._address("replay.html", {})

    def page(self, name: str) -> str:
        """One of its pages: `replay`, `result`."""
        return self._address(name, {})

    def _address(self, page: str, query: dict[str, str]) -> str:
        if self.view != PUBLIC:
            query["view"] = str(self.view)
        if self.why:
            query["why"] = self.why
        return f"/hands/{self.hand}/{page}" + (f"?{urlencode(query)}" if query else "")


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as somebody looks at it. `allowed` once what it shows is on record, where it must be;
    `views` are the addresses in the views he may take, with the same purpose where one is needed.
    """

    file: OnFile
    view: View
    to: Addresses
    views: tuple[Addresses, ...]
    recorded: bool
    allowed: bool

    @property
    def words(self) -> Seating:
        """Names and amounts."""
        return seating(self.file.started, self.file.names)

    def tabs(self, page: str) -> list[tuple[str, str, bool]]:
        """The views side by side, as addresses of `page`, with words."""
        return [
            (to.page(page), view_words(to.view, self.words), to.view == self.view)
            for to in self.views
        ]


def looked_at(
    request: Request,
    parts: InService,
    file: Hand,
    view: ViewParameter = "public",
    why: WhyParameter = None,
) -> Look:
    """The hand in a view the visitor may take; a purpose that is missing is asked for."""
    caller, allowed = caller_of(request), True
    try:
        # What another site's link says is asked first: it puts nothing on record in his name.
        taken = seen(request, parts, file, view, None if led_here(request) else why).view
    except PurposeMissing:
        taken, allowed = parse_view(view), False
    purpose = why if allowed else None

    def within(one: View) -> Addresses:
        return Addresses(file.hand, one, purpose if goes_on_record(caller, file, one) else None)

    return Look(
        file=file,
        view=taken,
        to=within(taken),
        views=tuple(map(within, views_for(caller, file))),
        recorded=goes_on_record(caller, file, taken),
        allowed=allowed,
    )


Looked = Annotated[Look, Depends(looked_at)]


def ask_why(request: Request, look: Look) -> Response:
    """Asks what hidden cards are looked at for; nothing of them is shown yet."""
    form = Form(dict(request.query_params))
    if form.value("why") and not led_here(request):
        form.errors["why"] = "write 1 to 200 characters in one line, without anybody's name"
    kept = {name: text for name, text in request.query_params.items() if name != "why"}
    status = 422 if form.errors else 200
    return page(request, "why.html", status, form=form, look=look, kept=kept, view=str(look.view))
