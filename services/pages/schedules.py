"""Rake schedules as charts to read: every version, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from fastapi import APIRouter, Request, Response

from domain.schedules import Schedule
from services.api.parts import InService, Parts
from services.pages.rendering import page
from services.schedules import Difference, differences
from services.schedules.differing import stakes_words

router = APIRouter(include_in_schema=False)


class Shown(msgspec.Struct, frozen=True):
    """A schedule, the stakes of each band in words, and what its version before said else."""

    schedule: Schedule
    stakes: tuple[str, ...]
    changed: tuple[Difference, ...]


@router.get("/schedules")
def schedules_page(request: Request, parts: InService) -> Response:
    """Every schedule there is, the newest version of each first."""
    return page(request, "schedules.html", shown=tuple(_shown(parts)))


def _shown(parts: Parts) -> Iterator[Shown]:
    known = dict(parts.room.schedules)
    for name, version in sorted(known, key=lambda one: (one[0], -one[1])):
        schedule, before = known[name, version], known.get((name, version - 1))
        yield Shown(
            schedule,
            tuple(", ".join(stakes_words(band, schedule)) for band in schedule.bands),
            differences(before, schedule) if before else (),
        )
