"""What the exports share: which hands are named, and what is said at the end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from services.cli.exits import SOME_REJECTED, USAGE, Stop
from services.cli.finding import of_player
from services.cli.output import counted, note
from services.lookup import find_hand
from services.reports import HandsWanted
from services.store.room import Room
from services.writers import Exported, chosen_hands

Hands = Annotated[
    list[str] | None, typer.Argument(metavar="HAND…", help="ids or site numbers; all if none")
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="at most so many, the newest; all if none")
]


def named(room: Room, hands: Iterable[str]) -> list[UUID]:
    """The hands called so, each once. Raises `UnknownHand` or `AmbiguousHand`."""
    return list(dict.fromkeys(find_hand(room, called).hand for called in hands))


def require_one_way(
    hands: list[str] | None, wanted: HandsWanted, player: str | None, limit: int | None
) -> None:
    """Hands are named, or it is said what they are like. Raises `Stop`."""
    if hands and (player is not None or limit is not None or wanted != HandsWanted()):
        raise Stop("name hands or say what they are like, not both", USAGE)


def wanted_of(
    room: Room,
    hands: list[str] | None,
    wanted: HandsWanted,
    player: str | None,
    limit: int | None,
) -> Iterable[UUID]:
    """The hands named, else those that are like this, the oldest first."""
    return (
        named(room, hands) if hands else chosen_hands(room, of_player(room, wanted, player), limit)
    )


def require_folder(output: Path | None) -> None:
    """A file must have a folder to be in. Raises `Stop`."""
    if output is not None and not output.parent.is_dir():
        raise Stop(f"there is no folder {output.parent}", USAGE)


def tell(result: Exported, output: Path | None, view: str) -> None:
    """What was left out, beside the data; exit 4 if anything was."""
    for refused in result.refused:
        note(f"LEFT OUT {refused.number} ({refused.hand}): {refused.reason}")
    if result.left_out > len(result.refused):
        note(f"{counted(result.left_out - len(result.refused), 'more hand')} left out.")
    where = f": {output}" if output else ""
    note(f"{counted(result.hands, 'hand')} written, view {view}{where}")
    if result.left_out:
        raise typer.Exit(SOME_REJECTED)
