"""Somebody in front of the pages: signed in over https, reading HTML, sending forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from uuid import UUID

from fastapi.testclient import TestClient
from httpx2 import Response

from services.access import Role
from tests.support.service import Served

CSRF = re.compile(r'name="csrf" value="([^"]+)"')
PROBLEM = re.compile(r'data-problem="([^"]+)"')


class Visitor:
    """A browser without script: keeps its cookie and follows nothing by itself."""

    def __init__(self, service: Served, key: str | None = None) -> None:
        # The app is running already; a client of its own keeps a cookie of its own.
        self.client = TestClient(service.app, base_url="https://testserver", follow_redirects=False)
        if key is not None:
            self.sign_in(key)

    def sign_in(self, key: str, next: str = "/hands") -> Response:  # noqa: A002
        """Signs in with a key."""
        answer = self.client.post("/sign-in", data={"key": key, "next": next})
        assert answer.status_code == 303, answer.text
        return answer

    def get(self, path: str, status: int = 200) -> str:
        """The page at an address, as HTML."""
        answer = self.client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == status, (answer.status_code, answer.text[:2000])
        return answer.text

    def csrf(self, page: str = "/hands") -> str:
        """What a form of this session carries."""
        found = CSRF.search(self.get(page))
        assert found is not None, "no form on the page"
        return unescape(found[1])

    def send(
        self, path: str, fields: Mapping[str, str], status: int = 303, files: object = None
    ) -> Response:
        """Sends a form of this session."""
        data = {"csrf": self.csrf(), **fields}
        answer = self.client.post(path, data=data, files=files)  # type: ignore[arg-type]
        assert answer.status_code == status, (answer.status_code, answer.text[:2000])
        return answer


def visitor(service: Served, role: Role, player: UUID | None = None) -> Visitor:
    """Somebody with a new key of this role, signed in."""
    return Visitor(service, service.key(role, player))


def problem_of(page: str) -> str | None:
    """The kind of problem a page tells, such as `not-allowed`."""
    found = PROBLEM.search(page)
    return found[1] if found else None
