"""`explain`: why a hand, or one step of it, came out as it did."""

from __future__ import annotations

from services.cli.exits import USAGE, Stop
from services.cli.output import Format, FormatOption, emit_json, say
from services.cli.rooms import current_room
from services.cli.viewing import HandArgument, StepOption, ViewOption, WhyOption, open_seen, view_of
from services.explaining import as_text
from services.explaining import explain as explain_hand


def explain(
    hand: HandArgument,
    step: StepOption = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say why: openers, legal actions and their limits, pots, odd chips, rake, with rule ids."""
    if form not in {Format.TABLE, Format.JSON}:
        raise Stop("an explanation has the formats table and json", USAGE)
    seen = view_of(view, why)
    with current_room() as room:
        file = open_seen(room, hand, seen, why)
        explanation = explain_hand(str(file.hand), file.events, step, seen, file.names)
    if form is Format.JSON:
        emit_json(explanation)
    else:
        say(as_text(explanation).rstrip())
