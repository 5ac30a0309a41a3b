"""The tables in `docs/findings.md`, each between a marker and the next empty line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tests.support.mutating.clean import Clean
from tests.support.mutating.rates import (
    change_counts,
    change_table,
    fault_counts,
    fault_table,
    untold_table,
)

PAGE = Path(__file__).parents[3] / "docs" / "findings.md"


def tables(dealt: Sequence[Clean], real: Sequence[Clean]) -> dict[str, str]:
    """Every table by its marker, from all faults and changes of these hands."""
    faults = fault_counts(dealt), fault_counts(real)
    changes = change_counts(dealt), change_counts(real)
    return {
        "faults": "\n".join(fault_table(*faults)),
        "changes": "\n".join(change_table(*changes)),
        "untold": "\n".join(untold_table(*changes)),
    }


def with_tables(page: str, made: dict[str, str]) -> str:
    """The page with these tables in place of the ones it has."""
    for name, table in made.items():
        mark = f"<!-- {name} -->\n"
        assert mark in page, f"the page has a place for {name}"
        page = re.sub(re.escape(mark) + r"(\|.*\n)*", mark + table + "\n", page)
    return page


def rates(page: str) -> dict[str, list[str]]:
    """The cells of the table of faults, by fault."""
    _, _, rest = page.partition("<!-- faults -->\n")
    lines = rest.partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in rows}
