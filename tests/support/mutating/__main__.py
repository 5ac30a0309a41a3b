"""`python -m tests.support.mutating` counts everything and writes the tables of the page."""

from __future__ import annotations

import sys

from tests.support.mutating.clean import dealt_hands, real_hands
from tests.support.mutating.page import PAGE, tables, with_tables


def main() -> None:
    real = list(real_hands())
    if not real:
        sys.exit("the real hands of ../shared/corpus are not here")
    page = PAGE.read_text("utf-8")
    PAGE.write_text(with_tables(page, tables(list(dealt_hands()), real)), "utf-8")


main()
