"""What is asked of tables: done once, by whom it may be, and no name of anybody in the log."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec.structs import replace

from domain.errors import Refused
from domain.events import ScheduleRef
from domain.house_rules import CARDROOM, ROBERTS, TOPSPOKER
from domain.tables import commands as c
from domain.tables import events as t
from services.embedded import Server
from services.live import By, KeyReused, Live, NotYourSeat
from services.projecting import projector_of
from services.reports import BadCursor, TablesPage, TablesWanted, find_tables
from services.seating import (
    SITE,
    BadTerms,
    TableWanted,
    UnknownPlayer,
    handle,
    open_table,
    player_id,
    terms,
)
from services.seating.terms import HouseRulesWanted, MoneyWanted, ScheduleWanted, StakesWanted
from services.store.room import open_room
from services.tables import UnknownTable, load_table
from tests.conftest import fresh_settings
from tests.support.live import DEALER, FLOOR, keyed, live_in, opened
from tests.support.live_faults import interrupted, interrupted_reading

WANTED = TableWanted(name="A", game="stud", stakes=StakesWanted(small_bet=200))


@pytest.fixture(scope="module")
def live(server: Server) -> Iterator[Live]:
    """One room for the whole file: tables do not meet."""
    with open_room(fresh_settings(server)) as room:
        yield live_in(room)


@pytest.fixture
def table(live: Live) -> UUID:
    """A table nobody sits at."""
    return open_table(live, opened(), FLOOR).loaded.id


def seat(number: int, player: UUID | str | None = None, stack: int = 1000) -> c.TakeSeat:
    return c.TakeSeat(seat=number, player=str(player or uuid4()), stack=stack)


def stored(live: Live, table: UUID) -> list[str]:
    return [fact.type for fact in live.store.load(table)]


# -- terms -----------------------------------------------------------------------------------------


def test_what_is_not_said_of_a_table_is_chosen_by_its_game() -> None:
    table = terms(WANTED)
    assert (table.stakes.big_bet, table.stakes.bring_in, table.stakes.ante) == (400, 100, 0)
    assert (table.money.kind, table.money.currency, table.money.exponent) == ("play", "chips", 0)
    assert (table.house_rules, table.rake_schedule, table.max_seats) == (TOPSPOKER, None, 8)
    assert terms(replace(WANTED, game="stud_hilo")).house_rules == CARDROOM
    assert table.site == SITE


def test_real_money_is_raked_by_the_rooms_schedule() -> None:
    table = terms(replace(WANTED, money=MoneyWanted(kind="real")))
    assert (table.money.currency, table.money.exponent) == ("USD", 2)
    assert table.rake_schedule == ScheduleRef(id="topspoker", version=1)


@pytest.mark.parametrize(
    "named", ["topspoker", "topspoker:1", ScheduleWanted(id="topspoker", version=1)]
)
def test_a_published_schedule_is_named_in_any_way(named: str | ScheduleWanted) -> None:
    table = terms(replace(WANTED, rake_schedule=named))
    assert table.rake_schedule == ScheduleRef(id="topspoker", version=1)


@pytest.mark.parametrize(
    "unfit", [{"name": "a\0b"}, {"name": "\x1b[2J"}, {"name": "x" * 5_000}, {"version": 2**63}]
)
def test_house_rules_that_no_column_and_no_screen_has_a_place_for_open_no_table(
    unfit: dict[str, object],
) -> None:
    told = msgspec.to_builtins(TOPSPOKER) | unfit
    with pytest.raises(BadTerms):
        terms(replace(WANTED, house_rules=msgspec.convert(told, HouseRulesWanted)))


def test_house_rules_are_a_preset_or_given_whole() -> None:
    assert terms(replace(WANTED, house_rules="roberts")).house_rules == ROBERTS
    own = replace(ROBERTS, name="ours", burn_cards=False)
    whole = msgspec.convert(msgspec.to_builtins(own), HouseRulesWanted)
    assert terms(replace(WANTED, house_rules=whole)).house_rules == own


@pytest.mark.parametrize(
    ("wanted", "part"),
    [
        (replace(WANTED, house_rules="nobody's"), "house_rules"),
        (replace(WANTED, rake_schedule="topspoker:9"), "rake_schedule"),
        (replace(WANTED, rake_schedule=ScheduleWanted(id="x", version=1)), "rake_schedule"),
    ],
)
def test_a_name_there_is_nothing_of_is_told_with_those_there_are(
    wanted: TableWanted, part: str
) -> None:
    with pytest.raises(BadTerms) as bad:
        terms(wanted)
    assert bad.value.part == part
    assert any("topspoker" in one for one in bad.value.possible)


# -- opening and asking ----------------------------------------------------------------------------


def test_an_open_table_is_loaded_as_it_was_asked_for(live: Live) -> None:
    asked = replace(opened(), at=None)
    answer = open_table(live, asked, FLOOR)
    loaded = load_table(live.store, answer.loaded.id)
    assert loaded == answer.loaded
    assert replace(loaded.table.opened, at=None) == asked
    assert loaded.table.opened.at is not None


def test_r3_a_table_that_cannot_be_raked_is_not_opened(live: Live) -> None:
    before = live.store.head()
    stakes = replace(opened().stakes, small_bet=300_000, big_bet=600_000, bring_in=150_000)
    with pytest.raises(Refused, match="no band") as refused:
        open_table(live, replace(opened(), stakes=stakes), keyed(FLOOR, "out of band"))
    assert refused.value.rule == "R3"
    assert live.store.head() == before


def test_a_command_is_stored_with_who_asked_and_when(live: Live, table: UUID) -> None:
    handle(live, table, seat(3), replace(DEALER, request_id="a-request"))
    fact = live.store.load(table)[-1]
    assert (fact.actor, fact.request_id, fact.causation) == (DEALER.actor, "a-request", None)
    assert t.decode(fact.state).at is not None


def test_what_the_rules_refuse_leaves_the_table_as_it_was(live: Live, table: UUID) -> None:
    handle(live, table, seat(3), DEALER)
    with pytest.raises(Refused, match="taken"):
        handle(live, table, seat(3), DEALER)
    assert stored(live, table) == ["table_opened.v1", "player_seated.v1"]


def test_what_is_no_table_is_unknown(live: Live) -> None:
    with pytest.raises(UnknownTable):
        handle(live, uuid4(), seat(1), DEALER)


def test_many_at_once_all_find_their_place(live: Live, table: UUID) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: handle(live, table, seat(n), DEALER), range(1, 9)))
    assert [s.seat for s in load_table(live.store, table).table.seats] == [*range(1, 9)]


def test_a_player_sits_out_and_leaves_by_himself_and_does_nothing_else(
    live: Live, table: UUID
) -> None:
    anna = uuid4()
    himself = By(actor=str(uuid4()), role="player", player=anna)
    handle(live, table, seat(1, anna), DEALER)
    handle(live, table, seat(2), DEALER)
    handle(live, table, c.SitOut(seat=1), himself)
    for command in (c.Leave(seat=2), c.AddChips(seat=1, amount=5), seat(3, anna), c.CloseTable()):
        with pytest.raises(NotYourSeat):
            handle(live, table, command, himself)
    handle(live, table, c.Leave(seat=1), himself)
    assert stored(live, table)[-2:] == ["sat_out.v1", "player_left.v1"]


# -- once ------------------------------------------------------------------------------------------


def test_the_same_request_opens_one_table(live: Live) -> None:
    by = keyed(FLOOR, "open once")
    first, again = (open_table(live, opened(), by) for _ in range(2))
    assert first.loaded == again.loaded
    assert (first.repeated, again.repeated) == (False, True)
    another = open_table(live, opened(), keyed(FLOOR, "open another"))
    assert another.loaded.id != first.loaded.id


def test_the_same_request_is_done_once_and_answered_the_same(live: Live, table: UUID) -> None:
    command, by = seat(3), keyed(DEALER, "seat once")
    first = handle(live, table, command, by)
    handle(live, table, c.AddChips(seat=3, amount=5), DEALER)
    again = handle(live, table, command, by)
    assert (again.loaded, again.repeated) == (first.loaded, True)
    assert stored(live, table)[1:] == ["player_seated.v1", "chips_added.v1"]


def test_a_request_sent_twice_at_once_is_done_once(live: Live, table: UUID) -> None:
    by, command = keyed(DEALER, "at once"), c.AddChips(seat=3, amount=5)
    handle(live, table, seat(3), DEALER)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: handle(live, table, command, by), range(4)))
    assert sorted(answer.repeated for answer in answers) == [False, True, True, True]
    assert load_table(live.store, table).table.seats[0].stack == 1005


def test_a_request_that_is_overtaken_by_itself_is_not_refused(live: Live, table: UUID) -> None:
    anna = uuid4()
    by = keyed(By(actor=str(anna), role="player", player=anna), "away")
    for command, asker in ((seat(3, anna), keyed(DEALER, "here")), (c.Leave(seat=3), by)):

        def first(command: c.TableCommand = command, asker: By = asker) -> None:
            handle(live, table, command, asker)

        assert handle(interrupted_reading(live, table, first), table, command, asker).repeated
    assert stored(live, table)[1:] == ["player_seated.v1", "player_left.v1"]


def test_an_opening_that_is_overtaken_by_itself_opens_one_table(live: Live) -> None:
    by = keyed(FLOOR, "open at once")
    slow = interrupted(live, lambda: open_table(live, opened(), by))
    late = open_table(slow, opened(), by)
    assert late.repeated
    assert late.loaded == open_table(live, opened(), by).loaded


def test_a_key_that_stood_for_another_request_is_refused(live: Live, table: UUID) -> None:
    by = keyed(DEALER, "reused")
    handle(live, table, seat(3), by)
    with pytest.raises(KeyReused):
        handle(live, table, seat(4), by)
    by = keyed(FLOOR, "reused opening")
    open_table(live, opened(), by)
    with pytest.raises(KeyReused):
        open_table(live, opened(real=False), by)


def test_the_key_of_another_subject_is_another_key(live: Live, table: UUID) -> None:
    handle(live, table, seat(3), keyed(DEALER, "mine"))
    handle(live, table, seat(4), keyed(FLOOR, "mine"))
    assert stored(live, table)[1:] == ["player_seated.v1"] * 2


# -- people ----------------------------------------------------------------------------------------


def test_a_name_becomes_the_same_opaque_id_each_time(live: Live) -> None:
    anna = player_id(live.room, "anna")
    assert UUID(anna)
    assert player_id(live.room, "anna") == anna == player_id(live.room, anna.upper())
    assert live.room.players.names([anna]) == {anna: "anna"}


def test_an_id_nobody_has_is_no_player(live: Live) -> None:
    with pytest.raises(UnknownPlayer):
        player_id(live.room, str(uuid4()))


def test_no_name_and_no_digest_of_one_is_in_the_log(live: Live, table: UUID) -> None:
    """The digest of a request could be guessed back to the name in it, had it been made of that."""
    by = keyed(DEALER, "named", digest="f" * 64)
    handle(live, table, seat(3, player_id(live.room, "berta")), by)
    fact = live.store.load(table)[-1]
    assert b"berta" not in fact.state
    assert fact.causation is not None
    assert fact.causation.startswith("request sha256:")
    assert "f" * 64 not in fact.causation


# -- finding ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def several(server: Server) -> Iterator[Live]:
    """Three open tables and a closed one."""
    with open_room(fresh_settings(server)) as room:
        live = live_in(room)
        for name in ("Cedar", "Amber", "Birch", "Amber"):
            table = open_table(live, replace(opened(), name=name), FLOOR).loaded.id
            if name == "Birch":
                handle(live, table, c.CloseTable(), FLOOR)
        projector_of(room).catch_up()
        yield live


def found(live: Live, **wanted: object) -> TablesPage:
    return find_tables(live.room.connect, msgspec.convert(wanted, TablesWanted))


def test_open_tables_come_first_each_by_name(several: Live) -> None:
    page = found(several)
    assert [table.name for table in page.tables] == ["Amber", "Amber", "Cedar", "Birch"]
    assert [table.is_open for table in page.tables] == [True, True, True, False]
    assert page.complete_to == several.store.head()


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_page_by_page_every_table_comes_once(several: Live, limit: int) -> None:
    pages = [found(several, limit=limit)]
    while pages[-1].next:
        pages.append(found(several, limit=limit, after=pages[-1].next))
    tables = [table for page in pages for table in page.tables]
    assert tables == list(found(several).tables)


def test_tables_are_found_by_name_id_game_and_whether_they_are_open(several: Live) -> None:
    birch = found(several, is_open=False).tables[0]
    assert [table.id for table in found(several, called=str(birch.id)).tables] == [birch.id]
    assert len(found(several, called="Amber").tables) == 2
    assert len(found(several, is_open=True, game="stud").tables) == 3
    assert found(several, game="stud8").tables == ()


@pytest.mark.parametrize("place", ["", "open", "open~nothing~Amber"])
def test_a_list_goes_on_only_from_a_place_in_it(several: Live, place: str) -> None:
    with pytest.raises(BadCursor):
        found(several, after=place)
