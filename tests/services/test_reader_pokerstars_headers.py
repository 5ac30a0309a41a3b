"""The first line of a PokerStars hand: game, stakes, money and time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain import events as e
from domain.verdict import judge
from services.readers.record import HandRead, Skipped
from tests.support.hand_texts import (
    HEADER,
    STUD,
    changed,
    in_chips,
    kinds,
    outcomes,
    read,
    rejected,
    started,
    with_header,
    won,
)


def test_eastern_time_becomes_utc() -> None:
    assert started(read(STUD)).played_at == datetime(2024, 3, 1, 23, 30, tzinfo=UTC)


def test_eastern_summer_time_is_one_hour_nearer() -> None:
    hand = read(with_header(HEADER.replace("2024/03/01", "2024/07/01")))
    assert started(hand).played_at == datetime(2024, 7, 1, 22, 30, tzinfo=UTC)


def test_the_eastern_time_in_brackets_is_preferred_to_the_players_own() -> None:
    header = HEADER.replace(
        "2024/03/01 18:30:00 ET", "2024/03/02 9:00:00 XYZ [2024/03/01 18:30:00 ET]"
    )
    assert started(read(with_header(header))).played_at == datetime(2024, 3, 1, 23, 30, tzinfo=UTC)


def test_another_time_zone_is_read_by_its_own_clock() -> None:
    header = HEADER.replace("18:30:00 ET", "18:30:00 CET")
    assert started(read(with_header(header))).played_at == datetime(2024, 3, 1, 17, 30, tzinfo=UTC)


def test_an_unknown_time_zone_leaves_the_time_unknown() -> None:
    assert started(read(with_header(HEADER.replace(" ET", " QQQ")))).played_at is None


@pytest.mark.parametrize("stakes", ["($2.50 / $5)", "($2.50/$5)", "($2,50/$5,00 USD)"])
def test_stakes_may_have_spaces_around_the_slash(stakes: str) -> None:
    hand = outcomes(with_header(HEADER.replace("($1/$2 USD)", stakes)))[0]
    assert isinstance(hand, HandRead)
    assert (started(hand).stakes.small_bet, started(hand).stakes.big_bet) == (250, 500)


def test_euros_are_euros() -> None:
    text = with_header(HEADER.replace("($1/$2 USD)", "(€1/€2 EUR)")).replace("$", "€")
    assert started(read(text)).money.currency == "EUR"


def test_razz_and_other_games_are_skipped_by_name() -> None:
    razz = with_header(HEADER.replace("7 Card Stud Limit ($1/$2 USD)", "HORSE (Razz Limit, $1/$2)"))
    holdem = with_header(HEADER.replace("7 Card Stud Limit", "Hold'em No Limit"))
    found = outcomes(razz + "\n\n" + STUD + "\n\n" + holdem)
    assert [type(one) for one in found] == [Skipped, HandRead, Skipped]
    assert [one.game for one in found if isinstance(one, Skipped)] == ["Razz", "Hold'em"]


@pytest.mark.parametrize(
    ("what", "game"),
    [
        ("HORSE (7 Card Stud Hi/Lo Limit, $1/$2 USD)", "stud8"),
        ("8-Game (7 Card Stud Limit, $1/$2)", "stud"),
        ("Triple Stud (7 Card Stud Limit, $1/$2 USD)", "stud"),
        ("7 Card Stud Hi/Lo Limit ($1/$2)", "stud8"),
    ],
)
def test_the_game_inside_a_mixed_game_counts(what: str, game: str) -> None:
    [hand] = outcomes(with_header(HEADER.replace("7 Card Stud Limit ($1/$2 USD)", what)))
    assert isinstance(hand, HandRead)
    assert (started(hand).game, started(hand).stakes.big_bet) == (game, 200)


def test_no_limit_stud_is_refused() -> None:
    wrong = rejected(with_header(HEADER.replace("Stud Limit", "Stud No Limit")))
    assert (wrong.line, "limit" in wrong.reason) == (1, True)


NO_RAKE = changed(
    STUD, ("$12.80 | Rake $0.60", "$12.80 | Rake $0"), ("collected $12.20", "collected $12.80")
)


def test_play_money_is_counted_in_chips_and_bears_no_rake() -> None:
    hand = read(in_chips(with_header(HEADER.replace("($1/$2 USD)", "($1/$2)"), NO_RAKE)))
    assert started(hand).money == e.Money(kind="play", currency="chips", exponent=0)
    assert kinds(hand, e.RakeTaken) == []
    assert won(hand) == {1: 1280}
    assert judge(hand.events).findings == ()


def test_a_tournament_prints_the_button_and_plays_for_chips() -> None:
    header = (
        "PokerStars Home Game Hand #7001: {A } b} Tournament #55, €1.00+€0.10 EUR"
        " 7 Card Stud Limit - Level XV ($1/$2) - 2024/03/01 18:30:00 ET"
    )
    hand = read(in_chips(with_header(header, NO_RAKE)), ("8-max", "8-max Seat #6 is the button"))
    start = started(hand)
    assert (start.money.kind, start.money.exponent, start.dealer) == ("tournament", 0, 6)
    assert start.stakes.big_bet == 200
    assert kinds(hand, e.RakeTaken) == []


@pytest.mark.parametrize("printed", ["1,280", "1 280", "1\u00a0280", "1.280", "1'280"])
def test_thousands_may_be_separated_as_anywhere(printed: str) -> None:
    text = in_chips(with_header(HEADER.replace("($1/$2 USD)", "($1/$2)"), NO_RAKE))
    assert won(read(text, ("collected 1280 from", f"collected {printed} from"))) == {1: 1280}


def test_a_club_may_call_itself_after_a_game() -> None:
    header = HEADER.replace("#7001: ", "#7001: {Razz Limit (1/2) - Club}  ")
    assert started(read(with_header(header))).game == "stud"
