"""What `replay` and `explain` share: which hand, which view, and a purpose for hidden cards."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.exits import USAGE, Stop
from services.replaying import PUBLIC, View, parse_view

HandArgument = Annotated[str, typer.Argument(metavar="HAND", help="id or the site's number")]
StepOption = Annotated[int | None, typer.Option("--step", help="a step, 1 for the first event")]
ViewOption = Annotated[
    str, typer.Option("--view", metavar="public|seat:N|all", help="whose eyes to see it with")
]
WhyOption = Annotated[
    str | None, typer.Option("--why", help="purpose; needed to see cards that were not shown")
]


def view_of(text: str, why: str | None) -> View:
    """The view, with a purpose if it shows what the table did not see."""
    view = parse_view(text)
    if view != PUBLIC and not (why or "").strip():
        raise Stop(f"view {view} shows hidden cards: say what for with --why", USAGE)
    return view
