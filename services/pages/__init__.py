"""Pages for people: the same answers as the API gives, made into HTML on the server."""

from services.pages import (
    case,
    case_acting,
    case_files,
    case_opening,
    case_ruling,
    case_supposing,
    cases,
    files,
    live,
    log,
    rake,
    replay,
    result,
    schedule_whatif,
    schedules,
    search,
    sign_in,
)
from services.pages.errors import AsPages

PAGE_ROUTES = (
    files,
    sign_in,
    search,
    cases,
    case_opening,
    case,
    case_acting,
    case_ruling,
    case_supposing,
    case_files,
    replay,
    result,
    rake,
    log,
    live,
    schedules,
    schedule_whatif,
)
"""The modules with pages; each has a `router`, and each page a line in `services.access.PAGES`."""

__all__ = ["PAGE_ROUTES", "AsPages"]
