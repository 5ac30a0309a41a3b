"""Whether cards came when due, to whom, and how many (S1, S2, S3, B1, B4, G5, G6)."""

from __future__ import annotations

from domain import events as e
from domain.amounts import amount_words
from domain.check.finding import object_to
from domain.finding import Finding
from domain.hand import Hand
from domain.rules.betting import hides_open_pair
from domain.rules.openers import leaders
from domain.rules.streets import (
    DEALT,
    HELD,
    LAST_STREET,
    community_card_due,
    lacks_cards,
    still_dealing,
    undealt,
)
from domain.rules.turn import hand_over, street_over


def check_ante(hand: Hand, event: e.AntePosted) -> tuple[Finding, ...]:
    """Once, before the cards, the table's amount or all he has (S1, S2)."""
    player, money = hand.player(event.seat), hand.started.money
    expected = min(hand.started.stakes.ante, player.stack)
    if player.anted or hand.betting.street > 0:
        late = "twice" if player.anted else "after the cards"
        text = f"Seat {event.seat} antes {late}."
        return (object_to(hand, "S1", "one ante before the cards", f"an ante {late}", text),)
    if event.amount != expected:
        rule = "S1" if player.stack >= hand.started.stakes.ante else "S2"
        want, got = amount_words(expected, money), amount_words(event.amount, money)
        text = f"Seat {event.seat} antes {got}; the ante is {want} here."
        return (object_to(hand, rule, want, got, text),)
    if event.all_in != (event.amount == player.stack):
        text = f"Seat {event.seat}'s ante is wrongly marked as to all-in."
        return (object_to(hand, "S2", str(not event.all_in), str(event.all_in), text),)
    return ()


def rightly_dealt(hand: Hand, event: e.CardsDealt) -> bool:
    """Whether a card after the first of its street, which began it, is as plain as most are."""
    betting, player = hand.betting, hand.player(event.seat)
    if event.street != betting.street or betting.spoken or hand.community is not None:
        return False
    down, up, held_down, held_up = _PLAINLY[event.street]
    return (
        (len(event.down) == down and len(event.up) == up)
        and (len(player.down) == held_down and len(player.up) == held_up)
        and player.status != "folded"
    )


# Cards of a deal, and those a player has before it.
_PLAINLY = {
    street: (down, up, HELD[street][0] - down, HELD[street][1] - up)
    for street, (down, up) in DEALT.items()
}


def check_cards(hand: Hand, event: e.CardsDealt) -> tuple[Finding, ...]:
    """To a player still in, on the street that is due, in the number it has (G5, G6)."""
    return (
        _missing_antes(hand)
        or _wrong_moment(hand, event.street)
        or _wrong_player(hand, event)
        or _wrong_number(hand, event)
    )


def check_community_card(hand: Hand, event: e.CommunityCardDealt) -> tuple[Finding, ...]:
    """Only on seventh street, only when the deck runs short (G6)."""
    wrong = _wrong_moment(hand, LAST_STREET)
    if wrong or (hand.betting.street == LAST_STREET - 1 and community_card_due(hand)):
        return wrong
    text = "A community card was dealt though the deck had a down card for everyone."
    return (object_to(hand, "G6", "down cards", "a community card", text),)


def _missing_antes(hand: Hand) -> tuple[Finding, ...]:
    if hand.betting.street > 0 or hand.started.stakes.ante == 0:
        return ()
    missing = [p.seat for p in hand.seats if not p.anted]
    if not missing:
        return ()
    want = amount_words(hand.started.stakes.ante, hand.started.money)
    texts = [f"Seat {seat} is dealt in without the ante of {want}." for seat in missing]
    return tuple(object_to(hand, "S1", want, "no ante", text) for text in texts)


