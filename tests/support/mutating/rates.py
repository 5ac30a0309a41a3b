"""How many faults and changes are told of: counts, and the tables of `docs/findings.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from tests.support.mutating.clean import Clean
from tests.support.mutating.explained import EXPLAINED
from tests.support.mutating.facts import Mutant, every_change
from tests.support.mutating.fault import Fault
from tests.support.mutating.faults_of_payout import FAULTS_OF_PAYOUT
from tests.support.mutating.faults_of_play import FAULTS_OF_PLAY
from tests.support.mutating.outcome import judged, outcome

FAULTS: tuple[Fault, ...] = (*FAULTS_OF_PLAY, *FAULTS_OF_PAYOUT)
Counts = dict[str, Counter[str]]


def fault_counts(hands: Iterable[Clean], every: int = 1) -> Counts:
    """Per kind of fault: how many were made, and how each of them was told."""
    counts: Counts = {fault.name: Counter() for fault in FAULTS}
    for hand in hands:
        for fault in FAULTS:
            for mutant in islice(fault.mutants(hand), 0, None, every):
                counts[fault.name].update(_told(fault, mutant))
    return counts


def _told(fault: Fault, mutant: Mutant) -> Iterator[str]:
    found, applied = judged(mutant)
    yield "made"
    if not found:
        yield "missed" if applied else "rejected"
        return
    if fault.named(found):
        yield "named"
    if fault.named(found[:1]):
        yield "first"
    if len(found) == 1:
        yield "alone"


def change_counts(hands: Iterable[Clean], every: int = 1) -> Counts:
    """Per change of a fact: what became of it."""
    counts: Counts = {}
    for place, hand in enumerate(hands):
        # Another place to begin with in each hand, so that a sample sees every kind.
        for mutant in islice(every_change(hand), place % every, None, every):
            counts.setdefault(mutant.kind, Counter())[outcome(mutant)] += 1
    return counts


def fault_table(dealt: Counts, real: Counts) -> Iterator[str]:
    """Markdown: a row per kind of fault."""
    yield "| fault | rules | dealt | real | told | named | first | alone |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for fault in FAULTS:
        both = dealt[fault.name] + real[fault.name]
        judged_at_all = both["made"] - both["rejected"]
        cells = (
            fault.name,
            " ".join(sorted(fault.rules, key=_rule_order)),
            dealt[fault.name]["made"],
            real[fault.name]["made"],
            percent(both["made"] - both["missed"], both["made"]),
            *(percent(both[how], judged_at_all) for how in ("named", "first", "alone")),
        )
        yield f"| {' | '.join(map(str, cells))} |"


def _rule_order(rule: str) -> tuple[str, int]:
    return rule[0], int(rule[1:])


def percent(part: int, whole: int) -> str:
    """In tenths of a per cent, never rounded up to all.

    >>> percent(1999, 2000), percent(5, 5), percent(0, 0)
    ('99.9 %', '100 %', '-')
    """
    if part == whole:
        return "100 %" if whole else "-"
    full, tenth = divmod(1000 * part // whole, 10)
    return f"{full}.{tenth} %"


def change_table(dealt: Counts, real: Counts) -> Iterator[str]:
    """Markdown: a row per kind of fact, all its changes together."""
    yield "| fact | changes | found | rejected | another clean hand | not told |"
    yield "|---|--:|--:|--:|--:|--:|"
    facts: Counts = {}
    for counts in (dealt, real):
        for change, count in counts.items():
            facts.setdefault(change.replace(".", " ").split()[0], Counter()).update(count)
    for fact, count in sorted(facts.items()):
        columns = ("found", "rejected", "another clean hand", "not told")
        cells = (f"`{fact}`", count.total(), *(count[column] for column in columns))
        yield f"| {' | '.join(map(str, cells))} |"


def untold_table(dealt: Counts, real: Counts) -> Iterator[str]:
    """Markdown: why changes went untold, how often, and which they were."""
    yield "| why | dealt | real | changes |"
    yield "|---|--:|--:|---|"
    for why in dict.fromkeys(EXPLAINED.values()):
        kinds = [kind for kind, reason in EXPLAINED.items() if reason == why]
        ours, theirs = (
            sum(counts.get(kind, Counter())["not told"] for kind in kinds)
            for counts in (dealt, real)
        )
        yield f"| {why} | {ours} | {theirs} | {', '.join(f'`{kind}`' for kind in kinds)} |"


def unexplained(*counts: Counts) -> dict[str, int]:
    """Changes that went untold and nobody has said why."""
    return {
        change: count["not told"]
        for one in counts
        for change, count in one.items()
        if count["not told"] and change not in EXPLAINED
    }
