"""Working out, at the desk, what would have followed, and keeping it with the case."""

from __future__ import annotations

from fastapi import APIRouter, Response

from domain.whatif import NotADecision
from domain.whatif.policies import BadPolicy
from services.api import asking
from services.api.disputes import record_seen
from services.disputes import keep_what_if, load_case
from services.disputes.supposing import Supposed
from services.pages.case import seen_query
from services.pages.case_acting import AtDesk, Desk
from services.pages.fields import asked
from services.pages.forms import FormError
from services.replaying import PUBLIC, View, parse_view
from services.whatif import BadAsk

router = APIRouter(include_in_schema=False)


@router.post("/cases/{case}/whatifs")
def what_if(at: AtDesk) -> Response:
    """Another decision at a step, or another house rule, from what the page's view shows."""
    view, why = parse_view(at.form.value("view") or str(PUBLIC)), at.form.text("why")
    return at.does(lambda: _keep(at, view, why), "what-ifs", seen_query(str(view), why))


def _keep(at: Desk, view: View, why: str) -> None:
    """Raises FormError for what cannot be asked."""
    supposed = _supposed(at)
    if view != PUBLIC:
        hand = load_case(at.parts.room.store, at.case).case.opened.hand
        record_seen(at.request, at.parts, hand, str(view), why or f"dispute {at.case}")
    try:
        keep_what_if(at.parts.room, at.case, supposed, at.by, view, at=at.at)
    except BadAsk as bad:
        raise FormError(at.form, "instead", str(bad)) from None
    except BadPolicy as bad:
        raise FormError(at.form, "policy", str(bad)) from None
    except NotADecision as no:
        steps = ", ".join(map(str, no.decisions))
        raise FormError(at.form, "whatif_step", f"{no}: {steps}") from None


def _supposed(at: Desk) -> Supposed:
    form = at.form
    step, instead = asked(form, "whatif_step", asking.DecisionStep), form.text("instead")
    policy = form.text("policy")
    if not instead and not policy:
        form.errors["instead"] = "say what is to be different"
    if bool(instead) != (step is not None) and not form.errors:
        form.errors["whatif_step"] = "a decision needs both its step and what is done instead"
    form.require_no_mistake()
    return Supposed(step=step, instead=instead or None, policies=(policy,) if policy else ())
