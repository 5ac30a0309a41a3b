"""House rules with some of their policies changed, each as a person writes it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.errors import StudError
from domain.house_rules import ALL_GAMES, PRESETS, Clock, HouseRules

_NAMES = {"name", "version"}
_YES_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class BadPolicy(StudError):
    """No such policy, or no such choice for it; the text says which there are."""


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
            raise BadPolicy(f"'{change}' is not of the form field=value")
        house = _preset(value) if field == "preset" else _changed(house, field, value)
    return house


def _preset(name: str) -> HouseRules:
    if name not in PRESETS:
        raise BadPolicy(f"there is no preset '{name}': there are {', '.join(PRESETS)}")
    return PRESETS[name]


def _changed(house: HouseRules, field: str, value: str) -> HouseRules:
    fields = [name for name in house.__struct_fields__ if name not in _NAMES]
    if field not in fields:
        raise BadPolicy(f"there is no policy '{field}': there are {', '.join(fields)}")
    policies = msgspec.to_builtins(house) | {field: _meant(house, field, value)}
    try:
        return msgspec.convert(policies, HouseRules)
    except msgspec.ValidationError as wrong:
        reason = str(wrong).partition(" - at")[0]
        raise BadPolicy(f"{field} cannot be '{value}': {reason}{_choices(field)}") from None


def _choices(field: str) -> str:
    """The words a policy takes, where it takes words."""
    for one in msgspec.inspect.type_info(HouseRules).fields:  # type: ignore[attr-defined]
        if one.name == field and isinstance(one.type, msgspec.inspect.LiteralType):
            return f"; it is one of {', '.join(map(str, one.type.values))}"
    return ""


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
    parts = value.split("+")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return value
    return msgspec.to_builtins(Clock(**dict(zip(_CLOCK, map(int, parts), strict=True))))


_CLOCK = ("turn", "countdown", "disconnected")
