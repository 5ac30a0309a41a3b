"""What is fuzzed: each target makes nonsense from dice and sees that it does no harm."""

from __future__ import annotations

import io
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.commands import Void, decode_command
from domain.decide import decide
from domain.errors import Refused
from domain.evolve import replay
from domain.house_rules import ALL_GAMES
from domain.rulings import void
from services.bundles.checking import CannotCheck, check_bundle
from services.readers.reading import READERS, read_file, read_lines
from services.readers.strict import UnknownField, event_of
from tests.fuzz.bundling import bundle_of, repacked
from tests.fuzz.dice import NASTY_TEXT
from tests.fuzz.facts import KINDS, any_fact
from tests.fuzz.garbling import as_bytes, damaged, garbled
from tests.fuzz.sound import assert_answers, assert_outcome, let_in
from tests.support.bdd import DOLLARS, PLAY, started
from tests.support.hand_texts import CORPUS, PHH, STUD
from tests.support.mutations import mistold
from tests.support.played import played
from tests.support.site_texts import BOVADA, FULLTILT, FULLTILT_HIGH_LOW

Target = Callable[[random.Random], None]
NO_START = tuple(kind for kind in KINDS if kind is not e.HandStarted)


# -- files ---------------------------------------------------------------------------------------


def readers(dice: random.Random) -> None:
    """A damaged hand of some format, by the reader it looks like or by another."""
    text = garbled(dice.choice(texts()), texts(), dice)
    reader = None if dice.random() < 0.8 else dice.choice(list(READERS.values()))
    lines = max(text.count("\n") + text.count("\r"), 0) + 1
    for outcome in read_lines("a.txt", io.StringIO(text, newline=""), reader):
        assert_outcome(outcome, len(text), lines)


def files(dice: random.Random) -> None:
    """As `readers`, from bytes: any encoding, bytes that are of none."""
    if dice.random() < 0.1:
        data = bytes(dice.choices(range(256), k=dice.choice((0, 1, 2, 40))))
    else:
        data = as_bytes(garbled(dice.choice(texts()), texts(), dice), dice)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.txt"
        path.write_bytes(data)
        outcomes = list(read_file(path))
    assert outcomes, "every file comes to something"
    for outcome in outcomes:
        assert_outcome(outcome, len(data), len(data) + 1)


@cache
def texts() -> tuple[str, ...]:
    """Hands of every format: our own, and those of the corpus where it is."""
    corpus = sorted(CORPUS.rglob("*.phh")) + sorted(CORPUS.rglob("*.txt"))
    real = [hand for path in corpus for hand in _first_hands(path)]
    ours = ["".join(jsonl_of(log)) for log in logs()[:2]]
    buttons = (
        STUD.replace("8-max", "8-max Seat #1 is the button"),
        FULLTILT.replace("*** 3RD", "The button is in seat #1\n*** 3RD"),
        PHH.replace("bring_in", 'seat_count = 8\nplayers = ["al", "bo", "cy"]\nbring_in', 1),
    )
    return (*buttons, STUD, FULLTILT, FULLTILT_HIGH_LOW, BOVADA, PHH, *ours, *real)


def _first_hands(path: Path) -> list[str]:
    read = [getattr(outcome, "text", "") for outcome in read_file(path)]
    return [text for text in read if text][:2]


def jsonl_of(events: Sequence[e.HandEvent]) -> list[str]:
    """Events as our own JSON Lines."""
    hand = "00000000-0000-4000-8000-000000000001"
    return [
        f'{{"hand":"{hand}","n":{n},"event":{e.encode(event).decode()}}}\n'
        for n, event in enumerate(events, 1)
    ]


# -- facts ---------------------------------------------------------------------------------------


def event_bytes(dice: random.Random) -> None:
    """Damaged bytes of an event, as the log and as the edge decode them."""
    event = dice.choice(dice.choice(logs())) if dice.random() < 0.5 else any_fact(dice)
    data = damaged(_with_absurdities(e.encode(event), dice), dice)
    for decoder in (e.decode, event_of):
        try:
            decoded = decoder(data)
        except (msgspec.DecodeError, UnknownField) as refusal:
            assert len(str(refusal)) < 1000
        else:
            assert e.decode(e.encode(decoded)) == decoded


def commands(dice: random.Random) -> None:
    """Damaged bytes of a command, issued if they are one."""
    log = dice.choice(logs())
    seat = dice.randrange(12)
    kinds = ("complete", "bet", "raise", "call", "check", "fold", "time_out", "deal", "void")
    said: dict[str, object] = {"type": dice.choice(kinds), "seat": seat, "reason": "x"}
    if dice.random() < 0.3:
        said = {"type": "start_hand", "hand": json.loads(e.encode(any_fact(dice)))}
    data = _with_absurdities(json.dumps(said).encode(), dice)
    try:
        command = decode_command(damaged(data, dice) if dice.random() < 0.7 else data)
    except msgspec.DecodeError as refusal:
        assert len(str(refusal)) < 1000
        return
    events = log[: dice.randrange(1, len(log) + 1)] if said["type"] != "start_hand" else ()
    try:
        hand = replay(events) if events else None
        assert let_in((*events, *(more := decide(hand, command)))) == (*events, *more)
    except Refused as refused:
        assert refused.rule


