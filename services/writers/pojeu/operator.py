"""Who reports and who played, as the operator knows it: nothing of this is in the hands."""

from __future__ import annotations

from datetime import datetime
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from domain.discreet import Discreet
from domain.units import Game
from services.errors import BadSettings
from services.writers.hand import CannotSay
from services.writers.pojeu.spelling import reference

OperatorId = Annotated[str, Meta(pattern=r"^[0-9]{4}$")]
Country = Annotated[str, Meta(pattern=r"^[A-Z]{2}$")]
RuleCode = Annotated[str, Meta(pattern=r"^[A-Z0-9-]+$")]
Registration = Annotated[str, Meta(pattern=r"^([a-zA-Z0-9._/#-]|\{player\}|\{table\})+$")]
Text = Annotated[str, Meta(min_length=1, max_length=200)]

RULE_CODES: dict[Game, RuleCode] = {"stud": "7CSL", "stud8": "7CSHL8L", "stud_hilo": "7CSHLL"}
"""`Regle`, unless the operator's file has other codes."""

HOW = "with --operator and --vault, or in the file named by --mapping or STUDLEDGER_POJEU_FILE"


class OperatorUnknown(BadSettings):
    """What a file must say about the operator is missing or malformed; the text says what."""


class Since(Discreet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The address somebody played from, from a time on."""

    since: Annotated[datetime, Meta(tz=True)]
    address: Text


class Person(Discreet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator knows of a player; `registration` may hold {player} and {table}.

    `operator` is a licensed operator's id, `operator_name` the name of one abroad.
    """

    country: Country | None = None
    address: Text | tuple[Since, ...] | None = None
    registration: Registration | None = None
    operator: OperatorId | None = None
    operator_name: Text | None = None

    def __repr__(self) -> str:
        return "Person(…)"

    def address_at(self, at: datetime) -> str | None:
        """The address he played from at a time."""
        if self.address is None or isinstance(self.address, str):
            return self.address
        until = sorted((one for one in self.address if one.since <= at), key=lambda one: one.since)
        return until[-1].address if until else None


class Operator(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The operator's file: his ids, his players by their opaque ids, what holds for everybody."""

    operator: OperatorId
    vault: Annotated[int, Meta(ge=0)]
    time_zone: str = "UTC"
    test: bool = False
    rules: dict[Game, RuleCode] = {}
    everybody: Person = Person()
    players: dict[str, Person] = {}

    @property
    def zone(self) -> ZoneInfo:
        """The zone of all times."""
        return ZoneInfo(self.time_zone)

    def rule_code(self, game: Game) -> RuleCode:
        """What the operator calls a game."""
        return self.rules.get(game, RULE_CODES[game])


class Identity(Discreet, frozen=True, kw_only=True):
    """What a hand's file says of a player beside his chips; `operator` is a tag and its text."""

    operator: tuple[str, str]
    country: str
    address: str
    registration: str

    def __repr__(self) -> str:
        return "Identity(…)"


def identity_of(operator: Operator, player: str, table: str, at: datetime) -> Identity:
    """Who a player is at a table. Raises `CannotSay`, naming all that is missing."""
    his, all_ = operator.players.get(player, Person()), operator.everybody
    found = {
        "country": his.country or all_.country,
        "address": his.address_at(at) or all_.address_at(at),
        "registration": his.registration or all_.registration,
    }
    missing = [name for name, value in found.items() if value is None]
    if missing:
        raise CannotSay(f"the operator's file names no {', no '.join(missing)} of player {player}")
    registered = str(found["registration"])
    for name, value in (("{player}", player), ("{table}", table)):
        registered = registered.replace(name, reference(value))
    return Identity(
        operator=_operator(operator, his) or _operator(operator, all_) or _ours(operator),
        country=str(found["country"]),
        address=_address(str(found["address"]), player),
        registration=registered,
    )


def _operator(operator: Operator, person: Person) -> tuple[str, str] | None:
    if person.operator is not None:
        return "IDOper", person.operator
    return None if person.operator_name is None else ("Oper", person.operator_name)


def _ours(operator: Operator) -> tuple[str, str]:
    return "IDOper", operator.operator


def _address(text: str, player: str) -> str:
    """An address in its shortest form. Raises `CannotSay`."""
    try:
        found: IPv4Address | IPv6Address = ip_address(text)
        if isinstance(found, IPv6Address) and found.scope_id is not None:
            raise AddressValueError("an address of one link only")
    except ValueError:
        raise CannotSay(f"the address of player {player} in the operator's file is none") from None
    return str(found)


def operator_of(file: Path | None, operator: str | None, vault: int | None) -> Operator:
    """The operator as the file and these options have him. Raises `OperatorUnknown`."""
    told: dict[str, Any] = _read(file) if file else {}
    told |= {k: v for k, v in (("operator", operator), ("vault", vault)) if v is not None}
    missing = [name for name in ("operator", "vault") if name not in told]
    if missing:
        raise OperatorUnknown(
            f"who reports is not known: {' and '.join(missing)} must be given {HOW}"
        )
    try:
        known = msgspec.convert(told, Operator)
    except msgspec.ValidationError as wrong:
        raise OperatorUnknown(f"{file or 'the options'}: {wrong}") from None
    try:
        ZoneInfo(known.time_zone)
    except (ValueError, OSError, KeyError):
        raise OperatorUnknown(f"{file}: there is no time zone of this name") from None
    return known


def _read(file: Path) -> dict[str, Any]:
    try:
        return msgspec.toml.decode(file.read_bytes(), type=dict[str, Any])
    except OSError as wrong:
        raise OperatorUnknown(f"{file} cannot be read: {wrong.strerror}") from None
    except ValueError:
        raise OperatorUnknown(f"{file} is no TOML") from None
