"""What would have followed from another decision, policy or rake schedule, in words and figures."""

from services.whatif.answer import WhatIfAnswer, as_text, what_if
from services.whatif.asking import ACTIONS, BadAsk, amount_of, decision_of, instead_of, schedule_of

__all__ = [
    "ACTIONS",
    "BadAsk",
    "WhatIfAnswer",
    "amount_of",
    "as_text",
    "decision_of",
    "instead_of",
    "schedule_of",
    "what_if",
]
