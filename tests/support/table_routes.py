"""A valid question for each route of tables, for whoever walks all routes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from domain.tables import events as t
from services.api.table_bodies import OPENING
from services.live import Live
from services.tables import appending, load_table
from tests.support.live import table_with

OF_TABLES: dict[str, dict[str, Any]] = {
    "POST /v1/tables": OPENING,
    "POST /v1/tables/{table}/seats": {"seat": 5, "player": "anna", "stack": 20000},
    "POST /v1/tables/{table}/chips": {"seat": 2, "amount": 500},
    "POST /v1/tables/{table}/sit-out": {"seat": 2},
    "POST /v1/tables/{table}/sit-in": {"seat": 2},
    "POST /v1/tables/{table}/leave": {"seat": 2},
    "POST /v1/tables/{table}/close": {},
    "POST /v1/tables/{table}/hands": {"dealer": 2},
}
"""What is sent by route."""


def table_for(live: Live, route: str, who: UUID) -> UUID:
    """A new table at which the route has something to do, with `who` at seat 2."""
    table = table_with(live, {1: 10_000, 2: 10_000}, players={2: who})
    if route.endswith("/sit-in"):
        loaded = load_table(live.store, table)
        live.store.append([appending(loaded, [t.SatOut(seat=2)], "floor")])
    return table
