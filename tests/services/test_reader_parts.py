"""What all readers share: amounts, encodings, names, the cutting of a file into hands."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from decimal import Decimal
from itertools import count, islice
from pathlib import Path

import pytest

from services.readers.amounts import NotAnAmount, currency_of, minor_units, of_decimal
from services.readers.cards import cards_of
from services.readers.names import Names
from services.readers.reading import READERS, read_file, read_lines
from services.readers.record import HandRead, Rejected, Unreadable
from services.readers.splitting import split
from tests.support.hand_texts import PHH, STUD, dealt, started
from tests.support.site_texts import BOVADA, FULLTILT, FULLTILT_HIGH_LOW


@pytest.mark.parametrize(
    ("printed", "cents"),
    [
        ("$0.04", 4),
        ("$1", 100),
        ("$1.5", 150),
        ("$1,480", 148000),
        ("$1,234,567.89", 123456789),
        ("€1.234,50", 123450),
        ("1 480,50 €", 148050),
        ("1\u00a0480", 148000),
        ("1\u202f480.25", 148025),
        ("£12 345", 1234500),
        ("$2.00 USD", 200),
        ("0,05", 5),
        (".50", 50),
        ("1'000", 100000),
        ("$0", 0),
        ("1.000", 100000),
    ],
)
def test_an_amount_is_exact_in_any_country(printed: str, cents: int) -> None:
    assert minor_units(printed, 2) == cents


@pytest.mark.parametrize(
    "printed",
    ["", "$", "abc", "-$5", "1,2,3", "12,34.56.78", "0.005", "1.234.5", "9" * 17, "1e5", "½", "٣"],
)
def test_what_is_no_exact_amount_is_refused(printed: str) -> None:
    with pytest.raises(NotAnAmount):
        minor_units(printed, 2)


def test_chips_have_no_fractions() -> None:
    assert minor_units("1,480", 0) == 1480
    assert minor_units("12.00", 0) == 12
    with pytest.raises(NotAnAmount):
        minor_units("12.5", 0)


@pytest.mark.parametrize("value", ["0.005", "-1", "Infinity", "NaN", "1e30"])
def test_a_number_that_minor_units_cannot_say_is_refused(value: str) -> None:
    with pytest.raises(NotAnAmount):
        of_decimal(Decimal(value), 2)


def test_the_currency_is_the_code_or_else_the_sign() -> None:
    printed = ("$1 CAD", "$1", "€1", "£1", "1")
    assert [currency_of(p) for p in printed] == ["CAD", "USD", "EUR", "GBP", None]


def test_cards_are_read_spaced_or_not_and_ten_in_either_spelling() -> None:
    assert cards_of("Ah 10d TC ??2s", 1) == ("Ah", "Td", "Tc", "??", "2s")
    with pytest.raises(Unreadable):
        cards_of("Ah 1d", 1)


def test_a_shorter_name_is_tried_when_the_longer_one_makes_no_sense() -> None:
    names = Names({"Al": 1, "Al: folds": 2})
    assert [seat for seat, _ in names.readings("Al: folds: checks")] == [2, 1]
    assert [seat for seat, _ in names.readings("Al: folds")] == [2, 1]


ENCODINGS = {
    "UTF-8": lambda text: text.encode(),
    "UTF-8 with a mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16 with a mark": lambda text: text.encode("utf-16"),
    "UTF-16 big-endian with a mark": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-16 big-endian without a mark": lambda text: text.encode("utf-16-be"),
    "UTF-16 with a stray last byte": lambda text: text.encode("utf-16") + b"\n",
    "cp1252": lambda text: text.encode("cp1252"),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "doubled carriage returns": lambda text: text.replace("\n", "\r\r\n").encode(),
    "old Mac": lambda text: text.replace("\n", "\r").encode(),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_file_is_read_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_bytes(ENCODINGS[encoding](STUD.replace("bert", "Jörg€").replace("$", "€")))
    [hand] = read_file(file)
    assert isinstance(hand, HandRead), hand
    assert started(hand).seats[1].player == "Jörg€"
    assert dealt(hand, 1)[-1] == "As"


def test_the_text_is_kept_as_it_came(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    text = STUD.replace("\n", "\r\n") + "\r\n\r\n"
    file.write_bytes(text.encode("utf-16"))
    [hand] = read_file(file)
    assert isinstance(hand, HandRead)
    assert hand.text.removeprefix("\ufeff") == text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\0\0\0\0", "empty"),
        (bytes(range(256)) * 50, "not a text file"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not a text file"),
        (b"   \n\n  \n", "begins"),
        (b"# only a comment\n", "begins '# only"),
        (STUD.encode() + b"\n" + b"x" * 2_000_000, "characters"),
    ],
)
def test_what_is_no_hand_history_is_a_sentence(content: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_bytes(content)
    wrong = list(read_file(file))[-1]
    assert isinstance(wrong, Rejected)
    assert words in wrong.reason
    assert wrong.file == str(file)


@pytest.mark.parametrize("broken", ["x" * 1_100_000, "a\0b"])
def test_what_stands_before_a_line_that_is_no_text_is_read(broken: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(STUD + "\n" * 70_000 + broken)
    hand, wrong = read_file(file)
    assert isinstance(hand, HandRead)
    assert isinstance(wrong, Rejected)
    assert wrong.line == STUD.count("\n") + 70_001


def test_a_folder_or_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        [wrong] = read_file(path)
        assert isinstance(wrong, Rejected)
        assert wrong.reason.startswith("cannot be read")


def test_a_forced_reader_that_finds_no_hand_says_so(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text("nothing of poker\n")
    [wrong] = read_file(file, READERS["pokerstars"])
    assert isinstance(wrong, Rejected)
    assert wrong.reason == "the file holds no hand"


def test_hands_are_read_one_at_a_time_from_a_file_without_end() -> None:
    def endless() -> Iterator[str]:
        for number in count(1):
            yield from STUD.replace("#7001", f"#{number}").splitlines(keepends=True)
            yield "\n"

    hands = read_lines("endless.txt", endless())
    first = [hand for hand in islice(hands, 5) if isinstance(hand, HandRead)]
    numbers = [started(hand).number for hand in first]
    assert numbers == ["1", "2", "3", "4", "5"]


def test_a_hand_without_end_is_cut_and_rejected() -> None:
    lines = [*STUD.splitlines(keepends=True)[:20], *["noise\n"] * 6_000]
    [wrong] = read_lines("long.txt", lines)
    assert isinstance(wrong, Rejected)
    assert len(wrong.text.splitlines()) == 5_000


def test_lines_are_numbered_through_the_file() -> None:
    texts = list(split(["a\n", "b\n", "\n", "a\n"], lambda line, _: line == "a"))
    assert [(text.line, text.last_line) for text in texts] == [(1, 2), (4, 4)]


def test_each_format_is_recognised_by_itself() -> None:
    ours = '{"hand":"…","n":1,"event":{"type":"hand_started.v1"}}\n'
    for text, name in (
        (STUD, "pokerstars"),
        (FULLTILT, "fulltilt"),
        (BOVADA, "bovada"),
        (PHH, "phh"),
        (ours, "jsonl"),
    ):
        found = [r.name for r in READERS.values() if any(map(r.recognises, text.splitlines()))]
        assert found == [name]


def test_a_file_put_together_from_several_sites_is_read_by_the_hand() -> None:
    text = "\n\n\n".join([FULLTILT, STUD, BOVADA, FULLTILT_HIGH_LOW])
    found = list(read_lines("x", text.splitlines(keepends=True)))
    assert all(isinstance(one, HandRead) for one in found)
    sites = [started(one).site for one in found if isinstance(one, HandRead)]
    assert sites == ["Full Tilt", "PokerStars", "Bovada", "Full Tilt"]


def test_a_reader_that_was_named_reads_nothing_else() -> None:
    text = f"{STUD}\n\n{BOVADA}"
    found = list(read_lines("x", text.splitlines(keepends=True), READERS["pokerstars"]))
    assert [type(one) for one in found] == [HandRead, Rejected]
