"""The fields of a PHH hand, each read as what it must be or refused by name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from domain.events import Money
from domain.house_rules import PRESETS, HouseRules
from domain.units import MOST_DECIMALS, Chips
from services.readers.amounts import CENTS, NotAnAmount, has_few_digits, of_decimal
from services.readers.names import fit_to_keep
from services.readers.record import MOST_SEATS, Unreadable
from services.readers.splitting import HandText
from services.readers.times import in_utc

_WHOLE_UNITS = frozenset({"JPY", "KRW", "VND", "CLP", "ISK", "HUF"})
_TOML_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?!\S)", re.ASCII)


class Fields:
    """The table of one hand. Every method raises `Unreadable` for a field that is not right."""

    def __init__(self, table: dict[str, Any], line: int) -> None:
        self._table = table
        self.line = line
        self.variant = self.text("variant", required=True)
        self.actions = self._actions()
        self.money = self._money()

    def text(self, name: str, *, required: bool = False) -> str:
        """A text or number as text; empty where it may be missing."""
        value = self._table.get(name, "")
        if isinstance(value, bool | list | dict) or (required and value == ""):
            raise self._wrong(name, "missing or no text")
        if isinstance(value, int | Decimal) and not has_few_digits(Decimal(value)):
            raise self._wrong(name, "a number of too many digits")
        return self._printable(str(value), name)

    def amount(self, name: str) -> Chips:
        """An amount in minor units."""
        return self._minor(self._table.get(name), name)

    def amounts(self, name: str, count: int | None = None) -> list[Chips] | None:
        """One amount per player, in minor units; None where the field is missing."""
        values = self._table.get(name)
        if values is None:
            return None
        if not isinstance(values, list) or (count is not None and len(values) != count):
            raise self._wrong(name, "not one amount per player")
        return [self._minor(value, name) for value in values]

    def results(self, count: int) -> list[int] | None:
        """`winnings`, one per player: who lost may have a negative one."""
        values = self._table.get("winnings")
        if values is None:
            return None
        if not isinstance(values, list) or len(values) != count:
            raise self._wrong("winnings", "not one amount per player")
        return [self._signed(value, "winnings") for value in values]

    def starting_stacks(self) -> list[Chips]:
        """The stacks before the hand, which also say how many play."""
        stacks = self.amounts("starting_stacks")
        if stacks is None or not 2 <= len(stacks) <= MOST_SEATS:
            raise self._wrong("starting_stacks", "not two to ten amounts")
        return stacks

    def names(self, count: int) -> list[str]:
        """The players' names; `p1` and so on where the record leaves them out."""
        names = self._table.get("players", [])
        if not isinstance(names, list) or len(names) not in (0, count):
            raise self._wrong("players", "not one name per player")
        names = [name.strip() if isinstance(name, str) else "" for name in names or [""] * count]
        return [self._printable(n, "players") or f"p{place}" for place, n in enumerate(names, 1)]

    def seats(self, count: int) -> list[int]:
        """The seats, in the order of play; 1, 2, 3 … where the record leaves them out."""
        seats = self._table.get("seats", list(range(1, count + 1)))
        right = (
            isinstance(seats, list)
            and len(set(map(str, seats))) == count == len(seats)
            and all(type(seat) is int and 1 <= seat <= MOST_SEATS for seat in seats)
        )
        if not right:
            raise self._wrong("seats", "not one seat from 1 to 10 per player")
        assert isinstance(seats, list)
        return seats

    def seat_count(self, least: int) -> int:
        """How many seats the table has, as far as seats are numbered."""
        count = self._table.get("seat_count")
        return min(max(count, least), MOST_SEATS) if type(count) is int else least

    def played_at(self) -> datetime | None:
        """The time in UTC; midnight where only the day is recorded, None without a day."""
        try:
            year, month, day_of_month = (int(self.text(part)) for part in ("year", "month", "day"))
            day = datetime(year, month, day_of_month)
        except (ValueError, OverflowError):
            return None
        clock = self._table.get("time")
        if not isinstance(clock, time):
            return day.replace(tzinfo=UTC)
        local = datetime.combine(day.date(), clock)
        zone = self.text("time_zone") or self.text("time_zone_abbreviation")
        return in_utc(local, zone) or local.replace(tzinfo=UTC)

    def ours(self, name: str) -> str:
        """What this program itself wrote beside the notation, as text; empty where it did not."""
        told = self._table.get("_studledger")
        value = told.get(name, "") if isinstance(told, dict) else ""
        return self._printable(str(value), f"_studledger.{name}")

    def hand(self) -> UUID | None:
        """The id under which this program knows the hand."""
        try:
            return UUID(self.ours("hand")) if self.ours("hand") else None
        except ValueError:
            raise self._wrong("_studledger.hand", "not the id of a hand") from None

    def house_rules(self) -> HouseRules | None:
        """The preset it was played under."""
        name = self.ours("house_rules")
        if name and name not in PRESETS:
            raise self._wrong("_studledger.house_rules", "no preset that is known")
        return PRESETS[name] if name else None

    def dealer(self, last: int) -> int | None:
        """The dealer's seat: the last player's unless it says otherwise, 0 for an unknown one."""
        told = self.ours("dealer")
        if told and told not in map(str, range(MOST_SEATS + 1)):
            raise self._wrong("_studledger.dealer", "no seat at a table")
        return (int(told) or None) if told else last

    def minor(self, printed: str, line: int) -> Chips:
        """An amount inside an action."""
        try:
            if _NUMBER.fullmatch(printed):
                return of_decimal(Decimal(printed), self.money.exponent)
        except NotAnAmount as wrong:
            raise Unreadable(line, str(wrong)) from None
        raise Unreadable(line, f"'{printed[:40]}' is not an amount")

    def _signed(self, value: object, name: str) -> int:
        if isinstance(value, int | Decimal) and Decimal(value).is_finite() and value < 0:
            return -self._minor(-value, name)
        return self._minor(value, name)

    def _minor(self, value: object, name: str) -> Chips:
        try:
            if isinstance(value, int | Decimal) and not isinstance(value, bool):
                return of_decimal(Decimal(value), self.money.exponent)
        except NotAnAmount as wrong:
            raise self._wrong(name, str(wrong)) from None
        raise self._wrong(name, "missing or no amount")

    def _printable(self, text: str, name: str) -> str:
        if not fit_to_keep(text):
            raise self._wrong(name, "too long, or not fit to be printed")
        return text

    def _actions(self) -> list[str]:
        actions = self._table.get("actions")
        if not isinstance(actions, list) or not all(isinstance(a, str) for a in actions):
            raise self._wrong("actions", "missing or no list of texts")
        return actions

    def _money(self) -> Money:
        currency = self.text("currency").upper()
        if currency:
            exponent = 0 if currency in _WHOLE_UNITS else CENTS
            return Money(kind="real", currency=currency, exponent=exponent)
        kind = "tournament" if self.text("event") else "play"
        return Money(
            kind="tournament" if kind == "tournament" else "play",
            currency="chips",
            exponent=self._decimals(),
        )

    def _decimals(self) -> int:
        """How many decimals chips without a currency are counted in, here."""
        values: list[object] = [self._table.get(n) for n in ("bring_in", "small_bet", "big_bet")]
        for name in ("antes", "starting_stacks", "finishing_stacks", "winnings"):
            listed = self._table.get(name)
            values += listed if isinstance(listed, list) else []
        printed = [format(v, "f") for v in values if isinstance(v, Decimal) and has_few_digits(v)]
        printed += [number for action in self.actions for number in _NUMBER.findall(action)]
        fractions = (number.partition(".")[2].rstrip("0") for number in printed)
        # What has more decimals is no amount; its own field or action says so.
        return min(max(map(len, fractions), default=0), MOST_DECIMALS)

    def _wrong(self, name: str, why: str) -> Unreadable:
        return Unreadable(self.line, f"field '{name}': {why}")


def fields_of(hand: HandText) -> Fields:
    """The fields of a hand's text. Raises `Unreadable` for what is not TOML."""
    text = hand.text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as wrong:  # numbers of 5,000 digits are ValueErrors
        place = _TOML_PLACE.search(str(wrong))
        line = hand.line + int(place[1]) - 1 if place else hand.last_line
        what = _TOML_PLACE.sub("", str(wrong)).strip()
        raise Unreadable(line, f"not TOML, perhaps broken off: {what[:120]}") from None
    inner = next(iter(table.values())) if len(table) == 1 else table
    return Fields(inner if isinstance(inner, dict) else table, _line_of(hand, "variant"))


def _line_of(hand: HandText, field: str) -> int:
    return next((n for n, line in hand.lines() if line.startswith(field)), hand.line)


def action_lines(hand: HandText, actions: Sequence[str]) -> list[int]:
    """The line each action stands on, found in the order they come."""
    text, at, line = hand.text, hand.text.find("actions"), hand.line
    line += text.count("\n", 0, max(at, 0))
    lines: list[int] = []
    for action in actions:
        found = text.find(action, at)
        if found >= 0:
            line += text.count("\n", at, found)
            at = found + len(action)
        lines.append(line)
    return lines
