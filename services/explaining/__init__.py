"""Explaining a hand in a floor person's words, each sentence with the rule behind it."""

from services.explaining.explaining import explain
from services.explaining.explanation import Explanation, Line, Section, as_text

__all__ = ["Explanation", "Line", "Section", "as_text", "explain"]
