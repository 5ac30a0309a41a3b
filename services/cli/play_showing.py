"""How a play of bots is told: table by table, and all together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.amounts import decimal_words
from services.cli.output import counted, emit_table, say
from services.playing import Played, TableTally
from services.playing.tally import part

COUNTS = (
    "hands", "actions", "time_outs", "disconnects", "refusals", "retries", "errors", "bought_in",
    "rake", "ended",
)  # fmt: skip
COLUMNS = ("table", "name", *COUNTS, "p50_ms", "p99_ms", "conserved")
AMOUNTS = ("bought_in", "rake", "ended")
SHOWN = ("table", "hands", "actions", "refusals", "errors", "p50 ms", "p99 ms", "bought in",
         "rake", "at the end", "chips")  # fmt: skip
MOST_ROWS = 20
"""More tables are not shown one by one, unless something is wrong with them."""


def row(table: TableTally) -> dict[str, Any]:
    """Everything about a table, in the order of `COLUMNS`; amounts are cents."""
    return {
        "table": table.table,
        "name": table.name,
        **{name: getattr(table, name) for name in COUNTS},
        **_times(table.latencies),
        "conserved": table.conserved,
    }


def cells(table: TableTally) -> list[Any]:
    """The same for CSV, amounts as decimals."""
    told = row(table)
    return [decimal_words(told[one], 2) if one in AMOUNTS else told[one] for one in COLUMNS]


def as_json(played: Played) -> dict[str, Any]:
    """The whole play."""
    return {
        **{name: played.total(name) for name in COUNTS},
        **_times(played.latencies),
        "seconds": round(played.seconds, 3),
        "conserved": played.conserved,
        "tables": [row(table) for table in played.tables],
    }


def tell(played: Played) -> None:
    """For people."""
    wrong = [table for table in played.tables if table.errors or not table.conserved]
    told = wrong if len(played.tables) > MOST_ROWS else played.tables
    rows = [_cells(table.name, row(table)) for table in told]
    emit_table(SHOWN, [*rows, _cells("all", as_json(played))], right=SHOWN[1:-1], spare=_SPARE)
    pace = played.total("actions") / played.seconds if played.seconds else 0
    what = f"{counted(played.total('hands'), 'hand')} in {played.seconds:.1f} s"
    more = ", ".join(
        f"{played.total(name)} {words}" for name, words in _ALSO.items() if played.total(name)
    )
    say(f"{what}, {pace:.0f} actions a second{': ' if more else ''}{more}")


_SPARE = ("at the end", "rake", "bought in")
_ALSO = {
    "time_outs": "turns ran out",
    "disconnects": "connections lost",
    "retries": "requests sent again",
}


def _cells(name: str, told: dict[str, Any]) -> Sequence[str]:
    times = ["" if told[one] is None else f"{told[one]:.1f}" for one in ("p50_ms", "p99_ms")]
    counts = [str(told[one]) for one in ("hands", "actions", "refusals", "errors")]
    chips = [decimal_words(told[one], 2) for one in AMOUNTS]
    return (name, *counts, *times, *chips, "conserved" if told["conserved"] else "NOT CONSERVED")


def _times(latencies: Sequence[float]) -> dict[str, float | None]:
    parts = {"p50_ms": part(latencies, 50), "p99_ms": part(latencies, 99)}
    return {name: time if time is None else round(time * 1e3, 1) for name, time in parts.items()}
