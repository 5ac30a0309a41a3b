"""The roles a key may have."""

from __future__ import annotations

from typing import Literal, get_args

Role = Literal["dealer", "floor", "approver", "auditor", "finance", "player", "admin"]

ROLES: tuple[Role, ...] = get_args(Role)
