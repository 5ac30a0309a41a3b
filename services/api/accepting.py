"""Which of the forms an answer has the client takes, by its Accept header (RFC 9110)."""

from __future__ import annotations

from fastapi import Request

from services.api import problems

JSON = "application/json"
LINES = "application/jsonl"
CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PARQUET = "application/vnd.apache.parquet"
BEANCOUNT = "text/x-beancount"
PDF = "application/pdf"

_ALSO = {"application/x-ndjson": LINES, "application/jsonlines": LINES}
"""Other names of a form."""


def chosen(request: Request, *forms: str) -> str:
    """The form the client likes best, the first of equals. Raises NotAcceptable if it takes none.

    What it names itself is before what only a wildcard of the same weight lets through.
    """
    weights = _weights(request.headers.get("Accept") or "*/*")
    best = max(forms, key=lambda form: _liked(form, weights))
    if not _liked(best, weights)[0]:
        raise problems.not_acceptable(forms)
    return best


def _weights(accept: str) -> dict[str, float]:
    """The weight of every media range of an Accept header."""
    weights: dict[str, float] = {}
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weights[_ALSO.get(name, name)] = _weight(parameters)
    return weights


def _weight(parameters: list[str]) -> float:
    given = [one.removeprefix("q=") for one in parameters if one.startswith("q=")]
    try:
        return float(given[0]) if given else 1.0
    except ValueError:
        return 1.0


def _liked(form: str, weights: dict[str, float]) -> tuple[float, int]:
    """The weight of a form, and how closely the range that gives it fits."""
    ranges = ("*/*", f"{form.partition('/')[0]}/*", form)
    return max(
        ((weights[name], closeness) for closeness, name in enumerate(ranges) if name in weights),
        key=lambda found: found[1],
        default=(0.0, 0),
    )
