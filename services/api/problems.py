"""Everything that can go wrong over HTTP, as RFC 9457 problems with a stable `type`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi.exceptions import RequestValidationError
from fastapi_problem.error import Problem, StatusProblem
from fastapi_problem.handler import ExceptionHandler, new_exception_handler
from starlette.exceptions import HTTPException
from starlette.requests import Request

from domain.errors import CorruptHistory, Refused
from services import disputes, live
from services.access import PurposeMissing
from services.bundles.exporting import NoHands
from services.errors import DatabaseBusy, DatabaseUnreachable, ServiceError, StaleStream
from services.log.errors import Altered, Contradiction, LogKeyUnusable, NoCheckpoint, NotSealed
from services.log.sealing import LogStopped
from services.lookup import AmbiguousHand, UnknownHand
from services.replaying import BadView, NoSuchStep
from services.reports import BadCursor, BadRakeQuestion
from services.seating import BadTerms, UnknownPlayer
from services.tables import UnknownTable

TYPES = "urn:studledger:problem:{type}"
RETRY_SECONDS = "5"
NAMED = 10  # How many unknown hands the text of a problem names.


class WrongParameter(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with one parameter; `possible` lists what there is, where that is a list."""

    name: str
    message: str
    possible: tuple[str, ...] | None = None


class KeyRequired(StatusProblem):
    """No key at all."""

    type_, title, status = "key-required", "This needs a key", 401


class KeyRefused(StatusProblem):
    """A key that opens nothing."""

    type_, title, status = "key-refused", "This key opens nothing", 401


class NotAllowed(StatusProblem):
    """A good key whose role may not call the route."""

    type_, title, status = "not-allowed", "Not for this role", 403


class NotThisSession(StatusProblem):
    """A form that no page of this session made: another site may have sent it."""

    type_, title, status = "not-this-session", "This form is not of your session", 403


class NotOverTls(StatusProblem):
    """A page to sign in at that is neither on this machine nor reached over TLS."""

    type_, title, status = "not-over-tls", "Sign in over https only", 403


class ViewNotAllowed(StatusProblem):
    """A good key whose role may not take this view."""

    type_, title, status = "view-not-allowed", "Not in this view", 403


class HandStillLive(StatusProblem):
    """Face-down cards of a hand that goes on."""

    type_, title, status = "hand-still-live", "The hand is still being played", 403


class PurposeRequired(StatusProblem):
    """Hidden cards, and no word what for."""

    type_, title, status = "purpose-required", "A purpose is needed", 422


class HandNotFound(StatusProblem):
    """No such hand in this room."""

    type_, title, status = "hand-not-found", "No such hand", 404


class DisputeNotFound(StatusProblem):
    """No such case in this room."""

    type_, title, status = "dispute-not-found", "No such case", 404


class TableNotFound(StatusProblem):
    """No such table in this room."""

    type_, title, status = "table-not-found", "No such table", 404


class HandAmbiguous(StatusProblem):
    """A number several hands have; `candidates` are they."""

    type_, title, status = "hand-ambiguous", "Several hands have this number", 409


class AgainstTheRules(StatusProblem):
    """A rule forbids it: `rule` is its id, `legal` is what may be done instead."""

    type_, title, status = "against-the-rules", "The rules do not allow this", 409


class TurnMoved(StatusProblem):
    """The betting has moved: `turn` is the one now, `legal` what may be done in it."""

    type_, title, status = "turn-moved", "The turn has moved", 412


class TurnRequired(StatusProblem):
    """An action that does not say which turn it answers."""

    type_, title, status = "turn-required", "Say which turn this answers", 428


class NotYourSeat(StatusProblem):
    """A player's key, and another's seat."""

    type_, title, status = "not-your-seat", "Not your seat", 403


class NotDealtHere(StatusProblem):
    """A hand that others dealt: it is on record, but nobody acts in it."""

    type_, title, status = "not-dealt-here", "The hand was not dealt here", 409


class OnLegalHold(StatusProblem):
    """What is to be erased is protected by a hold."""

    type_, title, status = "on-legal-hold", "A legal hold stands in the way", 409


class DayStaysOpen(StatusProblem):
    """The gaming day cannot be closed yet, or not by these clocks: the text says why."""

    type_, title, status = "day-stays-open", "The day stays open", 409


class KeyReused(StatusProblem):
    """An idempotency key that stood for another request before."""

    type_, title, status = "idempotency-key-reused", "The key stood for another request", 422


class BadParameter(StatusProblem):
    """`errors` says what is wrong with which parameter, and what is possible."""

    type_, title, status = "bad-parameter", "A parameter is not as it should be", 422


