"""Working out, at the desk, what would have followed, and keeping it with the case."""

from __future__ import annotations

from fastapi import APIRouter, Response

from services.api import asking, dispute_acts, problems
from services.api.dispute_bodies import Supposition
from services.api.dispute_supposing import keep
from services.pages.case import seen_query
from services.pages.case_acting import AtDesk, Desk
from services.pages.fields import asked
from services.pages.forms import Form
from services.replaying import PUBLIC, parse_view

router = APIRouter(include_in_schema=False)

FIELDS = {"step": "whatif_step", "instead": "instead", "policy": "policy"}
"""What the API calls each part, and what its field is called here."""


@router.post("/cases/{case}/whatifs")
def what_if(at: AtDesk) -> Response:
    """Another decision at a step, or another house rule, from what the page's view shows."""
    view = str(parse_view(at.form.value("view") or str(PUBLIC)))
    shown = seen_query(view, at.form.value("why").strip())
    return at.does(lambda: _keep(at, view), "what-ifs", shown)


def _keep(at: Desk, view: str) -> None:
    """Raises FormError for what cannot be asked."""
    why = at.form.text("why")
    wanted = _supposition(at.form)
    case = dispute_acts.Desk(at.parts.room, at.case, at.by, at.at)
    try:
        keep(at.request, at.parts, case, wanted, view, why or None)
    except problems.BadParameter as wrong:
        error = at.form.refuse(wrong, FIELDS, "instead")
        at.form.errors = {FIELDS.get(name, name): said for name, said in at.form.errors.items()}
        raise error from None


def _supposition(form: Form) -> Supposition:
    step, policy = asked(form, FIELDS["step"], asking.DecisionStep), form.text("policy")
    form.require_no_mistake()
    changes = (policy,) if policy else ()
    return Supposition(step=step, instead=form.text("instead") or None, policy=changes)
