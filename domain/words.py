"""Amounts and actions in a floor person's words."""

from __future__ import annotations

from domain.amounts import amount_words
from domain.events import Money
from domain.legal import LegalAction


def action(money: Money, choice: LegalAction) -> str:
    """A legal action as it is announced: `call $2.00`, `raise to $6.00, all-in`."""
    name = choice.action.replace("_", " ")
    all_in = ", all-in" if choice.all_in else ""
    if choice.action in {"fold", "check"}:
        return name
    if choice.action in {"call", "bring_in"}:
        return f"{name} {amount_words(choice.amount, money)}{all_in}"
    return f"{name} to {amount_words(choice.to, money)}{all_in}"


def actions(money: Money, choices: tuple[LegalAction, ...]) -> str:
    """Several legal actions in one phrase: `fold, call $2.00 or raise to $4.00`."""
    words = [action(money, choice) for choice in choices]
    if len(words) < 2:
        return "".join(words) or "nothing"
    return f"{', '.join(words[:-1])} or {words[-1]}"
