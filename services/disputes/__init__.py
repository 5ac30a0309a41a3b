"""Disputes: cases, what the record has to say about them, and rulings by two people."""

from services.disputes.checking import rulings_that_differ
from services.disputes.errors import NoAmounts, OnHold, UnknownCase, UnknownFile
from services.disputes.evidence import CaseEvidence, gather
from services.disputes.files import (
    MOST_BYTES,
    CaseFile,
    add_attachment,
    add_note,
    erase,
    file_of,
    files_of,
    keep_evidence,
)
from services.disputes.handling import InCase, handle, open_case
from services.disputes.holds import hands_on_hold
from services.disputes.loading import LoadedCase, load_case, load_hand
from services.disputes.register import CaseFound, CasesPage, CasesWanted, find_cases
from services.disputes.sheet import CaseSheet, case_sheet
from services.disputes.supposing import amounts_of, keep_what_if

__all__ = [
    "MOST_BYTES",
    "CaseEvidence",
    "CaseFile",
    "CaseFound",
    "CaseSheet",
    "CasesPage",
    "CasesWanted",
    "InCase",
    "LoadedCase",
    "NoAmounts",
    "OnHold",
    "UnknownCase",
    "UnknownFile",
    "add_attachment",
    "add_note",
    "amounts_of",
    "case_sheet",
    "erase",
    "file_of",
    "files_of",
    "find_cases",
    "gather",
    "handle",
    "hands_on_hold",
    "keep_evidence",
    "keep_what_if",
    "load_case",
    "load_hand",
    "open_case",
    "rulings_that_differ",
]
