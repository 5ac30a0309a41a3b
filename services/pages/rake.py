"""What the house took: by day, stakes, game, player and the rest, drawn, as a table, as a file."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from domain.games import GAMES
from domain.house_rules import ALL_GAMES
from services.api import problems
from services.api.accepting import CSV, JSON, PARQUET, XLSX
from services.api.parts import InService, Parts
from services.api.rake import forms, in_form, reported
from services.pages.forms import Form, FormError
from services.pages.rake_asked import RakeForm, address, mistake, wanted_of
from services.pages.rake_shown import parts_of_report
from services.pages.rendering import Complete, page, see_other
from services.reports import DIMENSIONS, BadRakeQuestion, RakeReport, RakeWanted
from services.reports.rake_cells import Names
from services.reports.rake_wanted import TIMES

router = APIRouter(include_in_schema=False)

FILES = {"csv": CSV, "xlsx": XLSX, "json": JSON, "parquet": PARQUET}
LABELS = {
    "by": "By", "from": "From", "to": "To", "time_zone": "Time zone", "table": "Table",
    "gaming_day_start": "Days begin at", "game": "Game", "player": "Player", "top": "Most raked",
    "schedule": "Schedule", "currency": "Currency", "attribution": "Attributed by",
    "compare": "Compare", "compare_from": "Compare from", "compare_to": "Compare to",
}  # fmt: skip
CHOICES = {
    "games": (("", "all games"), *((game, GAMES[game].title) for game in ALL_GAMES)),
    "comparisons": (("", "with nothing"), ("previous", "with as long before")),
    "labels": LABELS,
}
FIRST_FIELDS = {"by", "from", "to", "game", "table", "player", "compare"}
"""What is asked for without asking for more."""

FileForm = Annotated[Literal["csv", "xlsx", "json", "parquet"], Query(alias="form")]


@router.get("/rake")
def rake_page(request: Request, parts: InService, form: RakeForm) -> Response:
    """The report asked for; rake by day if nothing is."""
    if not all(request.query_params.values()):
        return see_other(address("/rake", dict(request.query_params)))
    try:
        found, wanted, names = _asked(parts, form)
    except FormError:
        return _page(request, form, 422)
    return _page(
        request,
        form,
        found=parts_of_report(found, wanted, names),
        wanted=wanted,
        complete=Complete(found.complete_to, max(0, found.log_at - found.complete_to)),
    )


@router.get("/rake/export")
def export(parts: InService, form: RakeForm, kind: FileForm) -> Response:
    """The same report as a file, as `GET /v1/rake` gives it."""
    if FILES[kind] not in forms():
        raise problems.bad_parameter("form", "this form needs an extra library", tuple(FILES))
    try:
        found, wanted, names = _asked(parts, form)
    except FormError as wrong:
        said = [problems.wrong(name, text) for name, text in wrong.form.errors.items()]
        raise problems.bad_parameters(said) from None
    answer = in_form(FILES[kind], found, wanted, names)
    answer.headers["Content-Disposition"] = f'attachment; filename="rake.{kind}"'
    return answer


def _asked(parts: Parts, form: Form) -> tuple[RakeReport, RakeWanted, Names]:
    """The report a form asks for. Raises FormError."""
    wanted = wanted_of(parts, form)
    try:
        return (found := reported(parts, wanted))[0], wanted, found[1]
    except BadRakeQuestion as bad:
        raise mistake(form, bad) from None


def _page(request: Request, form: Form, status: int = 200, **shown: object) -> Response:
    query = dict(request.query_params)
    return page(
        request,
        "rake.html",
        status,
        form=form,
        tabs=[
            (_by(query, name), name.capitalize(), form.value("by") == name) for name in DIMENSIONS
        ],
        files=[
            (address("/rake/export", query | {"by": form.value("by"), "form": kind}), kind.upper())
            for kind, media_type in FILES.items()
            if media_type in forms()
        ],
        asked_for=[
            (words, query[name]) for name, words in LABELS.items() if name in query and name != "by"
        ],
        more=bool(form.errors) or not set(query) <= FIRST_FIELDS,
        **CHOICES,
        **({"found": None} | shown),
    )


def _by(query: dict[str, str], name: str) -> str:
    """The same question by something else; times of two periods are not the same."""
    if name in TIMES:
        query = {key: text for key, text in query.items() if not key.startswith("compare")}
    if name != "player" and "player" not in query:
        query = {key: text for key, text in query.items() if key != "attribution"}
    return address("/rake", query | {"by": name})
