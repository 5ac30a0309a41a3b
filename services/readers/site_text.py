"""What the text histories of all sites have in common, whatever their words are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

import msgspec

from domain.events import Money, SeatTaken, Stakes, TableRef
from domain.units import Card, Chips, Game, Half, Seat
from services.readers.amounts import NotAnAmount, minor_units, small_number
from services.readers.cards import cards_of
from services.readers.names import Names, fit_to_keep
from services.readers.record import MOST_SEATS, Fact, FactKind, Record, Unreadable
from services.readers.splitting import HandText, looks_like_a_header, split

Numbered = Sequence[tuple[int, str]]
"""Lines with their numbers in the file, blank ones left out."""

Acts = tuple[tuple[re.Pattern[str], FactKind], ...]
"""What may stand after a player's name. The groups `amount`, `all_in`, `cards`, `side`, `n` and
`half` are read where a pattern has them."""

TAKES_PART = frozenset({"ante", "dealt", "bring_in", "wager", "call", "check", "fold"})
"""Facts of somebody dealt in."""

MOST_ECHOED = 60
"""Characters of a line not understood that an error repeats."""


def amount_at(printed: str, exponent: int, line: int) -> Chips:
    """A printed amount in minor units. Raises `Unreadable`."""
    try:
        return minor_units(printed, exponent)
    except NotAnAmount as wrong:
        raise Unreadable(line, str(wrong)) from None


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What the first line says; the bets in minor units of `money`, 0 where it prints none."""

    line: int
    number: str
    game: Game
    small_bet: Chips
    big_bet: Chips
    money: Money
    played_at: datetime | None


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Where the parts of a hand stand in a site's text.

    `seat` is a line of the seat list with the groups `seat`, `name` and `stack`; `total` the line
    that no summary lacks, with the group `rake` if it is printed; `listed` begins the summary's
    line of a seat and gives its number; `cancelled` says that the hand does not count. Who has
    no name is called `nameless`.
    """

    is_header: Callable[[str], bool]
    seat: re.Pattern[str]
    total: re.Pattern[str]
    listed: re.Pattern[str]
    cancelled: re.Pattern[str]
    summary: str = "*** SUMMARY ***"
    nameless: str = ""

    def hands_of(self, lines: Iterable[str]) -> Iterator[HandText]:
        """The hands of a file, one at a time."""
        return split(lines, self._starts)

    def _starts(self, line: str, after_blank: bool) -> bool:
        """A hand begins with its header, or with one that is worded anew, after a gap."""
        return self.is_header(line) or (after_blank and looks_like_a_header(line))

    def lines_of(self, hand: HandText) -> Numbered:
        """A hand's lines, header first; none for a preface. Raises `Unreadable`.

        Lines of a hand without a known header are an error.
        """
        lines = [(number, line) for number, line in hand.lines() if line]
        if lines and self.is_header(lines[0][1]):
            return lines
        if any(line.startswith("*** ") or self.seat.fullmatch(line) for _, line in lines):
            number, first = lines[0]
            first = first[:MOST_ECHOED]
            raise Unreadable(number, f"a hand without a header that is known: '{first}'")
        return ()

    def cut(self, lines: Numbered) -> tuple[Numbered, Numbered]:
        """The lines after the header as body and summary.

        Raises `Unreadable` for a text broken off; a cancelled hand may end anywhere.
        """
        body = lines[1:]
        for place, (_, line) in enumerate(body):
            if line == self.summary and any(self.total.fullmatch(said) for _, said in body[place:]):
                return body[:place], body[place + 1 :]
        if any(self.cancelled.fullmatch(line) for _, line in body):
            return body, ()
        raise Unreadable(lines[-1][0], "the hand breaks off before its summary")

    def seats(self, body: Numbered, exponent: int) -> SeatList:
        """The seat list that stands before the first section. Raises `Unreadable`."""
        seats = SeatList()
        for number, line in opening(body):
            match = self.seat.fullmatch(line)
            if match:
                stack = amount_at(match["stack"], exponent, number)
                seat = small_number(match["seat"])
                name = match["name"] or self.nameless.format(seat=seat)
                seats.add(seat, name, stack, number)
        if not seats.all:
            raise Unreadable(body[0][0] if body else 1, "the hand has no seat list")
        return seats

    def acts(self, body: Numbered) -> Numbered:
        """The lines of the body that are not the seat list."""
        return [(number, line) for number, line in body if not self.seat.fullmatch(line)]

    def rake(self, summary: Numbered, exponent: int) -> Chips | None:
        """The rake printed in the summary."""
        for number, line in summary:
            match = self.total.fullmatch(line)
            if match and match["rake"]:
                return amount_at(match["rake"], exponent, number)
        return None

    def refuse_broken_off(self, summary: Numbered, playing: set[Seat]) -> None:
        """A summary that lists seats lists everyone dealt in."""
        matches = (self.listed.match(line) for _, line in summary)
        seats = {small_number(match[1]) for match in matches if match}
        if seats and not playing <= seats:
            raise Unreadable(summary[-1][0], "the hand breaks off in its summary")


def opening(body: Numbered) -> Numbered:
    """What stands before the first section."""
    first = next((i for i, (_, line) in enumerate(body) if line.startswith("***")), len(body))
    return body[:first]


class SeatList:
    """Who sits where with what, as printed before the antes."""

    def __init__(self) -> None:
        self._seats: dict[Seat, tuple[str, Chips]] = {}

    def add(self, seat: Seat, name: str, stack: Chips, line: int) -> None:
        """One more player. Raises `Unreadable` for a seat or name there already."""
        if seat in self._seats or any(name == other for other, _ in self._seats.values()):
            raise Unreadable(line, "the seat list names a seat or a player twice")
        if not 1 <= seat <= MOST_SEATS:
            raise Unreadable(line, f"there is no seat {seat} at a table")
        if not fit_to_keep(name):
            raise Unreadable(line, "a player's name is too long, or not fit to be printed")
        self._seats[seat] = name, stack

    @property
    def names(self) -> Names:
        """Everybody's name."""
        return Names({name: seat for seat, (name, _) in self._seats.items()})

    @property
    def all(self) -> set[Seat]:
        """Every seat of the list."""
        return set(self._seats)

    def taken(self, dealt_in: Iterable[Seat]) -> tuple[SeatTaken, ...]:
        """Those who play, in the order of seats."""
        playing = set(dealt_in)
        return tuple(
            SeatTaken(seat=seat, player=name, stack=stack)
            for seat, (name, stack) in sorted(self._seats.items())
            if seat in playing
        )


