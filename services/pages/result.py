"""How a hand came out: every chip from ante to payout, the verdict, its proof, and what if."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from domain.ruled import as_ruled
from services.api import sheets
from services.api.parts import InService
from services.explaining import Explanation, Section, explain
from services.pages.looking import Looked, ask_why
from services.pages.proof_shown import NotProven, Proven, proven
from services.pages.rendering import page, see_other
from services.pages.whatif_asked import LABELS, asked_what_if
from services.replaying.pot_ledger import Account, pot_ledger
from services.replaying.seating import Seating

router = APIRouter(include_in_schema=False)

Typed = Annotated[str | None, Query(max_length=200)]
WHY_SO = frozenset({"pots", "rake", "corrections", "void"})
"""What an explanation says about the payout."""


@router.get("/hands/{hand}/result")
def result_page(
    request: Request,
    parts: InService,
    look: Looked,
    step: Typed = None,
    instead: Typed = None,
    policy: Typed = None,
    schedule: Typed = None,
) -> Response:
    """The result; with `step` and `instead`, `policy` or `schedule`, beside it what if."""
    typed = {"step": step, "instead": instead, "policy": policy, "schedule": schedule}
    given = {name: text for name, text in typed.items() if text is not None}
    if not all(given.values()):
        return see_other(look.to.result(**{name: text for name, text in given.items() if text}))
    if not look.allowed:
        return ask_why(request, look)
    file = look.file
    ledger, asked = pot_ledger(file.events), asked_what_if(look, given)
    explained = explain(str(file.hand), file.events, None, look.view, file.names)
    found = proven(parts.room, file, len(file.facts))
    return page(
        request,
        "result.html",
        422 if asked.form.errors else 200,
        look=look,
        started=file.started,
        tabs=look.tabs("result"),
        ledger=ledger,
        heads=[_head(account, look.words) for account in ledger.accounts],
        pots=sheets.pots_of_hand(file).pots,
        explained=explained,
        why=_why_so(explained),
        ruled=as_ruled(file.events),
        asked=asked,
        labels=LABELS,
        proven=found if isinstance(found, Proven) else None,
        refused=found if isinstance(found, NotProven) else None,
    )


def _head(account: Account, words: Seating) -> str:
    """What a column of the ledger is called."""
    return words.subject(account) if isinstance(account, int) else f"The {account}"


def _why_so(explained: Explanation) -> list[Section]:
    return [part for part in explained.sections if part.about in WHY_SO]
