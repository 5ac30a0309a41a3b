"""The events in words: every fact has its sentence, its rules and why, in what a view may know."""

from __future__ import annotations

from services.demo.arranged import arranged_hands
from services.explaining.in_words import EventInWords, in_words
from services.replaying import ALL, PUBLIC
from tests.support import disputes as s

LOG = s.RAKED.log


def public() -> tuple[EventInWords, ...]:
    return in_words(LOG)


def test_every_fact_has_a_sentence_in_its_place() -> None:
    for hand in arranged_hands():
        told = in_words(hand.events)
        assert [one.step for one in told] == list(range(1, len(hand.events) + 1))
        assert all(one.text.endswith((".", "!")) for one in told)


def test_what_a_rule_stands_behind_names_it_and_says_why() -> None:
    told = public()
    ante = next(one for one in told if "antes" in one.text)
    assert ante.rules == ("S1",)
    assert ante.why[0].text == "Everybody dealt in antes $0.25 before the cards."
    rake = next(one for one in told if "rake" in one.text)
    assert {"R1", "R2", "R6"} <= set(rake.rules)


def test_decisions_are_told_from_what_follows_by_itself() -> None:
    told = [one.text for one in public() if one.decision]
    assert any("brings it in" in text for text in told)
    assert not any("is dealt" in text or "antes" in text for text in told)


def test_a_view_reads_no_card_it_may_not_see() -> None:
    dealt = [one.text for one in public() if one.text.startswith("Third street")]
    assert all("2 cards face down" in text or "two cards face down" in text for text in dealt)
    with_all = "".join(one.text for one in in_words(LOG, ALL))
    assert "Ah As face down" in with_all
    assert "Ah As face down" not in "".join(one.text for one in in_words(LOG, PUBLIC))