class NotAcceptable(StatusProblem):
    """No form of the answer is one the client takes; `errors` lists those there are."""

    type_, title, status = "not-acceptable", "The answer has no such form", 406


class TooManyRequests(StatusProblem):
    """More than the limit; `Retry-After` says when there is room again."""

    type_, title, status = "too-many-requests", "Too many requests", 429


class QueryTooLong(StatusProblem):
    """More parameters than any question needs."""

    type_, title, status = "query-too-long", "The query is too long", 414


class BodyTooLarge(StatusProblem):
    """More than any request needs to send."""

    type_, title, status = "body-too-large", "The body is too large", 413


class DatabaseNotReached(StatusProblem):
    """The database is away; nothing was changed."""

    type_, title, status = "database-unreachable", "The database is not reached", 503


class DatabaseTooBusy(StatusProblem):
    """The database did not answer in time; nothing was changed."""

    type_, title, status = "database-busy", "The database is busy", 503


class HandUnreadable(StatusProblem):
    """Stored facts that cannot be applied: `verify` says which."""

    type_, title, status = "hand-unreadable", "The hand's record cannot be read", 500


class NotInTheLog(StatusProblem):
    """No such event is in a signed tree: it is not there, or not sealed or signed over yet."""

    type_, title, status = "not-in-the-log", "Not in the signed log", 404


class LogNotSigned(StatusProblem):
    """The log cannot be signed: that would contradict what was, or its key or an event is amiss."""

    type_, title, status = "log-not-signed", "The log is not signed", 503


class LogAltered(StatusProblem):
    """A stored event is not the one that was sealed."""

    type_, title, status = "log-altered", "The event is not what was sealed", 500


class InternalError(StatusProblem):
    """A fault of the program; the log has it under the request's id."""

    type_, title, status = "internal-error", "The service made a mistake", 500


ALL: tuple[type[StatusProblem], ...] = tuple(
    kind for kind in StatusProblem.__subclasses__() if kind.__module__ == __name__
)
"""Every problem of ours; the framework's own are named after their status."""


def bad_parameter(name: str, message: str, possible: Sequence[str] | None = None) -> BadParameter:
    """One parameter that is wrong, and what it may be."""
    return bad_parameters([wrong(name, message, possible)])


def bad_parameters(all_wrong: Iterable[WrongParameter]) -> BadParameter:
    """All parameters of a request that are wrong."""
    return BadParameter(errors=msgspec.to_builtins(list(all_wrong)))


def wrong(name: str, message: str, possible: Sequence[str] | None = None) -> WrongParameter:
    """What is wrong with one parameter."""
    listed = None if possible is None else tuple(possible)
    return WrongParameter(name=name, message=message, possible=listed)


def not_acceptable(forms: Sequence[str]) -> NotAcceptable:
    """The client takes none of these forms."""
    error = wrong("Accept", "the answer has none of the forms named", forms)
    return NotAcceptable(errors=msgspec.to_builtins([error]))


def refused(wrong: Refused) -> AgainstTheRules:
    """What a rule forbids, with the rule and the legal alternatives."""
    return AgainstTheRules(
        str(wrong), rule=wrong.rule, legal=msgspec.to_builtins(list(wrong.legal))
    )


def turn_moved(wrong: live.TurnMoved) -> TurnMoved:
    """The turn that was answered is over: the one now, and what may be done in it."""
    return TurnMoved(
        str(wrong),
        turn=wrong.turn,
        legal=msgspec.to_builtins(list(wrong.legal)),
        headers={"ETag": f'"{wrong.turn}"'},
    )


def hands_not_found(called: Sequence[str]) -> HandNotFound:
    """No hand is called like these; the first few are named in the text, all in `errors`."""
    named = ", ".join(called[:NAMED]) + (", …" if len(called) > NAMED else "")
    errors = [wrong("hands", f"no hand of this room is called {one}") for one in called]
    return HandNotFound(
        f"no hand of this room has the id or number {named}", errors=msgspec.to_builtins(errors)
    )


def wait(seconds: int, detail: str) -> TooManyRequests:
    """Too much for now; try again after some seconds."""
    return TooManyRequests(detail, headers={"Retry-After": str(seconds)})


def exception_handler() -> ExceptionHandler:
    """Turns every exception of a route into a problem; texts of unknown ones stay inside."""
    return new_exception_handler(
        handlers={
            AmbiguousHand: _ambiguous,
            ServiceError: _service_error,
            Refused: lambda _, __, wrong: refused(wrong),
            CorruptHistory: _unreadable,
            msgspec.MsgspecError: _unreadable,
        },
        http_exception_handler=_plain,
        request_validation_handler=_invalid,
        documentation_uri_template=TYPES,
    )


