"""Role by page by view: who may open which page. What is not in it is refused.

A page is for the roles of the route of the API that tells the same. `docs/access.md` shows the
table to people, and a test walks every page against it.
"""

from __future__ import annotations

from collections.abc import Mapping

from services.access.rules import TABLE, Entry

OPEN_PAGES = frozenset(
    {
        "GET /",
        "GET /sign-in",
        "GET /sign-in/{token}",
        "POST /sign-in",
        "GET /static/{name}",
    }
)
"""Pages for which nobody signs in."""

_ANYBODY = TABLE["GET /v1/hands"]


def _as(route: str) -> Entry:
    """For whom, and in which views, the route of the API is."""
    return TABLE[route]


PAGES: Mapping[str, Entry] = {
    "POST /sign-out": _ANYBODY,
    "GET /hands": _as("GET /v1/hands"),
    "GET /hands/{hand}/replay": _as("GET /v1/hands/{hand}/replay"),
    "GET /hands/{hand}/replay.html": _as("GET /v1/hands/{hand}/replay"),
    "GET /rake": _as("GET /v1/rake"),
    "GET /rake/export": _as("GET /v1/rake"),
    "GET /log": _as("GET /v1/log/checkpoint"),
    "GET /log/checkpoints/{epoch}/{size}": _as("GET /v1/log/checkpoint"),
    "GET /log/proof": _as("GET /v1/log/proof/{position}"),
    "GET /log/proof/file": _as("GET /v1/log/proof/{position}"),
}
"""Every page for which somebody signs in, as `METHOD path`."""
