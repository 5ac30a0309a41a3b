"""Asking the service with one key."""

from __future__ import annotations

from urllib.parse import urlencode

from httpx2 import Response

from tests.support.service import Served


class Asking:
    """Asks with one key; whatever is not a plain answer fails the test."""

    def __init__(self, service: Served, headers: dict[str, str]) -> None:
        self.service, self.headers = service, headers

    def __call__(self, path: str, **headers: str) -> Response:
        """An answer as asked."""
        answer = self.service.client.get(path, headers=self.headers | headers)
        assert answer.status_code == 200, answer.text
        return answer

    def wrong(self, path: str, status: int, problem: str, **headers: str) -> Response:
        """A problem of this type."""
        answer = self.service.client.get(path, headers=self.headers | headers)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["type"] == f"urn:studledger:problem:{problem}"
        assert answer.status_code == answer.json()["status"] == status
        return answer


def whatif_path(hand: object, **change: object) -> str:
    """Where a what-if about a hand is asked; a list is a parameter that is repeated."""
    return f"/v1/hands/{hand}/whatif?{urlencode(change, doseq=True)}"
