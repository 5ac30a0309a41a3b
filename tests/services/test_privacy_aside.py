"""What lies aside of a player is found when he is erased, and kept while somebody is held."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain import events as e
from services.privacy.erasing import erase
from services.privacy.holds import set_hold
from services.privacy.retention import retention
from services.privacy.telling import told
from services.projecting import projector_of
from services.store.port import Append, Text, facts
from services.store.room import Room
from services.store.texts import Rejected
from services.witness.aside import Aside
from services.witness.lines import Posted
from tests.support.projected import tell
from tests.support.told_hands import quiet_hand

WHY = "request 12"
SENDER = UUID(int=7)


def started(player: str, currency: str = "USD") -> e.HandStarted:
    """A hand in which somebody sits at the first seat."""
    start = quiet_hand()[0]
    assert isinstance(start, e.HandStarted)
    first, *others = start.seats
    seats = (replace(first, player=player), *others)
    return replace(start, seats=seats, money=replace(start.money, currency=currency))


def player_called(room: Room, name: str) -> str:
    return room.players.resolve("elsewhere", [name])[name]


def kept_aside(room: Room, hand: UUID, event: e.HandEvent, *, released: bool) -> None:
    aside = Aside(room.pool)
    line = Posted(line=1, called=str(hand), n=1, event=event)
    aside.keep(hand, SENDER, [(line, "not its turn")])
    if released:
        aside.release([one.id for one in aside.held(hand)], SENDER)


def hands_aside(room: Room) -> set[UUID]:
    with room.connect() as connection:
        return {hand for (hand,) in connection.execute("select hand from posted_aside")}


@pytest.fixture
def unheard_of(room: Room) -> tuple[str, UUID]:
    """A player, and a hand of his that no read model could take in, with the text it came in."""
    player, hand = player_called(room, "René"), uuid4()
    text = Text(body="Seat 1: René".encode(), format="jsonl", file="x", line=1)
    events = facts([started(player, "U\0D"), *quiet_hand()[1:]])
    room.store.append(
        [Append(stream=hand, expected=0, facts=events, actor="t", texts=(text,), secret=True)]
    )
    projector_of(room).catch_up()
    assert [one.hand for one in projector_of(room).set_aside()] == [hand]
    return player, hand


def test_a_hand_that_is_in_no_report_is_erased_told_and_held_like_any_other(
    room: Room, unheard_of: tuple[str, UUID]
) -> None:
    player, hand = unheard_of
    lines = list(told(room, player))
    assert {line["hand"] for line in lines if line["kind"] in ("hand", "text")} == {hand}
    later = datetime.now(UTC) + timedelta(days=5_000)
    set_hold(room, "player", player, WHY)
    texts = next(old for old in retention(room, apply=False, now=later) if old.kind == "texts")
    assert (texts.erased, texts.held) == (0, 1)


def test_its_text_goes_with_him(room: Room, unheard_of: tuple[str, UUID]) -> None:
    player, hand = unheard_of
    found = erase(room, player, WHY)
    assert (found.hands, found.erased["texts"], found.erased["names"]) == (1, 1, 1)
    assert room.texts.of(hand) == ()


def test_lines_aside_go_by_hand_by_id_and_by_name_once_they_are_released(room: Room) -> None:
    player = player_called(room, "anna")
    his = tell(room, [started(player), *quiet_hand()[1:]])
    projector_of(room).catch_up()
    by_id, by_name, waiting, others = (uuid4() for _ in range(4))
    kept_aside(room, his, e.Folded(seat=1), released=True)
    kept_aside(room, by_id, started(player), released=True)
    kept_aside(room, by_name, started("anna"), released=True)
    kept_aside(room, others, started("annabel"), released=True)
    kept_aside(room, waiting, started("anna"), released=False)
    found = erase(room, player, WHY)
    assert (found.erased["aside"], found.left["aside"]) == (3, 1)
    assert hands_aside(room) == {waiting, others}


def test_lines_aside_grow_old_unless_their_hand_waits_or_is_held(room: Room) -> None:
    over, waiting, held = (uuid4() for _ in range(3))
    for hand in (over, waiting, held):
        kept_aside(room, hand, e.Folded(seat=1), released=hand != waiting)
    set_hold(room, "hand", str(held), WHY)
    for days, left in ((3_650, {over, waiting, held}), (3_655, {waiting, held})):
        at = datetime.now(UTC) + timedelta(days=days)
        found = {old.kind: old for old in retention(room, apply=True, now=at)}
        assert found["aside"].erased == (days > 3_653)
        assert hands_aside(room) == left


def test_a_record_in_quarantine_is_found_however_it_spells_his_name(room: Room) -> None:
    player = player_called(room, "René")
    told_of = [
        name.encode(code) for code in ("utf-8", "cp1252", "utf-16-le") for name in ("«René»",)
    ]
    bodies = [*told_of, rb'{"player":"Ren\u00e9"}', b"Rene"]
    room.quarantine.put(
        [Rejected(file="f", line=n, reader="r", reason="r", body=b) for n, b in enumerate(bodies)]
    )
    assert erase(room, player, WHY).erased["quarantine"] == 4
    assert [one.body for one in room.quarantine.page()] == [b"Rene"]
