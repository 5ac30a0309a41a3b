"""What fuzzing found, each as its smallest input: refused in words where it once did harm."""

from __future__ import annotations

import io
import random
import zipfile
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain import events as e
from domain.commands import Void, decode_command
from domain.consequences import consequences
from domain.errors import CorruptHistory
from domain.evolve import evolve, replay
from domain.hand import Hand
from domain.legal import legal_actions
from domain.rulings import void
from domain.units import MOST_CHIPS
from services.bundles import contents as c
from services.bundles.checking import CannotCheck, check_bundle
from services.readers.amounts import NotAnAmount, of_decimal
from services.readers.strict import event_of
from tests.fuzz.bundling import bundle_of
from tests.fuzz.targets import jsonl_of, logs
from tests.support.bdd import PLAY, Table, started
from tests.support.hand_texts import PHH, STUD, read, rejected
from tests.support.hand_texts import started as of_start
from tests.support.site_texts import FULLTILT

DEEP = "[" * 100_000
FIVE_THOUSAND_DIGITS = "9" * 5_000


# -- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("decoder", [e.decode, event_of, decode_command])
def test_what_is_nested_too_deep_is_no_event_and_no_command(decoder: object) -> None:
    nested = f'{{"type":"start_hand","hand":{{"x":{DEEP}'.encode()
    unknown = f'{{"type":"checked.v1","seat":1,"x":{DEEP}'.encode()
    assert callable(decoder)
    with pytest.raises(msgspec.DecodeError):
        decoder(nested if decoder is decode_command else unknown)


def test_a_line_of_json_nested_too_deep_is_rejected() -> None:
    first, second, *rest = jsonl_of(logs()[0])
    inside = second.replace('"event":{', f'"event":{{"x":{DEEP}{"]" * len(DEEP)},')
    for line in (inside, f'{{"hand":"{DEEP}\n'):
        assert rejected("".join([first, line, *rest])).line == 2


def test_a_number_no_reader_of_json_keeps_exact_is_refused_wherever_it_stands() -> None:
    said = f'{{"type":"community_card_dealt.v1","card":"Ah","position":{MOST_CHIPS + 1}}}'
    with pytest.raises(msgspec.ValidationError, match=r"at `\$\.position`"):
        event_of(said.encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("small_bet = 5", f"small_bet = {FIVE_THOUSAND_DIGITS}"),
        ("small_bet = 5", f"small_bet = 0x{'F' * 5_000}"),
        ("small_bet = 5", "small_bet = 1e-999999999"),
        ("small_bet = 5", "small_bet = 5e999999999"),
        ("small_bet = 5", f"small_bet = 5.{'0' * 400}1"),
        ("p3 cbr 5", f"p3 cbr 5.{'0' * 400}1"),
        ("p2 f", f"p{FIVE_THOUSAND_DIGITS} f"),
        ('variant = "F7S"', f'variant = "F7S"\nhand = 0x{"F" * 5_000}'),
    ],
)
def test_a_phh_number_of_very_many_digits_is_rejected(old: str, new: str) -> None:
    wrong = rejected(PHH.replace(old, new, 1))
    assert len(wrong.reason) <= 301


def test_an_amount_is_never_rounded_to_fit() -> None:
    with pytest.raises(NotAnAmount):
        of_decimal(Decimal(f"1.{'0' * 35}1"), 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Seat 2: bert folded", f"Seat {FIVE_THOUSAND_DIGITS}: bert folded"),
        ("Seat 2: bert ($20 in chips)", f"Seat {FIVE_THOUSAND_DIGITS}: bert ($20 in chips)"),
    ],
)
def test_a_seat_of_very_many_digits_is_rejected(old: str, new: str) -> None:
    rejected(STUD, (old, new))


def test_a_button_at_a_seat_no_table_has_leaves_the_dealer_unknown() -> None:
    for button in ("0", "99"):
        line = f"The button is in seat #{button}\ncleo antes $0.20"
        hand = read(FULLTILT, ("cleo antes $0.20", line))
        assert of_start(hand).dealer is None
    hand = read(STUD, ("8-max", "8-max Seat #99 is the button"))
    assert of_start(hand).dealer is None


def test_a_table_has_no_more_seats_than_are_numbered() -> None:
    text = PHH.replace("bring_in = 2", f"bring_in = 2\nseat_count = {10**30}")
    for hand in (read(text), read(FULLTILT, ("(6 max)", "(99 max)"))):
        assert of_start(hand).table.max_seats == 10


def test_a_year_in_which_nobody_played_is_no_time() -> None:
    for year in ("0001", "9999"):
        assert of_start(read(STUD, ("2024/03/01", f"{year}/03/01"))).played_at is None


def test_a_currency_of_very_many_letters_is_rejected() -> None:
    wrong = rejected(PHH, ("bring_in = 2", f'bring_in = 2\ncurrency = "{"X" * 400}"'))
    assert wrong.reason.startswith("more than can be kept")


def test_nobody_sits_twice() -> None:
    wrong = rejected(PHH, ("bring_in = 2", 'bring_in = 2\nplayers = ["al", "bo", "al"]'))
    assert wrong.reason == "a player sits twice"
    first, *rest = jsonl_of(logs()[0])
    wrong = rejected("".join([first.replace("player-3", "player-1"), *rest]))
    assert wrong.reason == "a player sits twice"


def test_a_reason_holds_nothing_that_steers_a_terminal() -> None:
    wrong = rejected(STUD, ("cleo: raises $0.50 to $1", "cleo: raises $0.50 to $\x1b[2J"))
    assert wrong.reason.isprintable()


