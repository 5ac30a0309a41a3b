"""`studledger tables`: which there are, and one with everybody at it."""

from __future__ import annotations

from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.tables import commands as c
from services.live import Live
from services.seating import handle, open_table, player_id
from services.settings import Settings
from services.store.room import open_room
from services.tables import appending, begun, load_table
from tests.support.cli import CommandLine
from tests.support.live import DEALER, FLOOR, NOON, live_in, opened


@pytest.fixture
def tables(settings: Settings) -> dict[str, UUID]:
    """Amber with a hand on it, Birch closed, and two called Cedar."""
    with open_room(settings) as room:
        live = live_in(room)
        ids = [
            open_table(live, replace(opened(), name=name), FLOOR).loaded.id
            for name in ("Birch", "Cedar", "Cedar", "Amber")
        ]
        handle(live, ids[0], c.CloseTable(), FLOOR)
        _begin(live, ids[3])
    return {"Birch": ids[0], "Cedar": ids[1], "Amber": ids[3]}


def _begin(live: Live, table: UUID) -> None:
    for seat, name in ((2, "anna"), (5, "beno"), (6, "carl")):
        player = player_id(live.room, name)
        handle(live, table, c.TakeSeat(seat=seat, player=player, stack=12_345), DEALER)
    handle(live, table, c.SitOut(seat=6), DEALER)
    loaded = load_table(live.store, table)
    live.store.append([appending(loaded, [begun(loaded, None, NOON)], DEALER.actor)])
    handle(live, table, c.AddChips(seat=2, amount=500), DEALER)
    handle(live, table, c.Leave(seat=5), DEALER)


def test_tables_are_listed_open_ones_first(
    studledger: CommandLine, tables: dict[str, UUID]
) -> None:
    page = studledger("tables", "--format", "json").json
    assert [one["name"] for one in page["tables"]] == ["Amber", "Cedar", "Cedar", "Birch"]
    assert page["next"] is None
    text = studledger("tables").out
    assert "3/8" in text
    assert "2.00/4.00" in text
    assert "in a hand" in text
    assert studledger("tables", "--closed", "--format", "csv").csv[0]["name"] == "Birch"
    assert studledger("tables", "--open", "--limit", "2", "--format", "json").json["next"]


def test_one_table_is_shown_with_everybody_at_it(
    studledger: CommandLine, tables: dict[str, UUID]
) -> None:
    text = studledger("tables", "Amber").out
    number = f"T{tables['Amber'].hex[:8]}-1"
    assert f"hand {number} is being played; 1 hand begun here" in text
    assert "$123.45  disc, in the hand, $5.00 added" in text
    assert "in the hand, leaving" in text
    assert "sitting out" in text
    sheet = studledger("tables", str(tables["Amber"]), "--format", "json").json
    assert [(s["seat"], s["name"]) for s in sheet["seats"]] == [
        (2, "anna"),
        (5, "beno"),
        (6, "carl"),
    ]
    assert sheet["hand"]["number"] == number
    assert [row["stack"] for row in studledger("tables", "Amber", "--format", "csv").csv] == [
        "12345"
    ] * 3


def test_a_closed_table_is_shown_empty(studledger: CommandLine, tables: dict[str, UUID]) -> None:
    text = studledger("tables", "Birch").out
    assert "nobody sits there" in text
    assert "closed; 0 hands begun here" in text


def test_a_table_there_is_not_is_not_found(
    studledger: CommandLine, tables: dict[str, UUID]
) -> None:
    answer = studledger("tables", "Zeder", code=5)
    assert "there is no table Zeder" in answer.err


def test_a_name_of_several_tables_is_a_wrong_question(
    studledger: CommandLine, tables: dict[str, UUID]
) -> None:
    answer = studledger("tables", "Cedar", code=2)
    assert str(tables["Cedar"]) in answer.err
    assert "there is no game" in studledger("tables", "--game", "holdem", code=2).err
