"""What every command answers in every form, in a room with the demonstration's hands."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from projections.catalogue import EVERY_PROJECTION
from services.demo.storing import store_demo
from services.embedded import Server
from services.settings import Settings
from services.store.room import open_room
from tests.support.cli import CommandLine

HANDS = 24


@pytest.fixture(scope="module")
def played(server: Server) -> Settings:
    """Settings of a room in which the demonstration was dealt."""
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="answers")
    with open_room(settings) as room:
        store_demo(room, HANDS)
    return settings


@pytest.fixture
def studledger(
    played: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    return CommandLine(played, monkeypatch, capsys)


# -- hands -----------------------------------------------------------------------------------------

FOUND = (
    *("hand", "number", "site", "game", "table", "played_at", "players", "pot", "rake"),
    "verdict",
)


def test_hands_are_found_newest_first_in_pages_that_join(studledger: CommandLine) -> None:
    whole = studledger("hands", "--format", "json").json
    first = studledger("hands", "--limit", 20, "--format", "json").json
    rest = studledger("hands", "--after", first["next"], "--format", "json").json
    assert [*first["hands"], *rest["hands"]] == whole["hands"]
    assert len(whole["hands"]) == HANDS
    assert (rest["next"], whole["next"]) == (None, None)
    days = [hand["played_at"] for hand in whole["hands"]]
    assert days == sorted(days, reverse=True)


def test_a_found_hand_says_what_was_promised_in_minor_units(studledger: CommandLine) -> None:
    answer = studledger("hands", "--table", "Demo", "--format", "json").json
    found = {hand["number"]: hand for hand in answer["hands"]}["D00001"]
    assert set(answer) == {"hands", "next", "complete_to"}
    assert set(found) >= set(FOUND)
    assert (found["pot"], found["rake"], found["currency"]) == (11078, 200, "USD")
    assert (found["game"], found["players"], found["verdict"]) == ("stud8", 4, "clean")


def test_hands_can_be_asked_for_by_everything_a_floor_knows(studledger: CommandLine) -> None:
    def numbers(*asked: str) -> set[str]:
        return {hand["number"] for hand in studledger("hands", *asked, "--format", "jsonl").lines}

    arranged = {f"D0000{place}" for place in range(1, 7)}
    assert numbers("--table", "Demo") == arranged
    assert numbers("--player", "Hugo") == {"D00003"}
    assert numbers("--game", "stud8", "--table", "Demo") == {"D00001", "D00005"}
    assert numbers("--min-pot", "110.78", "--table", "Demo") == {"D00001", "D00006"}
    assert numbers("--from", "2026-01-10") == set()
    assert numbers("--to", "2026-01-09", "--player", "Hugo") == {"D00003"}
    assert numbers("--findings") == set()
    assert numbers("--player", "Nobody") == set()


def test_the_csv_of_hands_has_exact_decimals_and_their_currency(studledger: CommandLine) -> None:
    rows = studledger("hands", "--table", "Demo", "--format", "csv").csv
    [row] = [row for row in rows if row["number"] == "D00001"]
    assert tuple(row)[:10] == FOUND
    assert (row["pot"], row["rake"], row["currency"]) == ("110.78", "2.00", "USD")
    assert row["played_at"] == "2026-01-09T16:00:00Z"


def test_the_table_of_hands_fits_eighty_columns_and_says_how_to_go_on(
    studledger: CommandLine,
) -> None:
    answer = studledger("hands", "--limit", 5)
    heading, *rows = answer.out.splitlines()
    assert heading.split()[0] == "number"
    assert len(rows) == 5
    assert max(map(len, (heading, *rows))) <= 80
    assert "complete up to event" in answer.err
    assert "more with --after '" in answer.err


def test_nothing_found_is_said_and_is_no_error(studledger: CommandLine) -> None:
    answer = studledger("hands", "--table", "Nowhere")
    assert answer.out == ""
    assert "no hand is like that" in answer.err


# -- replay ----------------------------------------------------------------------------------------

FRAME = {
    *("hand", "number", "step", "steps", "street", "to_act", "pot", "pots", "seats", "event"),
    "note",
}
SEAT = {"seat", "player", "stack", "committed", "status", "down", "up"}


def test_a_frame_says_what_was_promised(studledger: CommandLine) -> None:
    frame = studledger("replay", "D00001", "--step", 12, "--format", "json").json
    assert set(frame) >= FRAME
    assert all(set(seat) >= SEAT for seat in frame["seats"])
    assert (frame["number"], frame["step"], frame["steps"]) == ("D00001", 12, 51)
    assert (frame["street"], frame["to_act"], frame["pot"]) == (3, 3, 850)
    assert frame["event"]["type"] == "completed.v1"
    assert frame["note"] == "Bruno (seat 2) completes to $5.00."


def test_without_a_step_the_last_one_is_shown_as_the_table_saw_it(studledger: CommandLine) -> None:
    frame = studledger("replay", "D00001", "--format", "json").json
    assert (frame["step"], frame["pot"], frame["view"]) == (51, 0, "public")
    downs = {seat["player"]: seat["down"] for seat in frame["seats"]}
    assert downs["Ada"] == ["Ah", "2d", "Jd"]
    assert downs["Dmitri"] == ["??", "??"]


def test_every_step_can_be_had_at_once(studledger: CommandLine) -> None:
    frames = studledger("replay", "D00001", "--format", "jsonl").lines
    assert [frame["step"] for frame in frames] == list(range(1, 52))
    assert frames[11] == studledger("replay", "D00001", "--step", 12, "--format", "json").json


def test_a_replay_can_be_kept_as_a_file_for_a_browser(
    studledger: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "hand.html"
    told = studledger("replay", "D00001", "--html", path, "--format", "json").json
    assert (told["number"], told["view"], told["steps"]) == ("D00001", "public", 51)
    written = path.read_text()
    assert written.count('<section class="step"') == 51
    assert "Bruno (seat 2) completes to $5.00." in written
    assert "K♥" not in written  # Dmitri folded it face down.
    answer = studledger("replay", "D00001", "--html", path, "--step", 3, code=2)
    assert "a file has all steps" in answer.err
    nowhere = studledger("replay", "D00001", "--html", tmp_path / "no" / "x.html", code=2)
    assert "there is no folder" in nowhere.err


def test_a_hand_can_be_called_by_its_id(studledger: CommandLine) -> None:
    frame = studledger("replay", "D00001", "--format", "json").json
    assert studledger("replay", frame["hand"], "--format", "json").json == frame


def test_playing_shows_every_step_from_the_one_named_on(studledger: CommandLine) -> None:
    answer = studledger("replay", "D00001", "--play", "--step", 49)
    assert [answer.out.count(f"step {step} of 51") for step in (48, 49, 50, 51)] == [0, 1, 1, 1]


def test_the_drawn_table_fits_eighty_columns(studledger: CommandLine) -> None:
    answer = studledger("replay", "D00001", "--play")
    assert max(map(len, answer.out.splitlines())) == 80


def test_hidden_cards_are_shown_only_to_who_says_what_for(studledger: CommandLine) -> None:
    assert "--why" in studledger("replay", "D00001", "--view", "all", code=2).said
    frame = studledger(
        *("replay", "D00001", "--view", "all", "--why", "a complaint"), *("--format", "json")
    ).json
    downs = {seat["player"]: seat["down"] for seat in frame["seats"]}
    assert downs["Dmitri"] == ["Kh", "Jc"]


# -- explain ---------------------------------------------------------------------------------------


def test_an_odd_chip_is_explained_with_the_cards_compared_and_the_rule(
    studledger: CommandLine,
) -> None:
    said = studledger("explain", "D00001").said
    assert "Ada (seat 1) ace of hearts; Chiara (seat 3) ace of clubs" in said
    assert "The odd chip goes to Ada (seat 1) first. (P6)" in said
    assert "(P1)" in said
    assert "Clean: all 51 steps were checked" in said


def test_a_step_is_explained_with_what_may_be_done_and_what_limits_it(
    studledger: CommandLine,
) -> None:
    said = studledger("explain", "D00005", "--step", 15).said
    assert "bet to $10.00: the big bet of $10.00 (B4)" in said
    assert "Boards compared: Bruno (seat 2) pair of nines [9s 9d]" in said


def test_an_explanation_has_its_rules_apart_for_programs(studledger: CommandLine) -> None:
    answer = studledger("explain", "D00001", "--format", "json").json
    assert (answer["number"], answer["verdict"]) == ("D00001", "clean")
    lines = [line for section in answer["sections"] for line in section["lines"]]
    rules = {rule for line in lines for rule in line["rules"]}
    assert {"S3", "B1", "P1", "P4", "P6", "P7", "R2", "R5", "R6"} <= rules


# -- verify ----------------------------------------------------------------------------------------


def test_verification_says_what_was_promised(studledger: CommandLine) -> None:
    answer = studledger("verify", "--all", "--format", "json").json
    assert answer == {
        "checked": HANDS,
        "clean": HANDS,
        "clean_as_visible": 0,
        "ruled": 0,
        "findings": [],
        "differences": [],
    }


def test_single_hands_can_be_verified(studledger: CommandLine) -> None:
    answer = studledger("verify", "D00001", "D00004", "--strict")
    assert "2 hands checked: 2 clean" in answer.out
    assert studledger("verify", "D00001", "--format", "jsonl").out == ""
    rows = studledger("verify", "D00001", "--format", "csv").out
    assert rows == "hand,number,step,rule,expected,recorded,text\n"


# -- rake ------------------------------------------------------------------------------------------


def test_a_report_adds_up_whatever_it_is_broken_down_by(studledger: CommandLine) -> None:
    whole = studledger("rake", "report", "--format", "json").json["lines"]
    assert len(whole) == 1
    for by in ("day", "table", "game", "stakes", "game,stakes,day", "player", "currency"):
        lines = studledger("rake", "report", "--by", by, "--format", "json").json["lines"]
        assert sum(line["rake"] for line in lines) == whole[0]["rake"], by


def test_a_report_in_json_has_minor_units_and_the_dimensions(studledger: CommandLine) -> None:
    report = studledger(*("rake", "report", "--by", "game,stakes,day", "--format", "json")).json
    assert {"by", "time_zone", "gaming_day_start", "lines", "complete_to"} <= set(report)
    [line] = [
        line for line in report["lines"] if (line["game"], line["small_bet"]) == ("stud_hilo", 500)
    ]
    assert (line["big_bet"], line["day"]) == (1000, "2026-01-09")
    assert (line["currency"], line["exponent"], line["hands"]) == ("USD", 2, 2)
    assert line["rake"] == 300


def test_a_report_in_csv_has_no_totals_line_and_its_rake_first(
    studledger: CommandLine,
) -> None:
    rows = studledger("rake", "report", "--by", "table,day", "--format", "csv").csv
    whole = studledger("rake", "report", "--format", "csv").csv
    assert next(name for name in rows[0] if "rake" in name) == "rake"
    assert list(rows[0])[:2] == ["table", "day"]
    assert sum(Decimal(row["rake"]) for row in rows) == Decimal(whole[0]["rake"])
    assert {row["table"] for row in rows} == {"Demo", "Amber", "Birch", "Cedar"}


def test_a_report_by_player_has_ids_for_programs_and_names_beside_them(
    studledger: CommandLine,
) -> None:
    by_player = ("rake", "report", "--by", "player")
    rows = studledger(*by_player, "--format", "csv").csv
    lines = studledger(*by_player, "--format", "jsonl").lines
    assert {row["name"] for row in rows} >= {"Ada", "Hugo"}
    assert [row["player"] for row in rows] == [line["player"] for line in lines]
    assert [row["name"] for row in rows] == [line["name"] for line in lines]


def test_a_report_for_people_ends_with_the_sum(studledger: CommandLine) -> None:
    of_the_day = ("rake", "report", "--from", "2026-01-09", "--to", "2026-01-09")
    answer = studledger(*of_the_day, "--by", "day")
    rows = answer.out.splitlines()
    assert rows[0].split()[:4] == ["day", "hands", "pot", "rake"]
    assert rows[-1].startswith("Rake $")
    assert rows[-1].endswith(f" in {HANDS} hands.")
    nothing = studledger("rake", "report", "--from", "2027-01-01", "--by", "day")
    assert "no raked hand is like that" in nothing.err


def test_the_rake_of_a_hand_is_explained_with_its_books(studledger: CommandLine) -> None:
    said = studledger("rake", "explain", "D00001").said
    assert "pot of $40.00 or more: $2.00. (R2)" in said
    assert "main pot -$2.00 rake" in said
    assert "House:Rake $0.73 rake, borne by Ada" in said


def test_the_books_of_a_hand_balance(studledger: CommandLine) -> None:
    answer = studledger("rake", "explain", "D00006", "--format", "json").json
    assert {part["about"] for part in answer["sections"]} == {"pots", "rake"}
    assert sum(posting["amount"] for posting in answer["postings"]) == 0
    house = [one for one in answer["postings"] if one["account"] == "House:Rake"]
    assert sum(one["amount"] for one in house) == 200


# -- projections, migrate, doctor ------------------------------------------------------------------


def test_projections_say_how_far_they_are(studledger: CommandLine) -> None:
    studledger("hands")
    status = studledger("projections", "status", "--format", "json").json["projections"]
    assert {one["name"] for one in status} == {one.name for one in EVERY_PROJECTION}
    assert {one["behind"] for one in status} == {0}
    rows = studledger("projections", "status", "--format", "csv").csv
    assert list(rows[0]) == ["projection", "position", "head", "behind"]
    assert studledger("projections", "status", "--format", "jsonl").lines == status
    assert len(studledger("projections", "status").out.splitlines()) == 1 + len(status)


def test_rebuilding_gives_the_same_answers(studledger: CommandLine) -> None:
    before = studledger("rake", "report", "--by", "day,player", "--format", "json").json
    assert "rebuilt up to event" in studledger("projections", "rebuild").out
    assert "rebuilt up to event" in studledger("projections", "rebuild", "rake_ledger").out
    assert studledger("rake", "report", "--by", "day,player", "--format", "json").json == before


def test_migrating_again_changes_nothing(studledger: CommandLine) -> None:
    answer = studledger("migrate", "--format", "json").json
    assert (answer["room"], answer["applied"]) == ("answers", [])
    assert f"at version {answer['version']}" in studledger("migrate").out


def test_the_doctor_finds_everything_well(studledger: CommandLine) -> None:
    checks = studledger("doctor", "--format", "json").json["checks"]
    assert {check["name"] for check in checks} >= {"settings", "database", "projections", "books"}
    assert all(check["ok"] for check in checks)
    assert studledger("doctor", "--format", "jsonl").lines == checks
    assert {row["state"] for row in studledger("doctor", "--format", "csv").csv} == {"ok"}
    assert "every entry balances" in studledger("doctor").said


def test_the_program_says_which_version_it_is(studledger: CommandLine) -> None:
    assert studledger("--version").out.startswith("studledger 0.")