# -- histories -----------------------------------------------------------------------------------


def test_a_board_with_a_community_card_nobody_saw_leaves_the_opener_open() -> None:
    table = Table(started()).passively(6)
    hand = evolve(table.now, e.CommunityCardDealt(card="??", position=None))
    assert len({choice.seat for choice in legal_actions(hand)}) != 1


def test_who_acts_before_any_card_is_up_makes_no_opening_by_itself() -> None:
    facts: list[e.HandEvent] = [started(), *(_dealt_down(seat) for seat in (1, 2, 3))]
    assert consequences(replay([*facts, e.Checked(seat=1)])) == ()


def _dealt_down(seat: int) -> e.CardsDealt:
    return e.CardsDealt(seat=seat, street=3, down=("??",) * 2, up=(), positions=None)


@pytest.mark.parametrize("exponent", [-1, 16, 10**30])
def test_money_of_so_many_decimals_is_no_history(exponent: int) -> None:
    with pytest.raises(CorruptHistory, match="decimals"):
        replay([started(money=replace(PLAY, exponent=exponent))])


def test_more_chips_than_can_be_counted_are_no_history() -> None:
    with pytest.raises(CorruptHistory, match="counted"):
        replay([started({1: MOST_CHIPS, 2: 1})])


@pytest.mark.parametrize("pot", [-1, 10, 2**40])
def test_a_pot_of_a_number_no_hand_can_have_is_no_history(pot: int) -> None:
    award = e.PotAwarded(
        pot=pot, half="whole", amount=0, shares=(), reason=e.Reason(rule="G1", compared=())
    )
    with pytest.raises(CorruptHistory, match="pot"):
        evolve(Table(started()).now, award)


def test_nobody_bears_rake_where_nobody_was_dealt_in() -> None:
    shares = (e.SeatAmount(seat=10, amount=0),)
    borne = e.Attribution(method="dealt", version=1, shares=shares)
    taken = e.RakeTaken(total=0, pots=(0,), row=None, step=None, attribution=borne)
    with pytest.raises(CorruptHistory, match="seat 10"):
        evolve(Table(started()).now, taken)


def _void() -> Hand:
    hand = Table(started(ante=5)).passively(4).now
    return evolve(hand, void(hand, Void(reason="misdeal")))


@pytest.mark.parametrize(
    "fact",
    [
        e.AntePosted(seat=1, amount=5, all_in=False),
        e.Called(seat=1, amount=5, all_in=False),
        e.Raised(seat=1, to=500, size="small", all_in=False),
        e.UncalledReturned(seat=1, amount=5),
    ],
    ids=lambda fact: e.tag_of(fact),
)
def test_nothing_moves_chips_in_a_hand_that_is_void(fact: e.HandEvent) -> None:
    with pytest.raises(CorruptHistory, match="void"):
        evolve(_void(), fact)


def test_no_more_rake_is_given_back_than_was_taken() -> None:
    moves = (e.SeatMove(seat=1, amount=1),)
    correction = e.AwardCorrected(moves=moves, rake=-1, reason="misread", ruling=None)
    with pytest.raises(CorruptHistory, match="rake"):
        evolve(Table(started()).now, correction)


def test_cards_nobody_saw_are_of_the_same_deck() -> None:
    facts = [started(dict.fromkeys(range(1, 9), 100))]
    dealt = e.CardsDealt(seat=1, street=3, down=("??",) * 53, up=(), positions=None)
    with pytest.raises(CorruptHistory, match="deck"):
        replay([*facts, dealt])


# -- bundles -------------------------------------------------------------------------------------


def bundle(tmp_path: Path, name: str, content: bytes, kind: int = zipfile.ZIP_DEFLATED) -> Path:
    """A bundle in which one file is another, packed so."""
    path = tmp_path / "touched.zip"
    with (
        zipfile.ZipFile(io.BytesIO(bundle_of(logs()[:1]))) as whole,
        zipfile.ZipFile(path, "w", kind) as out,
    ):
        for held in whole.namelist():
            out.writestr(held, content if held == name else whole.read(held))
    return path


def test_a_manifest_nested_too_deep_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(CannotCheck, match="not JSON that can be read"):
        check_bundle(bundle(tmp_path, c.MANIFEST, f'{{"proof":{{"a":{DEEP}'.encode()))


def test_a_fact_nested_too_deep_is_tampering(tmp_path: Path) -> None:
    found = check_bundle(bundle(tmp_path, c.EVENTS, f'{{"x":{DEEP}\n'.encode()))
    assert any("line 1 cannot be read" in text for text in found.tampering)


def test_schedules_that_would_fill_the_memory_are_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(CannotCheck, match="would swell"):
        check_bundle(bundle(tmp_path, c.SCHEDULES, b" " * (1 << 21)))
    found = check_bundle(bundle(tmp_path, c.SCHEDULES, random.Random(1).randbytes(1 << 21)))
    assert any("too large" in text for text in found.tampering)


def test_files_packed_as_no_bundle_packs_them_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(CannotCheck, match="packed in another way"):
        check_bundle(bundle(tmp_path, c.README, b"", zipfile.ZIP_BZIP2))


def test_a_manifest_whose_packing_is_damaged_cannot_be_checked(tmp_path: Path) -> None:
    path = bundle(tmp_path, c.README, b"")
    with zipfile.ZipFile(path) as whole:
        at = whole.getinfo(c.MANIFEST).header_offset + 30 + len(c.MANIFEST)
    data = bytearray(path.read_bytes())
    data[at : at + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    with pytest.raises(CannotCheck, match="is damaged"):
        check_bundle(path)
