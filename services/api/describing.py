"""OpenAPI: every answer described by the struct it is made of, with an example of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from fastapi import FastAPI, Response
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts
from pydantic import TypeAdapter
from starlette.routing import BaseRoute

from services.access import OPEN
from services.api.accepting import JSON, LINES
from services.api.bodies import BODIES, ProblemBody
from services.api.examples import examples, problem_examples, refusal

PROBLEM = "application/problem+json"
REF = "#/components/schemas/{name}"
REFUSALS = {
    "400": "Bad request",
    "401": "No key, or one that opens nothing",
    "403": "Not for this role, or not in this view",
    "404": "Not found",
    "406": "None of the forms the answer has is accepted",
    "409": "Several hands have this number",
    "413": "The body is too large",
    "414": "The query is too long",
    "422": "A parameter is not as it should be, or a purpose is missing",
    "429": "Too many requests",
    "500": "The service made a mistake",
    "503": "The database is not reached",
}
AGAINST_THE_RULES = "The rules do not allow it, or several hands have this number"
TAGGED = {"304": {"description": "As the client has it already"}}


def answers(
    body: type,
    *,
    lines: type | None = None,
    files: Mapping[str, dict[str, Any]] | None = None,
    also: Mapping[int, type] | None = None,
    refuses: bool = False,
    answers_a_turn: bool = False,
) -> dict[str, Any]:
    """How a route is declared that answers with `body`, or line by line with `lines`.

    `files` are further forms by their media type, `also` are bodies under another status. A
    route `refuses` if the rules of the game may not allow what is asked, and one that
    `answers_a_turn` needs to know which.
    """
    content = {JSON: {"schema": _ref(body)}}
    if lines is not None:
        content[LINES] = {"schema": _ref(lines)}
    content |= files or {}
    responses: dict[int | str, dict[str, Any]] = {
        200: {"description": "As asked", "content": content}
    }
    for status, other in (also or {}).items():
        responses[status] = {"description": "Not so", "content": {JSON: {"schema": _ref(other)}}}
    if refuses:
        responses[409] = _problem(AGAINST_THE_RULES)
    if answers_a_turn:
        responses |= {412: _problem("The turn has moved"), 428: _problem("No turn was named")}
    return {"response_class": Response, "responses": responses}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of the app."""
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    _, schemas = msgspec.json.schema_components(BODIES, ref_template=REF)
    document.setdefault("components", {})["schemas"] = schemas
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _finish(operation, open_to_all=f"{method.upper()} {path}" in OPEN)
    return document


def parameters(routes: Sequence[BaseRoute]) -> dict[str, dict[str, bool]]:
    """The query parameters of every route, shown in the document or not, and which are lists."""
    return {
        f"{method} {route.path_format}": dict(_asked(route.dependant))
        for route in iter_route_contexts(routes)
        for method in route.methods or ()
    }


def _asked(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """The query parameters of a function and of all it depends on."""
    for field in dependant.query_params:
        kind: Any = field.field_info.annotation
        yield field.alias, _is_list(TypeAdapter(kind).json_schema())
    for other in dependant.dependencies:
        yield from _asked(other)


def _is_list(schema: Mapping[str, Any]) -> bool:
    return any(one.get("type") == "array" for one in (schema, *schema.get("anyOf", ())))


def _ref(body: type) -> dict[str, Any]:
    if not issubclass(body, msgspec.Struct):
        return {"type": "object", "title": "Description"}
    return {"$ref": REF.format(name=body.__name__)}


def _finish(operation: dict[str, Any], *, open_to_all: bool) -> None:
    """What all routes have in common, and an example for every answer."""
    if open_to_all:
        operation.pop("security", None)
    responses = operation["responses"]
    # The framework describes its own 422; ours looks like all other problems.
    responses.pop("422", None)
    for status, description in REFUSALS.items():
        if status != "406" or len(responses["200"]["content"]) > 1:
            responses.setdefault(status, _problem(description))
    responses |= {status: said for status, said in TAGGED.items() if not open_to_all}
    for status, response in responses.items():
        for kind, content in response.get("content", {}).items():
            example = (_problem_example if kind == PROBLEM else _example)(response, kind, status)
            if example is not None:
                content["example"] = example


def _problem_example(response: dict[str, Any], kind: str, status: str) -> Any:
    if response["description"] == AGAINST_THE_RULES:
        return refusal()
    return problem_examples()[status]


def _example(response: dict[str, Any], kind: str, status: str) -> Any:
    """An example of what is described; None if there is none of it."""
    schema = response["content"][kind]["schema"]
    name = schema.get("$ref", "").rpartition("/")[2] or schema.get("title")
    return examples().get(f"{name} {status}") or examples().get(name)


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {PROBLEM: {"schema": _ref(ProblemBody)}}}