HANDLED: tuple[type[Exception], ...] = (
    Problem, ServiceError, Refused, CorruptHistory, msgspec.MsgspecError, HTTPException,
    RequestValidationError,
)  # fmt: skip
"""Exceptions that routes may raise; any other one is a bug."""


def _ambiguous(_: ExceptionHandler, request: Request, wrong: AmbiguousHand) -> Problem:
    return HandAmbiguous(
        "name it by its id", candidates=msgspec.to_builtins(wrong.candidates, str_keys=True)
    )


def _service_error(_: ExceptionHandler, request: Request, wrong: ServiceError) -> Problem:
    for kind, tell in _SAID.items():
        if isinstance(wrong, kind):
            return tell(wrong)
    return InternalError()


def _rake_question(wrong: BadRakeQuestion) -> Problem:
    return bad_parameter(wrong.parameter, wrong.message, wrong.possible or None)


_LATER = {"Retry-After": RETRY_SECONDS}

_SAID: dict[type[ServiceError], Callable[[Any], Problem]] = {
    disputes.UnknownCase: lambda _: DisputeNotFound("no case of this room has this id"),
    disputes.UnknownFile: lambda wrong: bad_parameter("body", str(wrong)),
    disputes.OnHold: lambda wrong: OnLegalHold(str(wrong)),
    disputes.NoAmounts: lambda wrong: bad_parameter("body", str(wrong)),
    UnknownTable: lambda _: TableNotFound("no table of this room has this id"),
    UnknownPlayer: lambda wrong: bad_parameter("player", str(wrong)),
    BadTerms: lambda wrong: bad_parameter(wrong.part, str(wrong), wrong.possible),
    UnknownHand: lambda _: HandNotFound("no hand of this room has this id or number"),
    PurposeMissing: lambda wrong: PurposeRequired(f"{wrong}: send `why`"),
    BadView: lambda wrong: bad_parameter("view", str(wrong)),
    NoSuchStep: lambda wrong: bad_parameter("step", str(wrong)),
    BadCursor: lambda wrong: bad_parameter("after", str(wrong), ("the `next` of a page",)),
    BadRakeQuestion: _rake_question,
    NoHands: lambda _: HandNotFound("this room has no hand yet"),
    NotSealed: lambda wrong: NotInTheLog(str(wrong)),
    NoCheckpoint: lambda wrong: NotInTheLog(str(wrong)),
    Altered: lambda wrong: LogAltered(str(wrong)),
    Contradiction: lambda _: LogNotSigned("`studledger doctor` says why"),
    LogKeyUnusable: lambda _: LogNotSigned("`studledger doctor` says why"),
    LogStopped: lambda _: LogNotSigned("`studledger doctor` says why"),
    live.TurnMoved: turn_moved,
    live.NotYourSeat: lambda wrong: NotYourSeat(str(wrong)),
    live.NotDealtHere: lambda wrong: NotDealtHere(str(wrong)),
    live.KeyReused: lambda wrong: KeyReused(str(wrong)),
    StaleStream: lambda _: DatabaseTooBusy("try again", headers=_LATER),
    DatabaseBusy: lambda _: DatabaseTooBusy("try again", headers=_LATER),
    DatabaseUnreachable: lambda _: DatabaseNotReached("try again later", headers=_LATER),
}
"""Errors whose cause is the request or the moment; any other one is the service's mistake."""


def _unreadable(_: ExceptionHandler, request: Request, wrong: Exception) -> Problem:
    return HandUnreadable("`studledger verify` says what is wrong with it")


def _plain(_: ExceptionHandler, request: Request, wrong: HTTPException) -> Problem:
    """What the framework itself refuses: no such route, no such method, too large a body."""
    if wrong.status_code == BodyTooLarge.status:
        return BodyTooLarge()
    phrase = HTTPStatus(wrong.status_code).phrase
    return Problem(
        title=phrase,
        type_=phrase.lower().replace(" ", "-"),
        status=wrong.status_code,
        headers=dict(wrong.headers or {}),
    )


def _invalid(_: ExceptionHandler, request: Request, wrong: RequestValidationError) -> Problem:
    return bad_parameters(map(_told, wrong.errors()))


def _told(error: dict[str, Any]) -> WrongParameter:
    """A validator's complaint, without the value it complains of."""
    possible = error.get("ctx", {}).get("possible")
    return wrong(".".join(map(str, error["loc"][1:])), error["msg"], possible or None)
