"""`export pojeu`: one XML file per hand for the French regulator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from services.cli.export_parts import (
    Hands,
    Limit,
    require_folder,
    require_one_way,
    tell,
    wanted_of,
)
from services.cli.finding import (
    FindingsOption,
    FromDay,
    GameOption,
    MinPot,
    PlayerOption,
    TableOption,
    ToDay,
    wanted_hands,
)
from services.cli.output import counting, note
from services.cli.rooms import current_room
from services.cli.viewing import WhyOption, view_of
from services.replaying import ALL
from services.settings import load_settings
from services.writers.pojeu import export_pojeu, operator_of, schema_in

Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="DIR|FILE.zip", help="the folder or archive")
]
Mapping = Annotated[
    Path | None, typer.Option("--mapping", metavar="FILE.toml", help="operator and players")
]
OperatorId = Annotated[
    str | None, typer.Option("--operator", metavar="NNNN", help="IDOper, four digits")
]
Vault = Annotated[int | None, typer.Option("--vault", min=0, help="IDCoffre")]


def pojeu(
    output: Output,
    hands: Hands = None,
    table: TableOption = None,
    player: PlayerOption = None,
    game: GameOption = None,
    from_: FromDay = None,
    to: ToDay = None,
    min_pot: MinPot = None,
    findings: FindingsOption = False,
    limit: Limit = None,
    why: WhyOption = None,
    mapping: Mapping = None,
    operator: OperatorId = None,
    vault: Vault = None,
) -> None:
    """Write finished real-money hands as POJEU, one XML file each, with all their cards.

    What a file says of operator and players is in a TOML file. A hand that cannot be told is
    left out and named; then the exit code is 4.
    """
    wanted = wanted_hands(table, game, from_, to, min_pot, findings)
    require_one_way(hands, wanted, player, limit)
    require_folder(output)
    view_of(str(ALL), why)
    settings = load_settings()
    reporting = operator_of(mapping or settings.pojeu_file, operator, vault)
    schema = schema_in(settings.schema_dir)
    with current_room(settings) as room, counting("hands written") as progress:
        chosen = wanted_of(room, hands, wanted, player, limit)
        result = export_pojeu(
            room, chosen, output, operator=reporting, why=why, schema=schema, progress=progress
        )
    if schema is None:
        note("Not compared with the regulator's schema: STUDLEDGER_SCHEMA_DIR is not set.")
    tell(result, output, str(ALL))