def _with_absurdities(data: bytes, dice: random.Random) -> bytes:
    """Now and then with an unknown field whose value is deep, huge or no text."""
    if dice.random() < 0.7 or not data.endswith(b"}"):
        return data
    absurd = (
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        b"9" * 5_000,
        b'"\xff"',
        b'"\\ud800"',
        json.dumps(dice.choice(NASTY_TEXT)).encode(),
    )
    return data[:-1] + b',"x":' + dice.choice(absurd) + b"}"


# -- histories -----------------------------------------------------------------------------------


def histories(dice: random.Random) -> None:
    """Well-typed facts in any order, after a start or after a part of a real hand."""
    log = dice.choice(logs())
    if dice.random() < 0.5:
        start = any_fact(dice, (e.HandStarted,)) if dice.random() < 0.3 else log[0]
        log = (_absurd_start(start, dice),)
    else:
        log = log[: dice.randrange(1, len(log) + 1)]
    if dice.random() < 0.15:
        log = (*log, *_ruling(let_in(log), dice))
    wild = [_likelier(any_fact(dice, NO_START), log, dice) for _ in range(dice.choice((1, 3, 12)))]
    told = let_in((*log, *wild, *(log[len(log) // 2 :] if dice.random() < 0.2 else ())))
    if told:
        assert_answers(told)


def _ruling(log: Sequence[e.HandEvent], dice: random.Random) -> Iterator[e.HandEvent]:
    """A void, or a correction that balances."""
    if not log:
        return
    hand = replay(log)
    if dice.random() < 0.5 and not hand.voided:
        yield void(hand, Void(reason="misdeal"))
    seat, amount = dice.choice(hand.seats).seat, dice.choice((-20, -1, 1, 20))
    moves = (e.SeatMove(seat=seat, amount=amount),)
    yield e.AwardCorrected(moves=moves, rake=-amount, reason="misread", ruling=None)


def _absurd_start(start: e.HandEvent, dice: random.Random) -> e.HandEvent:
    """A start with one of its values from another that was made up."""
    other = any_fact(dice, (e.HandStarted,))
    field = dice.choice(start.__struct_fields__)
    return replace(start, **{field: getattr(other, field)})


def _likelier(event: e.HandEvent, log: Sequence[e.HandEvent], dice: random.Random) -> e.HandEvent:
    """The fact about a seat that is in the hand, of an amount that somebody may have."""
    start, changes = log[0], dict[str, object]()
    if isinstance(start, e.HandStarted) and start.seats and "seat" in event.__struct_fields__:
        taken = dice.choice(start.seats)
        changes["seat"] = taken.seat
        for field in {"amount", "to"} & set(event.__struct_fields__):
            changes[field] = dice.choice((0, 1, 5, 10, 20, 40, taken.stack))
    return replace(event, **changes)


def mistakes(dice: random.Random) -> None:
    """A hand that was played, told with one to three mistakes."""
    log = list(dice.choice(logs()))
    for _ in range(dice.choice((1, 1, 2, 3))):
        log = mistold(log, dice) if log else log
    told = let_in(log)
    if told:
        assert_answers(told)


@cache
def logs() -> tuple[tuple[e.HandEvent, ...], ...]:
    """Hands that were played by the rules, of every game, for real money and for play."""
    dice, stacks = random.Random(7), {1: 300, 3: 4000, 4: 90, 8: 2000}
    starts = [
        started(stacks, game=game, small=200, ante=25, bring_in=100, chip=chip, money=money)
        for game in ALL_GAMES
        for chip, money in ((1, DOLLARS), (5, PLAY))
    ]
    return tuple(played(start, dice) for start in starts for _ in range(2))


# -- bundles -------------------------------------------------------------------------------------


def bundles(dice: random.Random) -> None:
    """An archive with damaged bytes, or with damaged files and digests made to fit."""
    whole = bundle_of(logs()[:3])
    if dice.random() < 0.4:
        data = damaged(whole, dice)
    else:
        data = repacked(whole, lambda content: damaged(content, dice), dice)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.zip"
        path.write_bytes(data)
        try:
            found = check_bundle(path)
        except CannotCheck as refusal:
            assert len(str(refusal)) < 2000
        else:
            assert len(msgspec.json.encode(found)) < 1_000_000


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (readers, files, event_bytes, commands, histories, mistakes, bundles)
}
