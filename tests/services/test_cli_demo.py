"""The demonstration: its six arranged hands show what their titles say, and are stored once."""

from __future__ import annotations

import httpx2
import pytest

from domain import events as e
from domain.games import GAMES
from domain.house_rules import ALL_GAMES
from domain.units import Street
from domain.verdict import judge
from services.cli.demo import GUESTS, ROOM
from services.demo.arranged import ARRANGED, arranged_hands
from services.demo.hands import table_hands
from services.embedded import Server
from services.settings import Settings
from tests.support.cli import CommandLine, forget_published, forget_room, started

HANDS = {hand.number: hand.events for hand in arranged_hands()}


def of(number: str, kind: type[e.Event]) -> list[e.HandEvent]:
    return [event for event in HANDS[number] if isinstance(event, kind)]


def streets(number: str) -> dict[Street, list[e.HandEvent]]:
    """What happened on each street, from its opener on."""
    rounds: dict[Street, list[e.HandEvent]] = {}
    street: Street | None = None
    for event in HANDS[number]:
        if isinstance(event, e.BettingOpened):
            street = event.street
        if street is not None:
            rounds.setdefault(street, []).append(event)
    return rounds


def test_every_arranged_hand_has_a_title_and_was_played_by_the_rules() -> None:
    assert list(HANDS) == [hand.number for hand in ARRANGED]
    assert all(hand.title for hand in ARRANGED)
    assert {judge(events).verdict for events in HANDS.values()} == {"clean"}


def test_an_odd_chip_on_a_tied_low_in_a_main_and_a_side_pot_split_high_and_low() -> None:
    awards = of("D00001", e.PotAwarded)
    assert [(award.pot, award.half) for award in awards] == [
        *((0, "high"), (0, "low"), (1, "high"), (1, "low")),
    ]
    main_low = awards[1]
    assert [(share.seat, share.odd) for share in main_low.shares] == [(1, 1), (3, 0)]
    assert {one.rule for one in main_low.reason.compared} == {"G2", "P6"}


def test_a_turn_that_ran_out_is_all_in_and_later_bets_make_a_side_pot() -> None:
    [timed_out] = of("D00002", e.TimedOut)
    assert timed_out.outcome == "all_in"
    assert timed_out.deadline > timed_out.turn_started_at
    after = HANDS["D00002"][HANDS["D00002"].index(timed_out) + 1 :]
    assert any(isinstance(event, e.Called | e.BetPlaced) for event in after)
    assert all(getattr(event, "seat", 0) != timed_out.seat or is_passive(event) for event in after)
    shown = {event.seat for event in of("D00002", e.CardsShown)}
    assert timed_out.seat in shown
    side = [award for award in of("D00002", e.PotAwarded) if award.pot == 1]
    assert side
    claimants = {one.seat for award in side for one in award.reason.compared}
    assert timed_out.seat not in claimants


def is_passive(event: e.HandEvent) -> bool:
    return isinstance(event, e.CardsDealt | e.CardsShown)


def test_eight_players_to_the_end_share_one_community_card() -> None:
    [community] = of("D00003", e.CommunityCardDealt)
    assert len({event.seat for event in of("D00003", e.CardsShown)}) == 8
    assert not any(event.street == 7 for event in of("D00003", e.CardsDealt))
    [award] = of("D00003", e.PotAwarded)
    assert any(community.card in one.cards for one in award.reason.compared)


def test_a_capped_round_has_one_bet_and_three_raises() -> None:
    third = streets("D00004")[3]
    assert sum(isinstance(event, e.Completed) for event in third) == 1
    assert sum(isinstance(event, e.Raised) for event in third) == 3


def test_an_open_pair_on_fourth_street_brings_a_double_bet() -> None:
    opened, wager, *_ = streets("D00005")[4]
    assert isinstance(opened, e.BettingOpened)
    assert isinstance(wager, e.BetPlaced)
    assert opened.double_bet
    stakes = HANDS["D00005"][0].stakes
    assert (wager.size, wager.to) == ("big", stakes.big_bet)


def test_two_all_in_for_different_amounts_make_a_main_and_two_side_pots() -> None:
    all_in = [event for event in HANDS["D00006"] if getattr(event, "all_in", False)]
    assert len({event.seat for event in all_in}) == 2
    assert {award.pot for award in of("D00006", e.PotAwarded)} == {0, 1, 2}


def test_the_other_hands_are_of_all_three_games_and_always_the_same() -> None:
    first, second = list(table_hands(9)), list(table_hands(9))
    assert first == second
    assert {hand.events[0].game for hand in first} == set(ALL_GAMES)


@pytest.fixture
def never_shown(server: Server, studledger: CommandLine) -> CommandLine:
    """The program where nobody has seen the demonstration yet."""
    forget_room(server, ROOM)
    forget_published(server, ROOM)
    return studledger


def test_the_demonstration_shows_one_answer_of_each_kind_and_stores_once(
    never_shown: CommandLine,
) -> None:
    first = never_shown("demo", "--hands", 12, "--no-serve")
    again = never_shown("demo", "--hands", 12, "--no-serve")
    assert "12 of the hands are new" in first.out
    assert "0 of the hands are new" in again.out
    assert first.out.splitlines()[4:] == again.out.splitlines()[4:]
    for hand in ARRANGED:
        assert f"  {hand.number}  {hand.title}\n" in first.out
    assert GAMES["stud8"].title in first.out
    assert "The odd chip goes to Ada (seat 1) first. (P6)" in first.out
    assert "Rake $" in first.out
    assert "12 hands checked: 12 clean" in first.out
    assert max(map(len, first.out.splitlines())) <= 80


def test_the_demonstration_ends_as_a_service_that_can_be_told_to_stop(
    never_shown: CommandLine, settings: Settings
) -> None:
    with started(settings, "demo", "--hands", "6", "--port", "0") as program:
        assert program.stderr is not None
        assert program.stdout is not None
        said = ""
        while "serving room" not in said:
            line = program.stderr.readline().decode()
            assert line, "it ended before it served"
            said += line
        out = b""
        while out.count(b"/sign-in/") < len(GUESTS):
            out += (line_out := program.stdout.readline())
            assert line_out, "it ended before it told where to sign in"
        first_page, log = _signed_in(out.decode())
        program.terminate()
        program.communicate()
    assert f"serving room {ROOM} on http://127.0.0.1:" in said
    assert program.returncode == 0
    assert b"== Look around ==" in out
    assert "<h1>Hands</h1>" in first_page
    assert "admin" in first_page
    assert "<dt>Signed</dt>" in log, "there is something to prove hands by"


def _signed_in(said: str) -> tuple[str, str]:
    """The page to which the first address leads that is printed, and from there the log."""
    address = next(word for word in said.split() if "/sign-in/" in word)
    with httpx2.Client(follow_redirects=True, trust_env=False) as client:
        first = client.get(address)
        return first.text, client.get(first.url.join("/log")).text


def test_what_the_demonstration_says_to_try_next_works(
    never_shown: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = never_shown("demo", "--hands", 6, "--no-serve")
    _, _, todo = answer.out.partition("export STUDLEDGER_ROOM=")
    commands = [line.split() for line in todo.splitlines()[1:]]
    assert len(commands) == 5
    monkeypatch.setenv("STUDLEDGER_ROOM", ROOM)
    for name, *arguments in commands:
        assert name == "studledger"
        assert never_shown(*arguments).out
