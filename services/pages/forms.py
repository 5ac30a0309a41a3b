"""Forms: what was typed, whether it is this session's, and what is wrong beside which field."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi_problem.error import Problem
from python_multipart.multipart import parse_options_header
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from services.api import problems
from services.api.guard import session_of
from services.errors import ServiceError
from services.pages.visiting import led_here

CSRF = "csrf"
_STEERING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class FormError(ServiceError):
    """A field is not filled in as it should be; `form` is what was typed, and what is wrong."""

    def __init__(self, form: Form, field: str, message: str) -> None:
        super().__init__(message)
        form.errors[field] = message
        self.form = form


class Attached(bytes):
    """An attached file's content, with its name and what the browser takes it for."""

    name: str
    media_type: str


class Form:
    """What was typed into the fields of a form, and what is wrong with which."""

    def __init__(
        self, values: Mapping[str, str] | None = None, files: Mapping[str, Attached] | None = None
    ) -> None:
        self._values = dict(values or {})
        self._files = dict(files or {})
        self.errors: dict[str, str] = {}

    def value(self, name: str) -> str:
        """What stands in a field, exactly as typed; nothing in one that was not sent."""
        return self._values.get(name, "")

    def error(self, name: str) -> str | None:
        """What is wrong with a field, in words."""
        return self.errors.get(name)

    def text(self, name: str, *, most: int = 200, required: bool = False) -> str:
        """A field's text without blanks around it. Raises FormError."""
        text = self.value(name).replace("\r\n", "\n").strip()
        if required and not text:
            raise FormError(self, name, "this is needed")
        if len(text) > most:
            raise FormError(self, name, f"this is {len(text)} characters long; {most} fit")
        if _STEERING.search(text):
            raise FormError(self, name, "this has a character in it that nobody can read")
        return text

    def forget(self, name: str) -> None:
        """Let nobody see again what stands in a field."""
        self._values.pop(name, None)

    def require_no_mistake(self) -> None:
        """Raise FormError if anything was noted as wrong."""
        for field, message in self.errors.items():
            raise FormError(self, field, message)

    def file(self, name: str) -> Attached | None:
        """An attached file; None where none was chosen."""
        return self._files.get(name)

    def refuse(self, wrong: Problem, fields: Iterable[str], otherwise: str) -> FormError:
        """What a problem says, beside the fields it names, or beside `otherwise`."""
        error = FormError(self, otherwise, wrong.detail or wrong.title)
        told: list[Any] = wrong.extras.get("errors", [])
        named = {one["name"]: _words(one) for one in told if one["name"] in set(fields)}
        if named:
            self.errors = named
        return error


def _words(error: Mapping[str, Any]) -> str:
    possible = error.get("possible")
    return f"{error['message']}: {', '.join(possible)}" if possible else str(error["message"])


async def form_of(request: Request) -> Form:
    """The form that was sent. Raises a problem for one that no page of this session made."""
    form = await open_form_of(request)
    expected = session_of(request).csrf
    if not hmac.compare_digest(form.value(CSRF).encode(), expected.encode()):
        raise problems.NotThisSession("go back, reload the page and send the form again")
    return form


async def open_form_of(request: Request) -> Form:
    """A form for which nobody is signed in. Raises a problem for what another site sends."""
    if led_here(request):
        raise problems.NotThisSession("another site sent this form")
    _require_utf8(request)
    values: dict[str, str] = {}
    files: dict[str, Attached] = {}
    async with request.form(max_files=1, max_fields=100) as sent:
        for name, value in sent.multi_items():
            if isinstance(value, UploadFile):
                if value.filename:
                    files[name] = await _attached(value)
            else:
                values[name] = value
    return Form(values, files)


def _require_utf8(request: Request) -> None:
    """Pages are UTF-8, and browsers send their forms as that.

    Any other name is one of a way to read bytes, of which some make what is no text.
    """
    _, options = parse_options_header(request.headers.get("Content-Type"))
    if options.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"utf8"):
        raise HTTPException(400, "a form is sent as UTF-8")


async def _attached(sent: UploadFile) -> Attached:
    file = Attached(await sent.read())
    file.name = sent.filename or ""
    file.media_type = sent.content_type or "application/octet-stream"
    return file


SentForm = Annotated[Form, Depends(form_of)]
"""A route's form, checked."""

OpenForm = Annotated[Form, Depends(open_form_of)]
