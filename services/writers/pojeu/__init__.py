"""POJEU: one XML file per hand, as the French regulator asks for it (`docs/pojeu.md`)."""

from services.writers.pojeu.exporting import export_pojeu
from services.writers.pojeu.operator import Operator, OperatorUnknown, operator_of
from services.writers.pojeu.schema import Schema, schema_in

__all__ = [
    "Operator",
    "OperatorUnknown",
    "Schema",
    "export_pojeu",
    "operator_of",
    "schema_in",
]
