"""What a table is to be opened with, as somebody asks for it: the rest is chosen by game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from domain.discreet import Discreet
from domain.events import Money, ScheduleRef, Stakes
from domain.house_rules import DEFAULT_BY_GAME, PRESETS, HouseRules
from domain.schedules import DEFAULT_SCHEDULE, published
from domain.starting import MOST_PLAYERS, default_bring_in
from domain.tables.events import TableOpened
from domain.units import MOST_CHIPS, MOST_DECIMALS, Chips, Game
from services.errors import ServiceError
from services.readers.strict import require_fit
from services.schedules import UnknownSchedule, named
from services.seating.people import SITE

Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00]+$")]
Currency = Annotated[str, Meta(pattern=r"^[A-Za-z]{1,10}$")]
Exponent = Annotated[int, Meta(ge=0, le=MOST_DECIMALS)]
Unit = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]
Seats = Annotated[int, Meta(ge=1, le=10)]


class BadTerms(ServiceError):
    """There is nothing of this name; `part` is the field it was asked in."""

    def __init__(self, part: str, message: str, possible: tuple[str, ...]) -> None:
        super().__init__(message)
        self.part = part
        self.possible = possible


class _Wanted(Discreet, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of what is asked for."""


class StakesWanted(_Wanted, frozen=True):
    """The bets, in minor units. Without `big_bet` it is twice the small bet (S6).

    Without `bring_in` it is half the small bet, rounded up to the chip (S4).
    """

    small_bet: Chips
    big_bet: Chips | None = None
    ante: Chips = 0
    bring_in: Chips | None = None
    chip_unit: Unit = 1


class MoneyWanted(_Wanted, frozen=True):
    """What is played for. Play money is counted in whole chips, all else in hundredths.

    The currency is `chips` for play money and `USD` otherwise, unless another is named.
    """

    kind: Literal["real", "play", "tournament"] = "play"
    currency: Currency | None = None
    exponent: Exponent | None = None


class HouseRulesWanted(HouseRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules given whole."""


class ScheduleWanted(ScheduleRef, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published rake schedule by id and version."""


class TableWanted(_Wanted, frozen=True):
    """A table to be opened. `house_rules` names a preset or gives every rule.

    Without it the game's own preset holds. `rake_schedule` is `ID:VERSION`, or the newest of `ID`;
    a table for real money without one uses the room's own.
    """

    name: Name
    game: Game
    stakes: StakesWanted
    money: MoneyWanted = msgspec.field(default_factory=MoneyWanted)
    max_seats: Seats = MOST_PLAYERS
    house_rules: str | HouseRulesWanted | None = None
    rake_schedule: str | ScheduleWanted | None = None


def terms(wanted: TableWanted) -> TableOpened:
    """The facts to open the table with.

    Raises `BadTerms` for a name there is nothing of, or rules that are no text or number to keep.
    """
    rules = _house_rules(wanted)
    return TableOpened(
        name=wanted.name,
        game=wanted.game,
        stakes=_stakes(wanted.stakes),
        money=_money(wanted.money),
        house_rules=rules,
        rake_schedule=_schedule(wanted, rules),
        max_seats=wanted.max_seats,
        site=SITE,
    )


def _stakes(wanted: StakesWanted) -> Stakes:
    small, chip = wanted.small_bet, wanted.chip_unit
    bring_in = wanted.bring_in
    return Stakes(
        small_bet=small,
        big_bet=2 * small if wanted.big_bet is None else wanted.big_bet,
        ante=wanted.ante,
        bring_in=default_bring_in(small, chip) if bring_in is None else bring_in,
        chip_unit=chip,
    )


def _money(wanted: MoneyWanted) -> Money:
    currency, exponent = ("chips", 0) if wanted.kind == "play" else ("USD", 2)
    return Money(
        kind=wanted.kind,
        currency=wanted.currency or currency,
        exponent=exponent if wanted.exponent is None else wanted.exponent,
    )


def _house_rules(wanted: TableWanted) -> HouseRules:
    asked = wanted.house_rules
    if asked is None:
        return DEFAULT_BY_GAME[wanted.game]
    if isinstance(asked, HouseRulesWanted):
        return _fitting({name: getattr(asked, name) for name in HouseRules.__struct_fields__})
    rules = PRESETS.get(asked)
    if rules is None:
        raise BadTerms("house_rules", "there is no preset of this name", tuple(PRESETS))
    return rules


def _fitting(told: dict[str, Any]) -> HouseRules:
    """Rules told whole, as far as every column and page has a place for them."""
    rules = HouseRules(**told)
    try:
        require_fit(rules)
    except msgspec.ValidationError as wrong:
        raise BadTerms("house_rules", str(wrong), ()) from None
    return rules


def _schedule(wanted: TableWanted, rules: HouseRules) -> ScheduleRef | None:
    """The schedule named; without a name the room's own where rake is due by one, else none."""
    asked = wanted.rake_schedule
    if isinstance(asked, str):
        return _named(asked)
    if asked is not None:
        return _named(f"{asked.id}:{asked.version}")
    raked = wanted.money.kind == "real" and rules.rake == "schedule"
    return DEFAULT_SCHEDULE if raked else None


def _named(called: str) -> ScheduleRef:
    try:
        return named(called, published()).ref
    except UnknownSchedule as unknown:
        raise BadTerms("rake_schedule", str(unknown), unknown.possible) from None
