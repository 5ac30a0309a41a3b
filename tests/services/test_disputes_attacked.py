"""What people type into disputes: amounts, names and files that mean no good, or nothing."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.disputes import adjustments as a
from domain.disputes import commands as q
from domain.errors import Refused
from services.disputes import (
    MOST_BYTES,
    UnknownCase,
    add_attachment,
    add_note,
    case_sheet,
    files_of,
    handle,
    load_case,
    open_case,
)
from services.disputes.files import file_name
from services.disputes.report import make_report
from services.projecting import projector_of
from services.settings import Settings
from services.store.room import Room, open_room
from tests.support import disputes as s
from tests.support.bdd import Table
from tests.support.cases import APPIA, FLORA, approve, complaint, opened, proposed, told
from tests.support.cli import CommandLine, started

BYTES = os.fsdecode(b"caf\xe9")
"""What no text is, as the shell hands it over."""
BY_FLORA = ("--subject", "flora")
WHY = ("--reason", "so", "--rule", "P2", *BY_FLORA)


def in_money(money: e.Money) -> Table:
    """The raked hand in this money, as it was told by somebody else."""
    first, *rest = s.RAKED.log
    assert isinstance(first, e.HandStarted)
    return Table.of_facts([replace(first, money=money), *rest])


# -- names and files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("called", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("/var/lib/studledger/key", "key"),
        ("C:\\mail\\letter.pdf", "letter.pdf"),
        ("..", None),
        ("folder/", None),
        (None, None),
        ("an\u202efdp.exe\x1b[2J\r\n", "an\ufffdfdp.exe\ufffd[2J\ufffd\ufffd"),
        (BYTES, "caf\ufffd"),
        ("\x00", "\ufffd"),
        ("x" * 300 + ".png", "x" * 196 + ".png"),
    ],
)
def test_a_file_is_kept_under_a_name_that_leads_nowhere_and_steers_nothing(
    called: str | None, kept: str | None
) -> None:
    assert file_name(called) == kept


def test_a_file_is_something_and_not_too_much_and_of_a_kind_and_the_same_twice_is_two(
    room: Room,
) -> None:
    case = opened(room, told(room))
    for body, kind in (
        (b"", "image/png"),
        (b"x" * (MOST_BYTES + 1), "image/png"),
        (b"x", "image/png; name=anna"),
        (b"x", BYTES),
        (b"x", "image/" + "x" * 100),
    ):
        with pytest.raises(Refused) as no:
            add_attachment(room, case, body, kind, FLORA)
        assert no.value.rule == "D5"
    assert files_of(room, case) == ()
    for name in ("../one.png", "other.png"):
        add_attachment(room, case, b"x", "image/png", FLORA, name=name)
    sheet = case_sheet(room, load_case(room.store, case))
    assert [one.name for one in sheet.kept] == ["one.png", "other.png"]
    assert len({one.sha256 for one in sheet.kept}) == 1


def test_what_is_no_text_is_written_down_as_its_codes(room: Room) -> None:
    case = opened(room, told(room))
    add_note(room, case, BYTES, FLORA)
    (note,) = files_of(room, case)
    assert note.body == b"caf\\udce9"


# -- money ---------------------------------------------------------------------------------------


def test_a_ruling_is_in_the_money_of_its_hand(room: Room) -> None:
    euros = e.Money(kind="real", currency="EUR", exponent=2)
    case = opened(room, told(room, in_money(euros), kind="imported"))
    approve(room, case, proposed(room, case, kind="goodwill"))
    (posted,) = map(a.decode, room.store.states(a.ledger_stream("player-3")))
    assert posted.money == euros
    projector_of(room).catch_up()
    with room.connect() as connection:
        assert connection.execute("select distinct currency from adjustments").fetchall() == [
            ("EUR",)
        ]


def test_an_amount_is_typed_in_the_hands_money_or_not_taken(
    studledger: CommandLine, settings: Settings
) -> None:
    taken = {"5": 5, "$5": 500, "+5.00": 500, "0.05": 5}
    refused = {"0": 1, "-5.00": 1}
    nonsense = ("--5.00", "+-5.00", "€5", "5.001", "92233720368547758.08", "nan", "")
    with open_room(settings) as room:
        case = str(opened(room, told(room)))
    for amount, code in (dict.fromkeys(taken, 0) | refused | dict.fromkeys(nonsense, 2)).items():
        asked = ("dispute", "propose", case, "goodwill", "--move", f"1={amount}", *WHY)
        told_ = studledger(*asked, "--format", "json", code=code)
        if code == 0:
            assert told_.json["rulings"][-1]["house"] == -taken[amount]
            studledger("dispute", "withdraw", case, *BY_FLORA)


def test_words_that_are_no_text_are_refused_and_nothing_stops_the_program(
    studledger: CommandLine, settings: Settings, tmp_path: Path
) -> None:
    with open_room(settings) as room:
        case = str(opened(room, told(room)))
    file = tmp_path / f"{BYTES}.png"
    file.write_bytes(b"x")
    kept = studledger("dispute", "attach", case, file, *BY_FLORA, "--format", "json").json["kept"]
    assert kept[0]["name"] == "caf\ufffd.png"
    for code, *words in (
        (1, "attach", case, file, "--media-type", BYTES, *BY_FLORA),
        (1, "hold", case, "--reason", BYTES, *BY_FLORA),
        (2, "note", case, "a note", "--subject", BYTES),
        (2, "note", case, "a note", "--subject", " "),
        (5, "show", BYTES),
        (5, "erase", case, uuid4(), "--reason", "so", *BY_FLORA),
    ):
        studledger("dispute", *words, code=int(str(code)))
    erasing = ("dispute", "erase", case, kept[0]["id"], "--reason", "a stranger's", *BY_FLORA)
    assert "attachment" in studledger(*erasing).out
    assert studledger(*erasing, code=1).err
    shown = studledger("dispute", "show", case, "--format", "json").json
    assert (shown["kept"][0]["name"], shown["kept"][0]["sha256"]) == (None, kept[0]["sha256"])
    assert shown["events"][-1]["type"] == "kept_erased.v1"


# -- the report ----------------------------------------------------------------------------------


def test_a_report_is_the_same_bytes_in_another_process_elsewhere(
    room: Room, tmp_path: Path
) -> None:
    hand = told(room)
    case = opened(room, hand)
    approve(room, case, proposed(room, case))
    for number in range(200):
        add_note(room, case, f"{number}: he says so, twelve times {'and again ' * 12}", FLORA)
    ours = make_report(room, case, FLORA).pdf
    projector_of(room).catch_up()
    elsewhere = {
        "TZ": "Pacific/Auckland",
        "LC_ALL": "tr_TR.UTF-8",
        "LANG": "ar_EG.UTF-8",
        "PYTHONHASHSEED": "7",
        "SOURCE_DATE_EPOCH": "1",
    }
    file = tmp_path / "theirs.pdf"
    process = started(room.settings, "dispute", "report", str(case), "-o", str(file), **elsewhere)
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert sha256(file.read_bytes()).digest() == sha256(ours).digest()
    assert len(load_case(room.store, case).case.reports) == 1


# -- whose case ----------------------------------------------------------------------------------


def test_a_case_is_found_in_its_own_room_alone(room: Room, another: Any) -> None:
    case = opened(room, told(room))
    with pytest.raises(UnknownCase):
        handle(another().store, case, q.Acknowledge(by=FLORA.actor), FLORA)
    with pytest.raises(UnknownCase):
        handle(room.store, UUID(int=7), q.Acknowledge(by=APPIA.actor), APPIA)


def test_a_complaint_is_about_a_step_the_hand_has(room: Room) -> None:
    hand = told(room)
    for step in (-1, 0, len(s.RAKED.log) + 1, 2**63, 10**30):
        with pytest.raises(Refused) as no:
            open_case(room.store, complaint(hand, step=step), FLORA)
        assert no.value.rule == "D1"
