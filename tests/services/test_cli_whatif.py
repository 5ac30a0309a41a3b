"""`studledger whatif`: what it answers, to whom, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.events import Money
from services.demo.storing import store_demo
from services.embedded import Server
from services.settings import Settings
from services.store.room import open_room
from services.whatif import BadAsk, decision_of
from tests.support.cli import CommandLine
from tests.support.hand_texts import STUD, changed
from tests.support.played import cards_in

DOLLARS = Money(kind="real", currency="USD", exponent=2)
LAST_CALL = 42
"""Step of D00001 at which seat 1 calls the last bet of seat 3."""


@pytest.fixture(scope="module")
def played(server: Server) -> Settings:
    """Settings of a room with the six arranged hands."""
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="whatif")
    with open_room(settings) as room:
        store_demo(room, 6)
    return settings


@pytest.fixture
def demo(
    played: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(played, monkeypatch, capsys)


def test_a_fold_instead_of_the_last_call_is_certain(demo: CommandLine) -> None:
    answer = demo(
        "whatif", "D00001", "--step", LAST_CALL, "--instead", "fold", "--format", "json"
    ).json
    assert (answer["outcome"], answer["open"], answer["repeated"]) == ("certain", [], [])
    assert answer["pots"] == []
    assert {one["seat"]: one["difference"] for one in answer["players"]} == {
        1: -1720,
        2: 0,
        3: 1720,
        4: 0,
    }
    assert answer["rake"] == {"played": 200, "instead": 200, "difference": 0}
    assert (answer["currency"], answer["exponent"]) == ("USD", 2)


def test_it_is_told_in_words_with_the_rules(demo: CommandLine) -> None:
    said = demo("whatif", "D00001", "--step", LAST_CALL, "--instead", "fold").said
    assert "What if: Hand D00001, step 42 of 51" in said
    assert "Step 42, as played: Ada (seat 1) calls $10.00." in said
    assert "Certain: the rules alone say what follows." in said
    assert "$10.00 that nobody matched goes back to Chiara (seat 3). (B8)" in said
    assert "Ada (seat 1): -$13.05 as played, -$30.25 instead: -$17.20." in said


def test_what_stays_open_names_who_is_to_act_and_what_he_may_do(demo: CommandLine) -> None:
    arguments = ("whatif", "D00001", "--step", LAST_CALL - 1, "--instead", "check")
    answer = demo(*arguments, "--format", "json").json
    [question] = answer["open"]
    assert (answer["outcome"], question["about"], question["seats"]) == ("open", "decision", [1])
    assert [choice["action"] for choice in question["legal"]] == ["fold", "check", "bet"]
    assert [pot["amount"] for pot in answer["pots"]] == [9034, 44]
    assert {one["instead"] for one in answer["players"]} == {None}
    said = demo(*arguments).said
    assert "He may fold, check or bet to $10.00. (B5)" in said
    assert "Main pot $90.34, which may be won by" in said


def test_a_policy_changes_who_gets_the_odd_chip(demo: CommandLine) -> None:
    arguments = ("whatif", "D00001", "--policy", "odd_chip_tie=suit")
    answer = demo(*arguments, "--format", "json").json
    assert answer["policies"] == [
        {"field": "odd_chip_tie", "was": "left_of_dealer", "instead": "suit"}
    ]
    assert answer["step"] is None
    assert [one["difference"] for one in answer["players"]] == [-1, 0, 1, 0]
    said = demo(*arguments).said
    assert "Policy odd_chip_tie: suit instead of left_of_dealer." in said


def test_a_time_out_may_have_been_a_fold(demo: CommandLine) -> None:
    arguments = ("whatif", "D00002", "--step", 18)
    by_decision = demo(*arguments, "--instead", "time out fold", "--format", "json").json
    by_policy = demo(
        "whatif", "D00002", "--policy", "timeout_outcome=check_or_fold", "--format", "json"
    ).json
    assert by_decision["open"] == by_policy["open"]
    assert by_decision["open"][0]["about"] == "cards"
    assert demo(*arguments, "--instead", "call").code == 0


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ("check", "(B5): he may fold, call $10.00 or raise to $20.00"),
        ("raise 1234", "(S6): he may fold, call $10.00 or raise to $20.00"),
        ("seat 3 fold", "(B1): he may fold, call $10.00 or raise to $20.00"),
    ],
)
def test_what_nobody_may_do_ends_with_1_the_rule_and_what_is_legal(
    demo: CommandLine, instead: str, said: str
) -> None:
    answer = demo("whatif", "D00001", "--step", LAST_CALL, "--instead", instead, code=1)
    assert answer.out == ""
    assert said in " ".join(answer.err.split())


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--step", 12),
        ("--instead", "fold"),
        ("--step", 1, "--instead", "fold"),
        ("--step", 99, "--instead", "fold"),
        ("--step", LAST_CALL, "--instead", "sing"),
        ("--step", LAST_CALL, "--instead", "raise a lot"),
        ("--policy", "odd_chip_tie"),
        ("--policy", "no_such_policy=1"),
        ("--schedule", "topspoker:99"),
        ("--policy", "burn_cards=yes", "--format", "csv"),
        ("--policy", "burn_cards=yes", "--view", "all"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_ends_with_2(
    demo: CommandLine, arguments: tuple[str | int, ...]
) -> None:
    answer = demo("whatif", "D00001", *arguments, code=2)
    assert answer.out == ""
    assert answer.err


def test_decisions_are_named_where_the_step_is_none(demo: CommandLine) -> None:
    answer = demo("whatif", "D00001", "--step", 1, "--instead", "fold", code=2)
    assert "decisions are at steps 11, 12, 13, 14, 15, 20," in " ".join(answer.err.split())


def test_it_writes_nothing(demo: CommandLine, played: Settings) -> None:
    with open_room(played) as room:
        before = room.store.page(after=0, limit=10_000)
    demo("whatif", "D00001", "--step", LAST_CALL, "--instead", "fold")
    with open_room(played) as room:
        assert room.store.page(after=0, limit=10_000) == before


# -- who may see what ------------------------------------------------------------------------------

FOLDED = "Kh Jc"
"""Down cards of seat 4, who folds on third street and never shows them."""


def test_the_public_view_never_tells_hidden_cards(demo: CommandLine) -> None:
    for step in (14, LAST_CALL):
        choice = "call" if step == 14 else "fold"
        answer = demo("whatif", "D00001", "--step", step, "--instead", choice)
        assert cards_in(answer.out).isdisjoint(FOLDED.split())


def test_another_view_is_put_on_record_first(demo: CommandLine, played: Settings) -> None:
    arguments = ("whatif", "D00003", "--policy", "bring_in_tie=suit", "--view", "all")
    with open_room(played) as room:
        before = len(room.store.page(after=0, limit=10_000))
    demo(*arguments, "--why", "complaint 17")
    with open_room(played) as room:
        assert len(room.store.page(after=0, limit=10_000)) == before + 1


# -- records of other sites ------------------------------------------------------------------------


def test_the_rake_of_another_pot_is_not_made_up(studledger: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(STUD, "utf-8")
    studledger("import", file)
    explained = studledger("replay", "7001", "--format", "jsonl").lines
    step = max(frame["step"] for frame in explained if frame["event"]["type"] == "called.v1")
    answer = studledger(
        "whatif", "7001", "--step", step, "--instead", "fold", "--format", "json"
    ).json
    assert [question["about"] for question in answer["open"]] == ["rake"]
    assert answer["rake"] == {"played": 60, "instead": None, "difference": None}
    assert sum(one["instead"] for one in answer["players"]) == 0
    by_chart = studledger("whatif", "7001", "--schedule", "topspoker:1", "--format", "json").json
    assert (by_chart["outcome"], by_chart["rake"]["instead"]) == ("certain", 75)


def test_a_table_outside_the_chart_ends_with_1(studledger: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(changed(STUD, ("($1/$2 USD)", "($40/$80 USD)")), "utf-8")
    studledger("import", file)
    answer = studledger("whatif", "7001", "--schedule", "topspoker:1", code=1)
    assert "has no band for stakes of 40.00/80.00 USD (R3)" in answer.said


# -- as it is written ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action", "to", "outcome", "seat"),
    [
        ("fold", "fold", None, None, None),
        ("Bring in", "bring_in", None, None, None),
        ("bring-in", "bring_in", None, None, None),
        ("bet", "bet", None, None, None),
        ("raise 400", "raise", 400, None, None),
        ("raise to $4", "raise", 400, None, None),
        ("raise 4.00", "raise", 400, None, None),
        ("seat 10 call", "call", None, None, 10),
        ("time out", "time_out", None, None, None),
        ("timeout all-in", "time_out", None, "all_in", None),
        ("time-out bring in", "time_out", None, "bring_in", None),
    ],
)
def test_a_decision_is_understood_as_people_write_it(
    text: str, action: str, to: int | None, outcome: str | None, seat: int | None
) -> None:
    decision = decision_of(text, DOLLARS)
    assert (decision.action, decision.to) == (action, to)
    assert (decision.outcome, decision.seat) == (outcome, seat)


@pytest.mark.parametrize(
    "text",
    ["", "fold it", "raise 4.001", "raise -4", "seat 11 fold", "bet x", "bet €4", "raise to £4.00"],
)
def test_nothing_else_is(text: str) -> None:
    with pytest.raises(BadAsk):
        decision_of(text, DOLLARS)
