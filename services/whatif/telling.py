"""A what-if in a floor person's words: the change, what follows, what is open, the money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from domain.house_rules import HouseRules
from domain.whatif import WhatIf
from services.explaining.explanation import Line, Section, say, section
from services.explaining.paying import pot_lines
from services.explaining.raking import rake_lines
from services.replaying.notes import note, street_name
from services.replaying.pots import pots_now
from services.replaying.seating import Seating, listed

OUTCOMES = {
    "certain": "Certain: the rules alone say what follows.",
    "if_repeated": "This follows if everybody decides as he did though things stand otherwise.",
    "open": "Open: it can be told up to here, and no further.",
}


def tell(found: WhatIf, seen: Sequence[e.HandEvent], words: Seating) -> Iterator[Section]:
    """The sections of an answer; `seen` is the record as the view knows it."""
    yield from section("change", "Instead", _change(found, seen, words))
    yield from section("course", "What follows", _course(found, words))
    if found.hand.rake_taken or found.hand.awards:
        yield from section("pots", "Pots", pot_lines(found.hand, words))
        if found.hand.rake_taken is not None:
            yield from section("rake", "Rake", rake_lines(found.hand, words))
    else:
        yield from section("pots", "Pots so far", _pots_so_far(found.hand, words))
    yield from section("open", "What stays open", _open(found, words))
    yield from section("money", "The difference", _money(found, words))


# -- the change ----------------------------------------------------------------------------------


def _change(found: WhatIf, seen: Sequence[e.HandEvent], words: Seating) -> Iterator[Line]:
    if found.step is not None:
        played = _note_at(seen, found.step, words)
        yield say(f"Step {found.step}, as played: {played}")
    started = seen[0]
    assert isinstance(started, e.HandStarted), "every hand begins with its start"
    if found.instead.house_rules is not None:
        yield from _policies(started.house_rules, found.instead.house_rules)
    ref = found.instead.rake_schedule
    if ref is not None:
        yield say(f"Rake by schedule {ref.id}, version {ref.version}.", "R2")


def _note_at(events: Sequence[e.HandEvent], step: int, words: Seating) -> str:
    hand: Hand | None = None
    for event in events[:step]:
        hand = evolve(hand, event)
    assert hand is not None, "steps begin with 1"
    return note(words, events[step - 1], hand)


def _policies(was: HouseRules, instead: HouseRules) -> Iterator[Line]:
    for field in was.__struct_fields__:
        before, after = getattr(was, field), getattr(instead, field)
        if before != after and field not in {"name", "version"}:
            yield say(f"Policy {field}: {_value(after)} instead of {_value(before)}.")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return listed(map(str, value)) if value else "none"
    return "none" if value is None else str(value)


# -- what follows --------------------------------------------------------------------------------

_DECISIONS = (
    e.BringInPosted | e.Called | e.Completed | e.BetPlaced | e.Raised | e.Checked | e.Folded
    | e.TimedOut
)  # fmt: skip
_TOLD = _DECISIONS | e.BettingOpened | e.UncalledReturned | e.CommunityCardDealt


def _course(found: WhatIf, words: Seating) -> Iterator[Line]:
    yield say(OUTCOMES[found.outcome])
    first = min((found.since, *_places(found)))
    if first == len(found.events):
        yield say("Nothing comes out otherwise: every fact stands as it was.")
        return
    hand: Hand | None = None
    for place, event in enumerate(found.events):
        before, hand = hand, evolve(hand, event)
        if place >= first:
            yield from _fact(found, words, place, before, hand)


def _places(found: WhatIf) -> tuple[int, ...]:
    """Where decisions are made again in other circumstances."""
    steps = set(found.repeated)
    return tuple(place for place, source in enumerate(found.sources) if source in steps)


def _fact(
    found: WhatIf, words: Seating, place: int, before: Hand | None, after: Hand
) -> Iterator[Line]:
    event, source = found.events[place], found.sources[place]
    if isinstance(event, e.CardsDealt):
        if before is not None and event.street > before.betting.street:
            street = street_name(event.street).capitalize()
            yield say(f"{street}: everybody gets the same cards as in the record.", "G5")
    elif isinstance(event, _TOLD):
        again = f" (as at step {source})" if source is not None else ""
        yield say(note(words, event, after).removesuffix(".") + f"{again}.", *_rule_of(event))


def _rule_of(event: e.HandEvent) -> tuple[str, ...]:
    match event:
        case e.UncalledReturned():
            return ("B8",)
        case e.BettingOpened(reason=reason):
            return (reason.rule,)
        case e.TimedOut(outcome=outcome):
            return ("C2" if outcome == "all_in" else "C4",)
    return ()


# -- where it ends -------------------------------------------------------------------------------


def _pots_so_far(hand: Hand, words: Seating) -> Iterator[Line]:
    for pot in pots_now(hand):
        may = words.all_of(pot.claimants)
        name = pot.name.capitalize()
        yield say(f"{name} {words.amount(pot.amount)}, which may be won by {may}.", "P1")


def _open(found: WhatIf, words: Seating) -> Iterator[Line]:
    for question in found.open:
        yield say(question.text, question.rule)


def _money(found: WhatIf, words: Seating) -> Iterator[Line]:
    for one in found.players:
        played, instead = (
            "open" if money is None else words.signed(money) for money in (one.played, one.instead)
        )
        text = f"{words.subject(one.seat)}: {played} as played, {instead} instead"
        if one.difference is not None:
            text += f": {words.signed(one.difference)}" if one.difference else ": no difference"
        yield say(f"{text}.")
    yield from _rake(found, words)


def _rake(found: WhatIf, words: Seating) -> Iterator[Line]:
    played, instead = found.rake
    if played == instead or played is None:
        return
    if instead is None:
        yield say(f"Rake: {words.amount(played)} as played, not known instead.", "R1")
        return
    change = words.signed(instead - played)
    text = f"Rake: {words.amount(played)} as played, {words.amount(instead)} instead: {change}."
    yield say(text, "R2")
