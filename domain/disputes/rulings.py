"""What a ruling may move: every amount named, the sum zero, within the policy of the hand."""

from __future__ import annotations

from domain import commands as c
from domain import events as e
from domain.disputes import commands as q
from domain.disputes.events import PolicyInForce, RulingProposed
from domain.errors import IllegalAmount, NotAllowedNow
from domain.hand import Hand
from domain.house_rules import HouseRules, Remedy
from domain.rulings import correct, void
from domain.units import MOST_CHIPS, ChipsMoved

MOST_REASON = 500

_KIND_OF: dict[Remedy, str] = {"refund_and_void": "void", "roll_back": "corrected_award"}
"""What kind of ruling a remedy is, where it is one."""


def proposed(hand: Hand, command: q.ProposeRuling) -> RulingProposed:
    """The proposal with every amount in it. Raises `Refused` if it could not be carried out."""
    _require_over(hand)
    _require_words(command)
    _require_in_force(hand.started.house_rules, command)
    _require_step(hand, command)
    moves, rake = command.moves, command.rake
    house: ChipsMoved = 0
    match command.kind:
        case "uphold":
            _require_nothing_moved(command, "upholding moves nothing")
        case "void":
            _require_nothing_moved(command, "what a void moves follows from the hand")
            voided = void(hand, c.Void(reason=command.reason))
            # What a record paid to nobody is held by the house: it gives that back too (P9).
            moves, rake, house = voided.moves, voided.rake, -hand.pot
        case "corrected_award":
            _require_correctable(hand, command)
        case "goodwill":
            _require_gifts(hand, command)
            house = -sum(move.amount for move in moves)
    assert sum(move.amount for move in moves) + rake + house == 0, "a ruling sums to zero"
    rules = hand.started.house_rules
    return RulingProposed(
        ruling=command.ruling,
        kind=command.kind,
        reason=command.reason,
        rule=command.rule,
        moves=moves,
        rake=rake,
        house=house,
        policy=PolicyInForce(name=rules.name, version=rules.version),
        remedy=command.remedy,
        step=command.step,
        evidence=command.evidence,
        proposed_by=command.by,
        hand_step=hand.step,
    )


def _require_over(hand: Hand) -> None:
    if not hand.completed and not hand.voided:
        raise NotAllowedNow("the hand is still being played: it is ruled on when over", rule="D1")


def _require_words(command: q.ProposeRuling) -> None:
    reason = command.reason
    if not (reason.strip() and reason.isprintable() and len(reason) <= MOST_REASON):
        raise NotAllowedNow(f"a ruling has a reason, in a line of {MOST_REASON} letters", rule="D3")
    if not _is_rule(command.rule):
        raise NotAllowedNow("a ruling names the rule it rests on, such as P6", rule="D3")


def _is_rule(name: str) -> bool:
    """Whether it is written like the ids of the rulebook: a letter and a number."""
    group, number = name[:1], name[1:]
    return name.isascii() and group.isupper() and number.isdigit() and len(number) <= 2


def _require_in_force(rules: HouseRules, command: q.ProposeRuling) -> None:
    """Nobody is ruled by a policy that was not in force at the hand (D4)."""
    remedy = command.remedy
    if remedy is None:
        return
    if remedy in ("all_in_protection", "check_or_fold"):
        in_force: Remedy = (
            "all_in_protection" if rules.timeout_outcome == "all_in" else "check_or_fold"
        )
        allowed = remedy == in_force
    else:
        allowed = rules.incident_remedy in ("floor", remedy)
    if not allowed:
        raise NotAllowedNow(
            f"{rules.name} {rules.version}, in force at the hand, has another way than that",
            rule="D4",
        )
    kind = _KIND_OF.get(remedy)
    if kind is not None and command.kind != kind:
        raise NotAllowedNow(f"this remedy is a ruling of the kind {kind}", rule="D4")


def _require_step(hand: Hand, command: q.ProposeRuling) -> None:
    if command.remedy == "roll_back" and command.step is None:
        raise NotAllowedNow("rolling back names the step that still counts", rule="D4")
    if command.step is not None and not 1 <= command.step <= hand.step:
        raise NotAllowedNow(f"the hand has steps 1 to {hand.step}", rule="D1")


def _require_nothing_moved(command: q.ProposeRuling, why: str) -> None:
    if command.moves or command.rake:
        raise IllegalAmount(why, rule="D3")


def _require_correctable(hand: Hand, command: q.ProposeRuling) -> None:
    if not any(move.amount for move in command.moves):
        raise IllegalAmount("a correction moves something", rule="D3")
    correct(hand, c.Correct(moves=command.moves, rake=command.rake, reason=command.reason))
    _require_of_the_pot(hand, command)


def _require_of_the_pot(hand: Hand, command: q.ProposeRuling) -> None:
    """An award is corrected out of what was won; only a kept what-if knows of larger pots (D3)."""
    moved = sum(move.amount for move in command.moves if move.amount > 0) + max(command.rake, 0)
    if command.evidence is None and moved > sum(player.paid for player in hand.seats):
        raise IllegalAmount("a correction moves no more than was in the pot", rule="D3")


def _require_gifts(hand: Hand, command: q.ProposeRuling) -> None:
    """The house pays, and nobody else (D3)."""
    moves = command.moves
    seats = [move.seat for move in moves]
    if command.rake or not moves or any(move.amount <= 0 for move in moves):
        raise IllegalAmount("goodwill is paid by the house, something to each named", rule="D3")
    if len(set(seats)) < len(seats) or sum(move.amount for move in moves) > MOST_CHIPS:
        raise IllegalAmount("goodwill names each seat once, and no more than exists", rule="D3")
    if not set(seats) <= {player.seat for player in hand.seats}:
        raise NotAllowedNow("nobody was dealt in at this seat", rule="D3")


def moves_by_seat(moves: tuple[e.SeatMove, ...]) -> dict[int, int]:
    """Amounts by seat, without those of nothing."""
    return {move.seat: move.amount for move in moves if move.amount}
