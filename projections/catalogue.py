"""Every projection there is, in the order status shows them."""

from __future__ import annotations

from typing import Any

from projections.adjustments import ADJUSTMENTS
from projections.disputes import DISPUTES
from projections.findings import FINDINGS
from projections.hand_players import HAND_PLAYERS
from projections.hands import HANDS
from projections.odd_chips import ODD_CHIPS
from projections.pots import POTS
from projections.rake_ledger import RAKE_LEDGER
from projections.rake_shares import RAKE_SHARES
from projections.rollups import ROLLUPS
from projections.shape import Projection, StreamProjection
from projections.table_ledger import TABLE_LEDGER
from projections.tables import TABLES

PROJECTIONS: tuple[Projection[Any], ...] = (
    HANDS,
    HAND_PLAYERS,
    POTS,
    ODD_CHIPS,
    RAKE_LEDGER,
    ROLLUPS,
    RAKE_SHARES,
    FINDINGS,
)
"""Those of hands."""

EVERY_PROJECTION: tuple[Projection[Any] | StreamProjection[Any, Any], ...] = (
    *PROJECTIONS,
    TABLES,
    TABLE_LEDGER,
    DISPUTES,
    ADJUSTMENTS,
)
"""All there are, in the order status shows them."""
