"""PHH: a hand as TOML, its actions in the notation of the Poker Hand History standard.

The notation has no word for returned bets, rake, time-outs or the dealer's seat; what of that
is certain is inferred, the rest stays unknown.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

from domain.events import SeatTaken, Stakes, TableRef
from domain.house_rules import PHH
from domain.units import Chips, Game, Seat
from services.readers.phh_actions import Actions, antes
from services.readers.phh_fields import Fields, action_lines, fields_of
from services.readers.reader import Reader
from services.readers.record import Fact, OtherGame, Record, Unreadable
from services.readers.splitting import HandText, split

SITE = "PHH"

_VARIANT = re.compile(r"variant\s*=\s*[\"'].*")
_TABLE_HEADER = re.compile(r"\[\d+\]\s*(?:#.*)?")
_USUAL_SEATS = 8
_GAMES: dict[str, Game] = {"F7S": "stud", "F7S/8": "stud8"}
_OTHER_GAMES = {
    "FT": "limit hold'em",
    "NT": "no-limit hold'em",
    "NS": "short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "limit Omaha hi/lo",
    "FR": "razz",
    "N2L1D": "no-limit 2-7 single draw",
    "F2L3D": "limit 2-7 triple draw",
    "FB": "badugi",
}


def hands_of(lines: Iterable[str]) -> Iterator[HandText]:
    """One hand of a `.phh`, or the numbered hands of a `.phhs`."""
    return split(lines, lambda line, _: _TABLE_HEADER.fullmatch(line) is not None)


def record_of(hand: HandText) -> Record | OtherGame | None:
    """One hand's record; None for an empty text. Raises `Unreadable`."""
    if not any(line and not line.startswith("#") for _, line in hand.lines()):
        return None
    fields = fields_of(hand)
    if fields.variant in _OTHER_GAMES:
        return OtherGame(_OTHER_GAMES[fields.variant])
    game = _GAMES.get(fields.variant)
    if game is None:
        what = "no-limit stud" if "7S" in fields.variant else "no game that is known"
        raise Unreadable(fields.line, f"variant {fields.variant[:20]} is {what}")
    return _record(hand, fields, game)


def _record(hand: HandText, fields: Fields, game: Game) -> Record:
    stacks = fields.starting_stacks()
    count = len(stacks)
    seats, names = fields.seats(count), fields.names(count)
    due = fields.amounts("antes", count) or [0] * count
    finishing, winnings = _results(fields, stacks)
    return Record(
        line=fields.line,
        format="phh",
        site=fields.ours("site") or SITE,
        number=fields.text("hand") or hashlib.sha256(hand.text.encode()).hexdigest()[:12],
        identity=_identity(fields),
        game=game,
        stakes=_stakes(fields, due),
        money=fields.money,
        table=_table(fields, max(seats)),
        dealer=fields.dealer(seats[-1]),
        seats=tuple(
            SeatTaken(seat=seat, player=name, stack=stack)
            for seat, name, stack in sorted(zip(seats, names, stacks, strict=True))
        ),
        played_at=fields.played_at(),
        facts=(*antes(fields.line, seats, due, stacks), *_facts(hand, fields, seats)),
        stacks=dict(zip(seats, finishing, strict=True)) if finishing else None,
        winnings=dict(zip(seats, winnings, strict=True)) if winnings else None,
        rake=0,
        says_it_ended=False,
        hand=fields.hand(),
        house_rules=fields.house_rules(),
    )


def _results(
    fields: Fields, stacks: Sequence[Chips]
) -> tuple[list[Chips] | None, list[Chips] | None]:
    """Stacks after the hand, and what each player got from the pots, as far as they are given.

    Some write into `winnings` what a player won or lost altogether: where it is what his stack
    grew by, or anything is negative. Then it says nothing that the stacks do not.
    """
    count = len(stacks)
    finishing, winnings = fields.amounts("finishing_stacks", count), fields.results(count)
    if winnings is None:
        return finishing, None
    after = [stack + result for stack, result in zip(stacks, winnings, strict=True)]
    if after == finishing:
        return finishing, None
    if min(winnings) >= 0:
        return finishing, winnings
    if finishing is not None or min(after) < 0:
        raise Unreadable(fields.line, "field 'winnings': not what the stacks changed by")
    return after, None


def _facts(hand: HandText, fields: Fields, seats: Sequence[Seat]) -> Iterator[Fact]:
    actions = Actions(fields, seats)
    for line, action in zip(action_lines(hand, fields.actions), fields.actions, strict=True):
        yield from actions.facts(line, action)


def _identity(fields: Fields) -> str:
    """Event, date and hand name a hand; without event or hand only its facts do."""
    event, hand = fields.text("event"), fields.text("hand")
    date = "-".join(fields.text(part) for part in ("year", "month", "day"))
    return f"{event} | {date} | {hand}" if event and hand else ""


def _stakes(fields: Fields, due: Sequence[Chips]) -> Stakes:
    stakes = Stakes(
        small_bet=fields.amount("small_bet"),
        big_bet=fields.amount("big_bet"),
        ante=max(due),
        bring_in=fields.amount("bring_in"),
        chip_unit=1,
    )
    if not 0 < stakes.small_bet <= stakes.big_bet:
        raise Unreadable(fields.line, "the small and the big bet are no stakes")
    return stakes


def _table(fields: Fields, seats: int) -> TableRef:
    name = fields.text("table") or fields.text("event") or fields.text("venue")
    return TableRef(id=name, name=name, max_seats=fields.seat_count(max(seats, _USUAL_SEATS)))


READER = Reader(
    name="phh",
    title="Poker Hand History (.phh, .phhs)",
    house_rules=PHH,
    recognises=lambda line: _VARIANT.fullmatch(line) is not None,
    split=hands_of,
    record=record_of,
)
