"""What a format must bring along: a next site costs one file that makes one of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from domain.house_rules import HouseRules
from services.readers.record import EventsTold, OtherGame, Record
from services.readers.splitting import HandText


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """One format of hand history.

    `recognises` tells a line that only this format has; `split` cuts a file's lines into hands;
    `record` reads one hand, or None where the text is no hand at all. It raises `Unreadable`.
    `house_rules` is None where every record names its own.
    """

    name: str
    title: str
    house_rules: HouseRules | None
    recognises: Callable[[str], bool]
    split: Callable[[Iterable[str]], Iterator[HandText]]
    record: Callable[[HandText], Record | EventsTold | OtherGame | None]
