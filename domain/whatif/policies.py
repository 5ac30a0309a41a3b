"""House rules with some of their policies changed, each as a person writes it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.errors import StudError
from domain.house_rules import ALL_GAMES, PRESETS, Clock, HouseRules

_NAMES = {"name", "version"}
_YES_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class BadPolicy(StudError):
    """No such policy, or no such choice for it; `possible` lists what there is."""

    def __init__(self, message: str, possible: Iterable[str]) -> None:
        self.message, self.possible = message, tuple(possible)
        super().__init__(f"{message}; possible: {', '.join(self.possible)}")


def with_policies(house: HouseRules, changes: Iterable[str]) -> HouseRules:
    """`house` with every change of the form `field=value`. Raises `BadPolicy`.

    `preset=NAME` takes all policies of a preset. Yes-or-no policies take `yes` and `no`, games a
    list such as `stud,stud8`, `all` or `none`, the clock `none` or seconds as `10+20+20`.

    >>> with_policies(PRESETS["topspoker"], ["bring_in_tie=suit"]).bring_in_tie
    'suit'
    """
    for change in changes:
        field, equals, value = (part.strip() for part in change.partition("="))
        if not equals or field in _NAMES:
            raise BadPolicy(f"'{change}' is not of the form field=value", _FORMS)
        house = _preset(value) if field == "preset" else _changed(house, field, value)
    return house


def _preset(name: str) -> HouseRules:
    if name not in PRESETS:
        raise BadPolicy(f"there is no preset '{name}'", PRESETS)
    return PRESETS[name]


def _changed(house: HouseRules, field: str, value: str) -> HouseRules:
    if field not in _FIELDS:
        raise BadPolicy(f"there is no policy '{field}'", (*_FIELDS, "preset"))
    policies = msgspec.to_builtins(house) | {field: _meant(house, field, value)}
    try:
        return msgspec.convert(policies, HouseRules)
    except msgspec.ValidationError:
        raise BadPolicy(f"{field} cannot be '{value}'", _choices(house, field)) from None


def _choices(house: HouseRules, field: str) -> tuple[str, ...]:
    """What a policy takes, as it is written."""
    now = getattr(house, field)
    if isinstance(now, bool):
        return ("yes", "no")
    if isinstance(now, tuple):
        return (*ALL_GAMES, "all", "none")
    if field == "clock":
        return ("none", "10+20+20")
    (one,) = [each for each in _TYPES if each.name == field]
    assert isinstance(one.type, msgspec.inspect.LiteralType), "all others are words"
    return tuple(map(str, one.type.values))


def _meant(house: HouseRules, field: str, value: str) -> object:
    """A value as the field's type has it."""
    now = getattr(house, field)
    if isinstance(now, bool):
        return _YES_NO.get(value, value)
    if isinstance(now, tuple):
        return {"all": ALL_GAMES, "none": ()}.get(value, tuple(value.split(",")))
    if field == "clock":
        return _clock(value)
    return value


def _clock(value: str) -> object:
    if value == "none":
        return None
    # In an address a plus stands for a space.
    parts = value.replace("+", " ").split(" ")
    if len(parts) != 3 or not all(map(_is_short_number, parts)):
        return value
    turn, countdown, disconnected = map(int, parts)
    return msgspec.to_builtins(Clock(turn=turn, countdown=countdown, disconnected=disconnected))


def _is_short_number(text: str) -> bool:
    """Whether these are plain digits, and not more seconds than eleven days have."""
    return text.isascii() and text.isdigit() and len(text) <= 6


_TYPES = msgspec.inspect.type_info(HouseRules).fields  # type: ignore[attr-defined]
_FIELDS = tuple(one.name for one in _TYPES if one.name not in _NAMES)
_FORMS = (*(f"{field}=…" for field in _FIELDS), "preset=…")
