"""Role by route by view: the one table of who may ask for what. What is not in it is refused.

`docs/access.md` shows the same table to people, and a test walks every route against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from services.access.roles import ROLES, Role

Sight = Literal["public", "own", "seat", "all"]
"""What a role may see a hand with: as everybody at the table, from the player's own seat, from
any seat, or with all cards. `seat` and `all` are for finished hands and go on record.
"""

_AT_THE_TABLE: frozenset[Sight] = frozenset({"public"})
_OWN_SEAT: frozenset[Sight] = frozenset({"public", "own"})
_EVERYTHING: frozenset[Sight] = frozenset({"public", "seat", "all"})

_SIGHTS: Mapping[Role, frozenset[Sight]] = {
    "dealer": _AT_THE_TABLE,
    "floor": _EVERYTHING,
    "approver": _EVERYTHING,
    "auditor": _EVERYTHING,
    "finance": _AT_THE_TABLE,
    "player": _OWN_SEAT,
    "admin": _EVERYTHING,
}


class Entry(msgspec.Struct, frozen=True):
    """Who may call a route, and whether what it shows depends on a view."""

    roles: frozenset[Role]
    viewed: bool = False


_EVERYBODY = frozenset(ROLES)


def _only(*roles: Role) -> Entry:
    """A route for these roles, and for admin as every route."""
    return Entry(frozenset({*roles, "admin"}))


_ANY_KEY = Entry(_EVERYBODY)
_VIEWED = Entry(_EVERYBODY, viewed=True)

OPEN = frozenset({"GET /healthz", "GET /readyz"})
"""Routes that need no key."""

TABLE: Mapping[str, Entry] = {
    "GET /openapi.json": _ANY_KEY,
    "GET /metrics": _only("floor"),
    "GET /v1/hands": _ANY_KEY,
    "GET /v1/hands/{hand}": _ANY_KEY,
    "GET /v1/hands/{hand}/events": _VIEWED,
    "GET /v1/hands/{hand}/replay": _VIEWED,
    "GET /v1/hands/{hand}/pots": _ANY_KEY,
    "GET /v1/hands/{hand}/odd-chips": _VIEWED,
    "GET /v1/hands/{hand}/rake": _ANY_KEY,
    "GET /v1/hands/{hand}/verdict": _VIEWED,
    "GET /v1/hands/{hand}/explain": _VIEWED,
    "GET /v1/hands/{hand}/whatif": _VIEWED,
    "GET /v1/feed": _VIEWED,
    "GET /v1/hands/{hand}/turn": _VIEWED,
    "POST /v1/hands/{hand}/actions": _only("dealer", "player"),
    "POST /v1/hands/{hand}/connection": _only("dealer", "floor"),
    "POST /v1/hands/{hand}/cards": _only("dealer"),
    "POST /v1/hands/{hand}/incidents": _only("dealer", "floor"),
    "POST /v1/hands/{hand}/void": _only("floor"),
    "POST /v1/hands/{hand}/clock": _only("floor"),
    "GET /v1/tables": _ANY_KEY,
    "GET /v1/tables/{table}": _ANY_KEY,
    "POST /v1/tables": _only("floor"),
    "POST /v1/tables/{table}/seats": _only("dealer", "floor"),
    "POST /v1/tables/{table}/chips": _only("dealer", "floor"),
    "POST /v1/tables/{table}/sit-out": _only("dealer", "floor", "player"),
    "POST /v1/tables/{table}/sit-in": _only("dealer", "floor", "player"),
    "POST /v1/tables/{table}/leave": _only("dealer", "floor", "player"),
    "POST /v1/tables/{table}/close": _only("floor"),
    "POST /v1/tables/{table}/hands": _only("dealer"),
    "GET /v1/disputes": _only("floor", "approver", "auditor"),
    "GET /v1/disputes/{dispute}": _only("floor", "approver", "auditor"),
    "GET /v1/disputes/{dispute}/evidence": Entry(
        frozenset({"floor", "approver", "auditor", "admin"}), viewed=True
    ),
    "GET /v1/disputes/{dispute}/report": Entry(
        frozenset({"floor", "approver", "auditor", "admin"}), viewed=True
    ),
    "POST /v1/disputes/{dispute}/evidence": Entry(
        frozenset({"floor", "approver", "admin"}), viewed=True
    ),
    "POST /v1/disputes/{dispute}/bundle": Entry(
        frozenset({"floor", "approver", "auditor", "admin"}), viewed=True
    ),
    "POST /v1/disputes": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/acknowledge": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/notes": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/attachments": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/erasures": _only("approver"),
    "POST /v1/disputes/{dispute}/rulings": _only("floor"),
    "POST /v1/disputes/{dispute}/approvals": _only("approver"),
    "POST /v1/disputes/{dispute}/withdrawals": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/answer": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/close": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/reopen": _only("floor", "approver"),
    "POST /v1/disputes/{dispute}/hold": _only("floor", "approver"),
    "GET /v1/access": _only("auditor"),
    "GET /v1/rake": _only("auditor", "finance"),
    "GET /v1/rake/closes": _only("auditor", "finance"),
    "POST /v1/rake/closes": _only("finance"),
    "GET /v1/ledger/accounts": _only("auditor", "finance"),
    "GET /v1/ledger/sessions": _only("auditor", "finance"),
    "GET /v1/ledger/days/{day}": _only("auditor", "finance"),
    "GET /v1/log/checkpoint": _ANY_KEY,
    "GET /v1/log/consistency": _ANY_KEY,
    "GET /v1/log/proof/{position}": _only("approver", "auditor"),
    "POST /v1/witness/hands": _only("dealer"),
    "GET /v1/witness/suspended": _only("floor"),
    "POST /v1/witness/suspended/{hand}": _only("floor"),
    "POST /v1/exports": Entry(frozenset({"approver", "auditor", "admin"}), viewed=True),
}
"""Every route of the API that needs a key, as `METHOD path`; pages have a table of their own."""


def sights_of(
    role: Role, route: str, table: Mapping[str, Entry] = TABLE
) -> frozenset[Sight] | None:
    """The views a role may call a route with; empty where it has none, None where it may not."""
    entry = table.get(route)
    if entry is None or role not in entry.roles:
        return None
    return _SIGHTS[role] if entry.viewed else frozenset()
