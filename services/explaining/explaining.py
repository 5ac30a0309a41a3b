"""Why a hand, or one step of it, is as it is: the whole explanation put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain import events as e
from domain.check import Finding
from domain.games import GAMES
from domain.hand import Hand
from domain.ruled import as_ruled
from domain.rules.turn import hand_over, turn
from domain.verdict import judge
from services.explaining.choices import choices, standing, whose_turn
from services.explaining.explanation import Explanation, Line, Section, say, section
from services.explaining.happening import why
from services.explaining.judging import as_seen, finding_lines, verdict_lines
from services.explaining.opening import opening
from services.explaining.paying import mucked_winners, pot_lines
from services.explaining.raking import rake_lines
from services.explaining.walking import Passed, street_sections, walk
from services.replaying.frames import require_step
from services.replaying.notes import note, street_name
from services.replaying.pots import pots_now
from services.replaying.seating import Seating, printable, seating
from services.replaying.views import PUBLIC, View, require_allowed, seen_by


def explain(
    hand: str,
    events: Sequence[e.HandEvent],
    step: int | None = None,
    view: View = PUBLIC,
    names: Mapping[str, str] | None = None,
) -> Explanation:
    """Why the hand came out as it did or, with `step`, why that one step was as it was.

    `hand` is the hand's id, `names` maps player ids to names. Everything said rests on the cards
    that `view` may see. Raises `NoSuchStep`, `BadView`.
    """
    last = require_step(events, step)
    require_allowed(view, events)
    seen = tuple(seen_by(view, events))
    real = judge(events)
    findings = as_seen(real.findings, judge(seen).findings)
    passed = tuple(walk(seen[:last]))
    words = seating(passed[-1].after.started, names or {})
    if step is None:
        verdict = section("verdict", "Verdict", verdict_lines(real, findings, last))
        sections = (*_whole(passed, words), *verdict)
    else:
        findings = tuple(finding for finding in findings if finding.step == step)
        sections = tuple(_step(passed[-1], words, findings))
    started = passed[-1].after.started
    return Explanation(
        hand=hand,
        number=started.number,
        step=step,
        steps=len(events),
        view=str(view),
        title=_title(started, step, len(events)),
        sections=sections,
        verdict=real.verdict,
        findings=findings,
        open_questions=real.open_questions,
    )


def _title(started: e.HandStarted, step: int | None, steps: int) -> str:
    hand = f"Hand {printable(started.number)}"
    return hand if step is None else f"{hand}, step {step} of {steps}"


# -- the whole hand --------------------------------------------------------------------------------


def _whole(passed: Sequence[Passed], words: Seating) -> Iterator[Section]:
    hand = passed[-1].after
    yield from section("hand", "The hand", (*_about(hand, words), *_result(passed, words)))
    yield from street_sections(passed, words)
    if hand.voided:
        yield from section("void", "Void", _rulings(passed, words))
        yield from _as_ruled(passed, words)
        return
    yield from section("pots", "Pots", _pots(hand, words))
    if _paid_out(hand):
        yield from section("rake", "Rake", rake_lines(hand, words))
    yield from section("corrections", "Corrections", _rulings(passed, words))
    yield from _as_ruled(passed, words)


def _as_ruled(passed: Sequence[Passed], words: Seating) -> Iterator[Section]:
    """What everybody has as played and as ruled; nothing where no ruling moved money."""
    ruled = as_ruled([step.event for step in passed])
    if ruled is None:
        return
    lines = [
        say(
            f"{words.player(one.seat)} (seat {one.seat}): {words.amount(one.played)} as played,"
            f" {words.amount(one.ruled)} as ruled, difference {words.amount(one.difference)}."
        )
        for one in ruled.seats
    ]
    rake, now = words.amount(ruled.rake_played), words.amount(ruled.rake_ruled)
    lines.append(say(f"Rake: {rake} as played, {now} as ruled.", "D3"))
    yield from section("ruled", "As played, as ruled", lines)


def _about(hand: Hand, words: Seating) -> Iterator[Line]:
    started = hand.started
    stakes, rules = started.stakes, started.house_rules
    bets = "/".join(map(words.amount, (stakes.small_bet, stakes.big_bet)))
    ante = f"ante {words.amount(stakes.ante)}" if stakes.ante else "no ante"
    forced = f"{ante}, bring-in {words.amount(stakes.bring_in)}"
    kind = {"real": "real money", "play": "play money", "tournament": "tournament"}
    yield say(f"{GAMES[started.game].title} at {bets}, {forced}; {kind[started.money.kind]}.")
    dealer = "not recorded" if started.dealer is None else f"seat {started.dealer}"
    yield say(f"Table {printable(started.table.name)}; dealer: {dealer}.")
    played = "Dealt here" if started.source.kind == "dealt" else "From a record"
    yield say(f"{played}; judged by the house rules {rules.name}, version {rules.version}.")


def _result(passed: Sequence[Passed], words: Seating) -> Iterator[Line]:
    """What was noted on the way, and what everybody won or lost."""
    for step in passed:
        if isinstance(step.event, e.HandCompleted):
            yield say(note(words, step.event, step.after))
        if isinstance(step.event, e.IncidentNoted):
            yield say(f"Step {step.after.step}: {note(words, step.event, step.after)}")


def _paid_out(hand: Hand) -> bool:
    """Whether what is left to explain is the payout."""
    return hand.completed or hand.collected > 0 or hand_over(hand)


def _pots(hand: Hand, words: Seating) -> Iterator[Line]:
    if _paid_out(hand):
        yield from pot_lines(hand, words)
        yield from mucked_winners(hand, words)
        return
    yield say(f"The hand is not over; {words.amount(hand.pot)} is in the middle now.")
    for pot in pots_now(hand):
        may = words.all_of(pot.claimants)
        yield say(f"{pot.name.capitalize()} {words.amount(pot.amount)}: {may}.", "P1", level=1)


def _rulings(passed: Sequence[Passed], words: Seating) -> Iterator[Line]:
    for step in passed:
        if isinstance(step.event, e.HandVoided | e.AwardCorrected):
            told = note(words, step.event, step.after)
            yield say(f"Step {step.after.step}: {told}", "P9")


# -- one step --------------------------------------------------------------------------------------


def _step(passed: Passed, words: Seating, findings: tuple[Finding, ...]) -> Iterator[Section]:
    before, event, hand = passed.before, passed.event, passed.after
    happened = (
        say(note(words, event, hand)),
        *why(before, event, hand, words),
        *finding_lines(findings),
    )
    yield from section("event", "What happened", happened)
    if not isinstance(event, e.BettingOpened) and hand.betting.last is None:
        heading = f"Who opens {street_name(hand.betting.street)}"
        yield from section("opener", heading, opening(hand, words) if _dealt(hand) else ())
    yield from section(
        "turn", "Whose turn it is", (*whose_turn(hand, words), *standing(hand, words))
    )
    yield from section("choices", "What may be done", choices(hand, words))


def _dealt(hand: Hand) -> bool:
    """Whether the street's cards are out, so that its opener can be told."""
    return bool(turn(hand))