def record_from(
    header: Header,
    format_: str,
    site: str,
    *,
    table: TableRef,
    seats: SeatList,
    facts: Sequence[Fact],
    rake: Chips | None,
    dealer: Seat | None = None,
) -> Record:
    """The record of a hand whose number is its name at the site. Raises `Unreadable`."""
    if not fit_to_keep(table.name):
        raise Unreadable(header.line, "the table's name is too long, or not fit to be printed")
    playing = dealt_in(facts, seats)
    return Record(
        line=header.line,
        format=format_,
        site=site,
        number=header.number,
        identity=header.number,
        game=header.game,
        stakes=stakes_of(header.small_bet, header.big_bet, facts),
        money=header.money,
        table=table,
        dealer=dealer if dealer in range(1, MOST_SEATS + 1) else None,
        seats=seats.taken(playing),
        played_at=header.played_at,
        facts=tuple(fact for fact in facts if fact.seat in playing or not fact.seat),
        rake=rake,
    )


def dealt_in(facts: Iterable[Fact], seats: SeatList) -> set[Seat]:
    """Who antes, gets a card or acts; everybody in a hand cancelled before that."""
    kinds: set[FactKind] = set()
    playing: set[Seat] = set()
    for fact in facts:
        kinds.add(fact.kind)
        if fact.kind in TAKES_PART:
            playing.add(fact.seat)
    return seats.all if "cancelled" in kinds and not playing else playing


def act_of(
    number: int, seat: Seat, kind: FactKind, match: re.Match[str], exponent: int
) -> Iterator[Fact]:
    """What a matched line says. Raises `Unreadable` for amounts and cards that are none."""
    said = match.groupdict()
    amount, half = said.get("amount"), said.get("half")
    cards = cards_of(said.get("cards") or "", number)
    if kind == "fold" and cards:
        yield Fact(number, "holds", seat, cards=cards)
        cards = ()
    yield Fact(
        number,
        kind,
        seat,
        None if amount is None else amount_at(amount, exponent, number),
        cards,
        all_in=bool(said.get("all_in")),
        pot=small_number(said.get("n") or "1") if said.get("side") else 0,
        half=_HALVES.get(half.lower()) if half else None,
    )


_HALVES: dict[str, Half] = {"high": "high", "low": "low", "hi": "high", "lo": "low"}


def deal_of(
    number: int, seat: Seat, street: int, groups: Sequence[tuple[Card, ...]]
) -> Iterator[Fact]:
    """Cards dealt to a seat: those before, if they are repeated, then the new ones.

    Third street prints all that is seen at once, perhaps down cards and door card apart.
    """
    *before, new = groups
    if street < 3:
        raise Unreadable(number, "cards are dealt before third street")
    if street == 3:
        new = tuple(card for group in groups for card in group)
        slot = 2 if len(new) == 1 else 0
    else:
        slot = street - 1
        for cards in before:
            yield Fact(number, "dealt", seat, cards=cards, slot=_first(cards, street, number))
    if len(new) not in ((1, 3) if street == 3 else (1,)):
        raise Unreadable(number, f"{len(new)} cards dealt to seat {seat} at once")
    yield Fact(number, "dealt", seat, cards=new, slot=slot)


def _first(cards: tuple[Card, ...], street: int, number: int) -> int:
    """The slot of the first card of those before: all of a hand, or its upcards alone."""
    before = street - 1
    if len(cards) not in (before, before - 2):
        raise Unreadable(number, f"a hand of {len(cards)} cards before street {street}")
    return 0 if len(cards) == before else 2


def stakes_of(small_bet: Chips, big_bet: Chips, facts: Sequence[Fact]) -> Stakes:
    """The bets given, and the ante and the bring-in as the lines show them."""
    return Stakes(
        small_bet=small_bet,
        big_bet=big_bet,
        ante=_usual(fact for fact in facts if fact.kind == "ante"),
        bring_in=_bring_in(small_bet, facts),
        chip_unit=1,
    )


def _usual(facts: Iterable[Fact]) -> Chips:
    """What is put in by who can afford it, else the most that anybody could."""
    paid = [(not fact.all_in, fact.amount or 0) for fact in facts]
    return max(paid, default=(True, 0))[1]


def _bring_in(small_bet: Chips, facts: Sequence[Fact]) -> Chips:
    """The bring-in printed; a short one leaves it to the first caller, none to the usual half."""
    half = -(-small_bet // 2)
    posted = next((fact for fact in facts if fact.kind == "bring_in"), None)
    if posted is None:
        return half
    short = posted.amount or 0
    if not posted.all_in:
        return short
    after = facts[facts.index(posted) :]
    caller = next((f for f in after if f.kind in ("call", "wager", "street")), posted)
    if caller.kind == "call" and not caller.all_in:
        return caller.amount or 0
    return max(short, half)
