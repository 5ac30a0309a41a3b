"""The route of rake reports."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from services.api import asking
from services.api.accepting import BEANCOUNT, CSV, JSON, LINES, PARQUET, XLSX, chosen
from services.api.answers import answer, as_file, streamed_lines
from services.api.asking import MOST, readable, said
from services.api.bodies import RakeAnswer
from services.api.describing import answers
from services.api.parts import InService, Parts
from services.lookup import players_called
from services.reports import (
    DIMENSIONS,
    METHODS,
    PREVIOUS,
    RakeLine,
    RakeReport,
    RakeWanted,
    compared_with,
    dimensions,
    gaming_day_start,
    methods,
    rake_parquet,
    rake_report,
)
from services.reports.rake_beancount import rake_beancount
from services.reports.rake_cells import Names
from services.reports.rake_csv import rake_csv
from services.reports.rake_wanted import UTC, zone_of

router = APIRouter(tags=["rake"])

FILES: dict[str, dict[str, Any]] = {
    CSV: {
        "schema": {"type": "string"},
        "example": "day,currency,hands,pot,rake,rake_per_100_hands,effective_percentage\n"
        "2026-01-10,USD,200,9812.00,361.50,180.75,3.6843\n",
    },
    XLSX: {"schema": {"type": "string", "format": "binary"}},
    PARQUET: {"schema": {"type": "string", "format": "binary"}},
    BEANCOUNT: {"schema": {"type": "string"}},
}
"""Forms for other programs, as OpenAPI describes them."""

By = Annotated[
    Annotated[str, Field(max_length=200)],
    said("rake cannot be reported by this", *DIMENSIONS),
    readable(dimensions),
    Query(description=f"Any of {', '.join(DIMENSIONS)}, with commas."),
]
Zone = Annotated[
    Annotated[str, Field(max_length=64)],
    said("the IANA database has no such time zone", UTC, "America/New_York", "Europe/London"),
    readable(zone_of),
    Query(description="Whose days they are: Europe/London."),
]
Start = Annotated[
    str,
    readable(gaming_day_start),
    Query(alias="gaming_day_start", description="When a day begins there, such as 06:00."),
]
Top = Annotated[
    Annotated[int, Field(ge=1, le=MOST)] | None,
    said(f"write a whole number from 1 to {MOST}", f"1 to {MOST}"),
    Query(description="Of each day or month only so many lines, the most raked."),
]

Currency = Annotated[asking.Short | None, Query(description="Only this currency, such as USD.")]
Attribution = Annotated[
    Annotated[str, Field(max_length=200)],
    said("there is no such method of attribution", *METHODS),
    readable(methods),
    Query(description=f"What players bear by {', '.join(METHODS)} as well, with commas."),
]
Compare = Annotated[
    Annotated[str, Field(max_length=20)] | None,
    said("there is one word for a period", PREVIOUS),
    Query(description=f"`{PREVIOUS}`: beside the figures of the period as long just before."),
]
CompareFrom = Annotated[
    asking.Day | None, asking.DAY, Query(description="Beside another period: its first day.")
]
CompareTo = Annotated[asking.Day | None, asking.DAY, Query(description="Its last day.")]


def wanted(
    parts: InService,
    by: By = "",
    from_day: asking.FirstDay = None,
    to_day: asking.LastDay = None,
    time_zone: Zone = UTC,
    day_start: Start = "00:00",
    table: asking.Table = None,
    game: asking.OneGame = None,
    player: asking.Player = None,
    schedule: asking.Schedule = None,
    currency: Currency = None,
    attribution: Attribution = "",
    compare: Compare = None,
    compare_from: CompareFrom = None,
    compare_to: CompareTo = None,
    top: Top = None,
) -> RakeWanted:
    """The question asked. Raises a problem for days in the wrong order."""
    asking.in_order(from_day, to_day)
    return RakeWanted(
        by=dimensions(by),
        from_day=from_day,
        to_day=to_day,
        time_zone=time_zone,
        gaming_day_start=gaming_day_start(day_start),
        table=table,
        game=game,
        players=None if player is None else players_called(parts.room, player),
        schedule=schedule,
        currency=currency,
        attribution=methods(attribution),
        compared=compared_with((from_day, to_day), compare, (compare_from, compare_to)),
        top=top,
    )


@router.get(
    "/v1/rake",
    summary="Report rake",
    **answers(RakeAnswer, lines=RakeLine, files=FILES),
)
def report(
    request: Request, parts: InService, wanted: Annotated[RakeWanted, Depends(wanted)]
) -> Response:
    """Hands, matched pot and rake of real-money hands; every sum is one of the ledger's.

    CSV, XLSX and Parquet are what `studledger rake report` writes: decimal amounts, players with
    their names, no totals. Beancount text has a transaction a line, players by their ids.
    """
    form = chosen(request, *forms())
    found, names = reported(parts, wanted)
    return in_form(form, found, wanted, names)


def forms() -> tuple[str, ...]:
    """What a report can be had as; Parquet only where its library is there."""
    extra = (PARQUET,) if rake_parquet.is_possible() else ()
    return (JSON, LINES, CSV, XLSX, *extra, BEANCOUNT)


def reported(parts: Parts, wanted: RakeWanted) -> tuple[RakeReport, Names]:
    """The report, and the names of the players in it. Raises BadRakeQuestion."""
    published = {f"{name}:{version}" for name, version in parts.room.schedules}
    found = rake_report(parts.room.connect, wanted, published)
    players = {line.player for line in found.lines if line.player is not None}
    return found, parts.room.players.names(players)


def in_form(form: str, found: RakeReport, wanted: RakeWanted, names: Names) -> Response:
    """The report as one of `forms`. Raises BadRakeQuestion if beancount has no word for it."""
    if form == LINES:
        return streamed_lines(found.lines)
    if form == JSON:
        return answer(_document(found, wanted, names))
    return _file(form, found, wanted, names)


def _file(form: str, found: RakeReport, wanted: RakeWanted, names: Names) -> Response:
    if form == CSV:
        return as_file(rake_csv(found, wanted, names), CSV, "rake.csv")
    if form == BEANCOUNT:
        return as_file(rake_beancount(found, wanted), BEANCOUNT, "rake.beancount")
    if form == PARQUET:
        content = rake_parquet.rake_parquet(found, wanted, names)
        return as_file(content, PARQUET, "rake.parquet")
    # Only here: what workbooks are made with takes a while to load.
    from services.reports.rake_xlsx import rake_workbook

    return as_file(rake_workbook(found, wanted, names), XLSX, "rake.xlsx")


def _document(found: RakeReport, wanted: RakeWanted, names: Names) -> RakeAnswer:
    return RakeAnswer(
        by=wanted.by,
        from_day=wanted.from_day,
        to_day=wanted.to_day,
        time_zone=wanted.time_zone,
        gaming_day_start=f"{wanted.gaming_day_start:%H:%M}",
        compared=wanted.compared,
        lines=found.lines,
        house=found.house,
        players=dict(names),
        complete_to=found.complete_to,
        log_at=found.log_at,
    )
