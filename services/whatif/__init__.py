"""What would have followed from another decision, policy or rake schedule, in words and figures."""

from services.whatif.answer import WhatIfAnswer, as_text, what_if
from services.whatif.asking import BadAsk, decision_of, instead_of, schedule_of

__all__ = [
    "BadAsk",
    "WhatIfAnswer",
    "as_text",
    "decision_of",
    "instead_of",
    "schedule_of",
    "what_if",
]
