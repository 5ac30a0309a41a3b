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
    "GET /hands/{hand}/result": _as("GET /v1/hands/{hand}/verdict"),
    "GET /rake": _as("GET /v1/rake"),
    "GET /rake/export": _as("GET /v1/rake"),
    "GET /rake/whatif": _as("GET /v1/rake"),
    "POST /rake/whatif": _as("GET /v1/rake"),
    "GET /schedules": _as("GET /v1/rake"),
    "GET /tables": _as("GET /v1/tables"),
    "GET /tables/{table}": _as("GET /v1/tables/{table}"),
    "GET /tables/{table}/now": _as("GET /v1/tables/{table}"),
    "GET /tables/{table}/feed": _as("GET /v1/feed"),
    "GET /log": _as("GET /v1/log/checkpoint"),
    "GET /log/checkpoints/{epoch}/{size}": _as("GET /v1/log/checkpoint"),
    "GET /log/proof": _as("GET /v1/log/proof/{position}"),
    "GET /log/proof/file": _as("GET /v1/log/proof/{position}"),
    "GET /cases": _as("GET /v1/disputes"),
    "GET /cases/new": _as("POST /v1/disputes"),
    "POST /cases": _as("POST /v1/disputes"),
    "GET /cases/{case}": _as("GET /v1/disputes/{dispute}/evidence"),
    "GET /cases/{case}/report": _as("GET /v1/disputes/{dispute}/report"),
    "POST /cases/{case}/bundle": _as("POST /v1/disputes/{dispute}/bundle"),
    "GET /cases/{case}/files/{kept}": _as("GET /v1/disputes/{dispute}"),
    "GET /cases/{case}/rulings": _as("POST /v1/disputes/{dispute}/rulings"),
    "POST /cases/{case}/acknowledge": _as("POST /v1/disputes/{dispute}/acknowledge"),
    "POST /cases/{case}/notes": _as("POST /v1/disputes/{dispute}/notes"),
    "POST /cases/{case}/whatifs": _as("POST /v1/disputes/{dispute}/evidence"),
    "POST /cases/{case}/attachments": _as("POST /v1/disputes/{dispute}/attachments"),
    "POST /cases/{case}/erasures": _as("POST /v1/disputes/{dispute}/erasures"),
    "POST /cases/{case}/rulings": _as("POST /v1/disputes/{dispute}/rulings"),
    "POST /cases/{case}/approvals": _as("POST /v1/disputes/{dispute}/approvals"),
    "POST /cases/{case}/withdrawals": _as("POST /v1/disputes/{dispute}/withdrawals"),
    "POST /cases/{case}/answer": _as("POST /v1/disputes/{dispute}/answer"),
    "POST /cases/{case}/close": _as("POST /v1/disputes/{dispute}/close"),
    "POST /cases/{case}/reopen": _as("POST /v1/disputes/{dispute}/reopen"),
    "POST /cases/{case}/hold": _as("POST /v1/disputes/{dispute}/hold"),
}
"""Every page for which somebody signs in, as `METHOD path`."""
