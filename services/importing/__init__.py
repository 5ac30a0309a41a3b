"""Importing: foreign records become streams of the log, each hand once."""

from services.importing.result import Conflict, ImportResult, RejectedRecord
from services.importing.runs import Progress, import_paths, retry_quarantine

__all__ = [
    "Conflict",
    "ImportResult",
    "Progress",
    "RejectedRecord",
    "import_paths",
    "retry_quarantine",
]
