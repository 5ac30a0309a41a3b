"""A hand as POJEU: chips, cards and acts as they were, or a reason why there is no such file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.house_rules import FULLTILT
from services.demo.arranged import arranged_hands
from services.writers import CannotSay
from services.writers.pojeu.operator import Operator, Person, Since
from services.writers.pojeu.spelling import NUMBERS, moment, reference
from tests.support.bdd import PLAY, Table, started
from tests.support.played import played_hands
from tests.support.pojeu import (
    HAND,
    NOON,
    OPERATOR,
    SCHEMAS,
    actions,
    finances,
    needs_schema,
    of_real_money,
    root,
    sound,
    texts,
    written,
)

Events = Sequence[e.HandEvent]
ARRANGED = {hand.number: hand.events for hand in arranged_hands()}
SIDE_POTS, COMMUNITY, TIMED_OUT = (ARRANGED[number] for number in ("D00006", "D00003", "D00002"))


DOORS = {1: "Kh Kd 2c", 2: "Qh Qd 9c", 3: "Jh Jd 8c"}


def played(*acts: str, stacks: dict[int, int] | None = None, **about: Any) -> Table:
    """Three players at 20/40, seat 1 to bring it in; what they did on third street."""
    return Table(started(stacks, **about), DOORS).street(*acts)


def refusal(events: Events, operator: Operator = OPERATOR) -> str:
    with pytest.raises(CannotSay) as refused:
        written(events, operator)
    return str(refused.value)


# -- the head --------------------------------------------------------------------------------------


def test_the_head_names_operator_vault_end_place_table_and_hand() -> None:
    head = {
        part.tag: part.text for part in root(written(SIDE_POTS)) if part.text and len(part) == 0
    }
    assert head.pop("Info")
    assert head == {
        "IDOper": "0099",
        "IDCoffre": "1",
        "DateEvt": "260109165132",
        "IDEvt": "1360",
        "Tech": "demo",
        "Pool": "D00006",
        "Regle": "7CSHLL",
        "Description": "Stud Hi/Lo Limit (5.00-10.00)",
    }


@pytest.mark.parametrize(
    ("zone", "at", "said"),
    [
        ("UTC", datetime(2026, 7, 1, 22, 59, 59, tzinfo=UTC), "260701225959"),
        ("Europe/Paris", datetime(2026, 7, 1, 22, 59, 59, tzinfo=UTC), "260702005959"),
        ("Europe/Paris", datetime(2026, 1, 1, 22, 59, 59, tzinfo=UTC), "260101235959"),
        ("UTC", datetime(2026, 1, 1, 0, tzinfo=timezone(timedelta(hours=2))), "251231220000"),
    ],
)
def test_times_are_in_the_operators_zone(zone: str, at: datetime, said: str) -> None:
    assert moment(at, replace(OPERATOR, time_zone=zone).zone) == said


def test_the_cards_are_numbered_from_the_ace_of_spades_to_the_king_of_clubs() -> None:
    some = {"As": 1, "Ts": 10, "Ks": 13, "Ah": 14, "Kh": 26, "Ad": 27, "Kd": 39, "Ac": 40, "Kc": 52}
    assert some.items() <= NUMBERS.items()
    assert sorted(NUMBERS.values()) == list(range(1, 53))


@needs_schema
def test_the_cards_are_numbered_as_the_regulator_does() -> None:
    ranks = {"10": "T", "V": "J", "D": "Q", "R": "K", "1": "A"}
    suits = {"Pi": "s", "Co": "h", "Ca": "d", "Tr": "c"}
    lines = (SCHEMAS / "fr" / "cards.csv").read_text("utf-8").splitlines()
    theirs = {
        ranks.get(rank, rank) + suits[suit]: int(number)
        for rank, suit, number in re.findall(r"(\w+?)(Pi|Co|Ca|Tr);(\d+)", "\n".join(lines))
    }
    assert theirs == NUMBERS


def test_different_names_are_different_references() -> None:
    assert len({reference(name) for name in ("a b", "a#20b", "a+20b", "é", "#C3#A9")}) == 5


# -- chips -----------------------------------------------------------------------------------------


def test_three_pots_are_one_account_per_player() -> None:
    assert finances(sound(SIDE_POTS)) == {
        "1": ["-12.10", "12.10", "12.10", "0.00", "0.20"],
        "2": ["18.70", "27.30", "27.30", "46.00", "0.46"],
        "3": ["-27.30", "40.25", "200.00", "172.70", "0.67"],
        "4": ["18.70", "40.25", "200.00", "218.70", "0.67"],
    }


def test_the_last_chip_is_an_allin() -> None:
    document = sound(SIDE_POTS)
    assert actions(document, "fifth street")[2] == "1 allin 1.85"
    assert actions(document, "sixth street")[2] == "2 allin 7.05"


def test_forced_bets_keep_their_names_even_if_they_are_the_last_chip() -> None:
    table = played("1 bring_in", "2 fold", stacks={1: 9, 2: 100, 3: 3}, ante=5).passively()
    document = sound(of_real_money(table.log))
    assert actions(document, "ante") == ["1 ante 0.05", "2 ante 0.05", "3 ante 0.03", "0.13"]
    assert actions(document, "third street") == ["1 bring-in 0.04", "2 Fold", "0.00"]


def test_what_nobody_matched_is_in_the_bet_but_in_no_total() -> None:
    table = played("1 bring_in", "2 complete", "3 call", "1 fold")
    table.street("2 bet 20", "3 raise 40", "2 fold")
    document = sound(of_real_money(table.log))
    assert actions(document, "third street")[-1] == "0.50"
    assert actions(document, "fourth street") == ["2 bet 0.20", "3 raise 0.40", "2 Fold", "0.40"]
    assert [one[1] for one in finances(document).values()] == ["0.10", "0.40", "0.40"]


def test_an_ante_that_goes_back_is_in_no_total() -> None:
    start = started({1: 3, 2: 500}, house=FULLTILT, ante=5)
    table = Table(start, {1: DOORS[1], 2: DOORS[2]}).passively()
    document = sound(of_real_money(table.log))
    assert actions(document, "ante") == ["1 ante 0.03", "2 ante 0.05", "0.06"]
    assert [one[1] for one in finances(document).values()] == ["0.03", "0.03"]


@settings(max_examples=40, deadline=None)
@given(events=played_hands())
def test_every_chip_is_accounted_for_in_the_file_of_any_hand(
    events: tuple[e.HandEvent, ...],
) -> None:
    events = of_real_money(events)
    assert isinstance(events[0], e.HandStarted)
    accounts = finances(sound(events))
    [over] = [event for event in events if isinstance(event, e.HandCompleted)]
    assert {seat: one[3] for seat, one in accounts.items()} == {
        str(one.seat): f"{one.stack // 100}.{one.stack % 100:02}" for one in over.stacks
    }
    taken = sum(event.total for event in events if isinstance(event, e.RakeTaken))
    assert sum(Decimal(one[0]) for one in accounts.values()) == -Decimal(taken) / 100


def test_the_community_card_is_dealt_to_no_seat() -> None:
    [card] = root(sound(COMMUNITY)).findall(".//Draw[@commune='true']")
    assert card.attrib == {"ouverte": "true", "commune": "true"}
    assert [(part.tag, part.text) for part in card] == [("Valeur", str(NUMBERS["4c"]))]


def test_cards_are_drawn_as_they_were_dealt_and_turned_up_if_they_lay_face_down() -> None:
    document = root(sound(TIMED_OUT))
    dealt = [event for event in TIMED_OUT if isinstance(event, e.CardsDealt)]
    cards = [str(NUMBERS[card]) for event in dealt for card in (*event.down, *event.up)]
    assert texts(document, ".//Draw/Valeur") == cards
    down = [str(NUMBERS[card]) for event in dealt for card in event.down]
    assert sorted(texts(document, ".//Reveal/Valeur")) == sorted(down)  # type: ignore[type-var]
    opened = texts(document, ".//Draw[@ouverte='true']/Valeur")
    assert not set(opened) & set(down)


# -- what the form has no word for -----------------------------------------------------------------


def test_our_own_record_is_named_by_its_digest() -> None:
    facts = b"".join(e.encode(event) + b"\n" for event in SIDE_POTS)
    digest = hashlib.sha256(facts).hexdigest()
    said = root(written(SIDE_POTS)).findtext("Info")
    assert said == f"studledger hand={HAND} facts={len(SIDE_POTS)} sha256={digest}"


def test_a_turn_that_ran_out_is_named_by_seat_and_step() -> None:
    [step] = [n for n, event in enumerate(TIMED_OUT, 1) if isinstance(event, e.TimedOut)]
    said = root(written(TIMED_OUT)).findtext("Info", "")
    assert said.endswith(f" timed-out=2@{step}")


def test_a_corrected_award_counts_as_ruled_and_is_named() -> None:
    events = (*SIDE_POTS, corrected(rake=0, moves={1: 100, 4: -100}))
    document = sound(events)
    assert finances(document)["1"][:4] == ["-11.10", "12.10", "12.10", "1.00"]
    assert root(document).findtext("Info", "").endswith(f" corrected={len(events)}")


def corrected(rake: int, moves: dict[int, int]) -> e.AwardCorrected:
    seats = tuple(e.SeatMove(seat=seat, amount=amount) for seat, amount in moves.items())
    return e.AwardCorrected(moves=seats, rake=rake, reason="a misread low", ruling=None)


def unlike(events: Events, **start: Any) -> Events:
    assert isinstance(events[0], e.HandStarted)
    return replace(events[0], **start), *events[1:]


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        (SIDE_POTS[:-1], "the hand is still being played"),
        (
            (*SIDE_POTS, corrected(rake=-100, moves={1: 100})),
            "a ruling moved rake, and POJEU has no rake that no player bears",
        ),
        (unlike(SIDE_POTS, money=PLAY), "it was played for play money"),
        (
            unlike(SIDE_POTS, money=replace(PLAY, kind="tournament")),
            "it was played for a tournament's chips",
        ),
        (
            unlike(SIDE_POTS, played_at=None, at=None),
            "the record does not say when it was played",
        ),
        (
            unlike(SIDE_POTS, table=e.TableRef(id="", name="", max_seats=8)),
            "the record names no table",
        ),
        (
            (*SIDE_POTS[:-1], e.HandCompleted(stacks=(e.SeatStack(seat=1, stack=1),))),
            "the stacks it ended with are not what its facts come to",
        ),
        (
            [event for event in SIDE_POTS if not isinstance(event, e.PotAwarded)],
            "chips are left in the pot",
        ),
    ],
)
def test_a_hand_there_is_no_such_file_of(events: Events, reason: str) -> None:
    assert refusal(events) == reason


def test_a_void_hand_is_no_game() -> None:
    table = played("1 bring_in")
    table.issue(c.Void(reason="a foul deck"))
    assert refusal(of_real_money(table.log)).startswith("the hand is void")


def test_cards_nobody_knows_are_named_by_their_seat() -> None:
    hidden = [
        replace(event, down=("??",) * len(event.down))
        if isinstance(event, e.CardsDealt) and event.seat in {2, 4}
        else event
        for event in SIDE_POTS
        if not isinstance(event, e.CardsShown)
    ]
    assert refusal(hidden) == "cards of seat 2, 4 are not known"


# -- who played ------------------------------------------------------------------------------------


def test_what_the_operator_does_not_say_of_a_player_is_named() -> None:
    nobody = replace(OPERATOR, everybody=Person(country="FR"))
    wanted = "the operator's file names no address, no registration of player Ada"
    assert refusal(SIDE_POTS, nobody) == wanted
    wrong = replace(
        OPERATOR, everybody=Person(country="FR", address="fe80::1%eth0", registration="r")
    )
    assert refusal(SIDE_POTS, wrong) == "the address of player Ada in the operator's file is none"


def test_a_players_own_lines_come_before_everybodys() -> None:
    players = {
        "Ada": Person(country="IT", operator_name="Hyper Poker (IT)"),
        "Bruno": Person(operator="0100", address="2001:DB8:0::1", registration="r-{player}"),
    }
    joueurs = root(written(SIDE_POTS, replace(OPERATOR, players=players))).iter("Joueur")
    about = [[part.text for part in one if len(part) == 0] for one in joueurs]
    assert about == [
        ["Hyper Poker (IT)", "IT", "Ada", "192.0.2.7", "1", "demo/Ada"],
        ["0100", "FR", "Bruno", "2001:db8::1", "2", "r-Bruno"],
        ["0099", "FR", "Chiara", "192.0.2.7", "3", "demo/Chiara"],
        ["0099", "FR", "Dmitri", "192.0.2.7", "4", "demo/Dmitri"],
    ]


def test_an_address_is_the_one_he_had_when_the_hand_began() -> None:
    moves = tuple(
        Since(since=NOON + timedelta(hours=hours), address=f"192.0.2.{hours}")
        for hours in (9, 1, 3)
    )
    person = Person(address=moves)
    assert person.address_at(NOON) is None
    assert person.address_at(NOON + timedelta(hours=1)) == "192.0.2.1"
    assert person.address_at(NOON + timedelta(hours=8)) == "192.0.2.3"


def test_test_data_says_so() -> None:
    assert root(written(SIDE_POTS, replace(OPERATOR, test=True))).attrib == {"test": "true"}
    assert root(written(SIDE_POTS)).attrib == {}