def _wrong_moment(hand: Hand, street: int) -> tuple[Finding, ...]:
    now = hand.betting.street
    due = max(now, 2) + 1
    if street == now and not hand.betting.spoken:
        return ()
    if street == due and (now == 0 or (street_over(hand) and not hand_over(hand))):
        return ()
    if len(hand.still_in) < 2:
        expected, why = "no more cards", "one player is left and the hand is over"
    elif street == due:
        expected, why = f"the betting of street {now}", f"the betting of street {now} is not over"
    else:
        expected, why = f"street {due}", f"street {due} would be next"
    text = f"Cards of street {street} are dealt, but {why}."
    return (object_to(hand, "G5", expected, f"street {street}", text),)


def _wrong_player(hand: Hand, event: e.CardsDealt) -> tuple[Finding, ...]:
    player = hand.player(event.seat)
    if player.status == "folded":
        text = f"Seat {event.seat} is dealt cards after folding."
        return (object_to(hand, "G5", "no cards", f"cards to seat {event.seat}", text),)
    if event.street == hand.betting.street and not lacks_cards(hand, player, event.street):
        text = f"Seat {event.seat} is dealt street {event.street} twice."
        return (object_to(hand, "G5", "one deal", f"cards to seat {event.seat} again", text),)
    return ()


def _wrong_number(hand: Hand, event: e.CardsDealt) -> tuple[Finding, ...]:
    first_of_seventh = event.street == LAST_STREET and hand.betting.street == LAST_STREET - 1
    if first_of_seventh and community_card_due(hand):
        text = "Down cards are dealt on seventh street though fewer are left than players."
        return (object_to(hand, "G6", "a community card", "a down card", text),)
    down, up = DEALT[event.street]
    if len(event.down) == down and len(event.up) == up:
        return ()
    got = f"{len(event.down)} down, {len(event.up)} up"
    text = f"Seat {event.seat} gets {got} on street {event.street}; {down} down, {up} up are due."
    return (object_to(hand, "G5", f"{down} down, {up} up", got, text),)


def check_missing_cards(hand: Hand) -> tuple[Finding, ...]:
    """Players still in without their cards when the first one acts on a street (G5)."""
    if not still_dealing(hand):
        return ()
    return tuple(
        object_to(
            hand,
            "G5",
            f"cards to seat {p.seat}",
            "no cards",
            f"Seat {p.seat} got no cards on street {hand.betting.street}.",
        )
        for p in undealt(hand)
    )


def check_opening(hand: Hand, event: e.BettingOpened) -> tuple[Finding, ...]:
    """The opener by the cards, and whether an open pair allows the big bet (S3, B1, B4)."""
    seats, rule = leaders(hand), ("S3" if hand.betting.street == 3 else "B1")
    if event.street != hand.betting.street:
        text = f"Street {event.street} is opened while street {hand.betting.street} is in play."
        return (
            object_to(hand, rule, f"street {hand.betting.street}", f"street {event.street}", text),
        )
    untimely = _untimely(hand)
    if untimely is not None:
        text = f"Street {event.street} is opened {untimely}."
        return (object_to(hand, rule, "one opening, before anybody acts", untimely, text),)
    if event.opener not in seats:
        expected = " or ".join(f"seat {seat}" for seat in seats)
        text = f"Seat {event.opener} is named opener; by the cards it is {expected}."
        return (object_to(hand, rule, expected, f"seat {event.opener}", text),)
    if event.double_bet != hand.betting.double_bet and not hides_open_pair(hand):
        text = "The record is wrong about the open pair that allows the big bet."
        expected, recorded = _yes_no(hand.betting.double_bet), _yes_no(event.double_bet)
        return (object_to(hand, "B4", expected, recorded, text),)
    return ()


def _untimely(hand: Hand) -> str | None:
    if hand.betting.opened is not None:
        return "twice"
    if hand.betting.spoken or hand.ran_out is not None:
        return "after somebody has acted"
    return "before its cards are dealt" if still_dealing(hand) else None


def _yes_no(double_bet: bool) -> str:
    return "big bet allowed" if double_bet else "small bet only"
