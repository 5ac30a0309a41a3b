"""What the desk calls categories, channels, rulings and states."""

from __future__ import annotations

from collections.abc import Mapping

from domain.disputes.case import Stage, Status
from domain.disputes.events import Category, Channel, RulingKind
from domain.house_rules import Remedy

CATEGORIES: Mapping[Category, str] = {
    "award": "who won, and how much",
    "odd_chip": "an odd chip",
    "rake": "rake",
    "time_out": "a time-out",
    "connection": "a lost connection",
    "cards": "cards",
    "betting": "betting",
    "conduct": "conduct",
    "software": "software",
    "other": "something else",
}
CHANNELS: Mapping[Channel, str] = {
    "table": "at the table",
    "chat": "chat",
    "email": "e-mail",
    "phone": "telephone",
    "form": "form",
    "post": "post",
    "regulator": "regulator",
}
STATUSES: Mapping[Status, str] = {
    "open": "open",
    "acknowledged": "acknowledged",
    "ruling_proposed": "ruling proposed",
    "answered": "answered",
    "closed": "closed",
}
KINDS: Mapping[RulingKind, str] = {
    "uphold": "Uphold: it stands as played",
    "corrected_award": "Corrected award: chips move among seats and rake",
    "void": "Void: everybody gets back what he put in",
    "goodwill": "Goodwill: the house pays",
}
SHORT_KINDS: Mapping[RulingKind, str] = {
    "uphold": "upheld",
    "corrected_award": "corrected award",
    "void": "void",
    "goodwill": "goodwill",
}
STAGES: Mapping[Stage, str] = {
    "proposed": "waits for approval",
    "approved": "approved",
    "withdrawn": "withdrawn",
}
REMEDIES: Mapping[Remedy, str] = {
    "all_in_protection": "all-in protection",
    "check_or_fold": "check or fold",
    "refund_and_void": "refund everybody and void",
    "roll_back": "roll the hand back to a step",
}
WORDS = {
    "categories": CATEGORIES,
    "channels": CHANNELS,
    "statuses": STATUSES,
    "kinds": KINDS,
    "short_kinds": SHORT_KINDS,
    "stages": STAGES,
    "remedies": REMEDIES,
}
"""All of them, as templates read them."""
