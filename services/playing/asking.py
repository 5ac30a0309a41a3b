"""Requests as a careful client sends them: under a key, and again until there is an answer."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

import httpx2
import msgspec

from services.errors import ServiceError
from services.playing.answers import Problem
from services.playing.tally import TableTally

T = TypeVar("T")

AGAIN = 0.1
"""Seconds until a request is sent again, doubled up to `LONGEST`."""
LONGEST = 2.0
PATIENCE = 120.0
"""Seconds without any answer until the service is taken to be gone."""
CONNECTIONS = 64


class Unwelcome(ServiceError):
    """The service cannot be played at: it is not there, or does not let us."""


class Refused(ServiceError):
    """A rule or a moved turn refused it; nothing was done."""


class Heard(NamedTuple):
    """An answer, as it came: what was asked, and the bytes."""

    method: str
    path: str
    status: int
    content: bytes


Listener = Callable[[Heard], None]


class Service:
    """The service, at one address or several that are the same room, asked in turn."""

    def __init__(self, addresses: Sequence[str], listener: Listener | None = None) -> None:
        self._addresses = itertools.cycle([address.rstrip("/") for address in addresses])
        self._listener = listener
        self.known = False
        """Whether it ever answered: until then there may be nothing there at all."""
        self._client = httpx2.AsyncClient(
            limits=httpx2.Limits(max_connections=CONNECTIONS),
            timeout=httpx2.Timeout(30, pool=PATIENCE),
            trust_env=False,
        )

    async def close(self) -> None:
        """Hang up."""
        await self._client.aclose()

    async def send(
        self, method: str, path: str, headers: dict[str, str], body: Any
    ) -> httpx2.Response:
        """One try at the next address. Raises TransportError."""
        content = None if body is None else msgspec.json.encode(body)
        answer = await self._client.request(
            method, next(self._addresses) + path, headers=headers, content=content
        )
        self.known = True
        if self._listener is not None:
            self._listener(Heard(method, path, answer.status_code, answer.content))
        return answer


class Desk:
    """Who asks for one table: his key, and what he has counted."""

    def __init__(self, service: Service, key: str, tally: TableTally) -> None:
        self._service = service
        self._key = key
        self.tally = tally

    async def get(self, path: str, kind: type[T]) -> T:
        """Look at something. Raises `Refused` or `Unwelcome`."""
        return self._read(await self._asked("GET", path, {}, None), kind)

    async def post(self, path: str, body: object, kind: type[T], turn: str | None = None) -> T:
        """Have something done, once; `turn` is the one that is answered.

        Raises `Refused` if it was not done and never will be, `Unwelcome` if nothing will.
        """
        headers = {"Idempotency-Key": str(uuid4()), "Content-Type": "application/json"}
        if turn is not None:
            headers["If-Match"] = f'"{turn}"'
        return self._read(await self._asked("POST", path, headers, body), kind)

    async def act(self, path: str, body: object, kind: type[T], turn: str) -> T:
        """As `post`, and counted as an action."""
        began = time.perf_counter()
        before = self.tally.retries
        answer = await self.post(path, body, kind, turn)
        self.tally.actions += 1
        if self.tally.retries == before:  # Of others the time is that of an outage.
            self.tally.latencies.append(time.perf_counter() - began)
        return answer

    async def _asked(
        self, method: str, path: str, headers: dict[str, str], body: object
    ) -> httpx2.Response:
        """The first answer that is one, however often it takes: always under the same key."""
        given_up, wait = time.monotonic() + PATIENCE, AGAIN
        headers = {"Authorization": f"Bearer {self._key}", **headers}
        while True:
            try:
                answer = await self._service.send(method, path, headers, body)
            except httpx2.TransportError as lost:
                why = type(lost).__name__
            else:
                if answer.status_code < 500 and answer.status_code != 429:
                    return answer
                why = f"{answer.status_code} {_problem(answer).name}"
                self.tally.errors += answer.status_code not in (429, 503)
            if not self._service.known:
                raise Unwelcome(f"nobody answers ({why}): is `studledger serve` running there?")
            if time.monotonic() > given_up:
                raise Unwelcome(f"no answer for {PATIENCE:.0f} s: {why}")
            self.tally.retries += 1
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST)

    def _read(self, answer: httpx2.Response, kind: type[T]) -> T:
        if answer.is_success:
            return msgspec.json.decode(answer.content, type=kind)
        problem = _problem(answer)
        if answer.status_code in (409, 412):
            self.tally.refusals += 1
            raise Refused(problem.name)
        self.tally.errors += 1
        raise Unwelcome(
            f"the service answers {answer.status_code} {problem.name}: {problem.detail}"
        )


def _problem(answer: httpx2.Response) -> Problem:
    """Why something was not done, whoever said so: it may have been a proxy."""
    try:
        return msgspec.json.decode(answer.content, type=Problem)
    except msgspec.MsgspecError:
        return Problem(type=answer.reason_phrase)
