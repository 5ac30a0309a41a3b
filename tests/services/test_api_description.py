"""The description of the service: complete, true to the structs, and nothing in it breaks it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from fastapi_problem.error import StatusProblem
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import Receive, Scope, Send

from services.api.accepting import LINES
from services.api.describing import PROBLEM
from services.api.problems import ALL
from services.api.settings import ApiSettings
from services.embedded import Server
from tests.support.live import table_with
from tests.support.service import Served, served

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")

Operation = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def service(server: Server) -> Iterator[Served]:
    with served(server, 12) as service:
        yield service


@pytest.fixture(scope="module")
def document(service: Served) -> dict[str, Any]:
    answer = service.client.get("/openapi.json", headers=service.headers("player", service.hand))
    described: dict[str, Any] = answer.json()
    return described


def operations(document: dict[str, Any]) -> list[Operation]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def contents(operation: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Status, media type and what is said of it, for every answer that has a body."""
    return [
        (status, kind, content)
        for status, response in operation["responses"].items()
        for kind, content in response.get("content", {}).items()
    ]


def test_every_route_says_what_it_answers(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        described = contents(operation)
        assert any(status == "200" for status, _, _ in described), route
        assert all(content["schema"] for _, _, content in described), route
        if operation.get("requestBody"):
            assert all(body["schema"] for body in operation["requestBody"]["content"].values())


def test_every_route_says_how_it_refuses(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        kinds = {status: kind for status, kind, _ in contents(operation)}
        assert kinds["422"] == kinds["401"] == kinds["403"] == kinds["500"] == PROBLEM, route


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    named = set(document["components"]["schemas"])
    assert {name.rpartition("/")[2] for name in references(document)} <= named


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_every_answer_has_an_example_that_is_one(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        for status, kind, content in contents(operation):
            if "json" not in kind:
                continue
            schema = content["schema"] | {"components": document["components"]}
            assert jsonschema_rs.validator_for(schema).is_valid(content["example"]), (
                route,
                status,
                kind,
            )


def test_the_example_of_a_problem_has_the_status_it_is_an_example_of(
    document: dict[str, Any],
) -> None:
    for route, operation in operations(document):
        for status, kind, content in contents(operation):
            if kind == PROBLEM:
                assert content["example"]["status"] == int(status), route


def test_every_parameter_has_a_type_and_a_description(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        for one in operation.get("parameters", ()):
            assert one["schema"], (route, one["name"])
            assert " " in one["description"], (route, one["name"])


def test_every_route_is_summed_up_in_words_of_its_own(document: dict[str, Any]) -> None:
    summaries = [operation["summary"] for _, operation in operations(document)]
    assert all(" " in summary for summary in summaries)
    assert len(set(summaries)) == len(summaries)


def test_only_the_open_routes_go_without_a_key(document: dict[str, Any]) -> None:
    keyless = {route for route, operation in operations(document) if not operation.get("security")}
    assert keyless == {"GET /healthz", "GET /readyz"}


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_problem_is_on_the_page_with_its_status(kind: type[StatusProblem]) -> None:
    assert f"| `{kind.type_}` | {kind.status} |" in PAGE


def test_every_route_is_on_the_page_with_its_parameters(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{route}` |")]
        names = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        assert names <= set(re.findall(r"`(\w+)`", row)), route


@pytest.mark.parametrize("name", ApiSettings.model_fields)
def test_every_setting_is_on_the_page(name: str) -> None:
    assert f"`STUDLEDGER_{name.upper()}`" in PAGE


def test_every_problem_has_a_type_of_its_own() -> None:
    types = [kind.type_ for kind in ALL]
    assert all(types)
    assert len(set(types)) == len(types)


def requests(operation: APIOperation) -> st.SearchStrategy[schemathesis.Case]:
    """Requests as described and, where there is something to get wrong, others."""
    made = operation.as_strategy()
    if not list(operation.iter_parameters()):
        return made
    return made | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)


# The threads of the service throw dice of their own meanwhile, and Hypothesis thinks they are ours.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
def test_nothing_the_description_allows_breaks_the_service(service: Served) -> None:
    """Schemathesis makes up requests, good and bad, and checks every answer against the schema."""

    async def running(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http", "the service runs already"
        await service.app(scope, receive, send)

    schemathesis.serializer.alias(LINES, "text/plain")
    headers = service.headers("admin")
    schema = schemathesis.openapi.from_dict(service.app.openapi())
    schema.app = running
    hands = [str(shown.hand) for shown in service.demo.arranged[:2]]

    for described in schema.get_all_operations():
        operation = described.ok()
        assert operation is not None
        table = str(table_with(service.app.state.parts.live, {1: 10_000, 2: 10_000}))

        @settings(
            max_examples=4,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(
            case=requests(operation),
            hand=st.sampled_from([None, *hands, *hands]),
            table=st.just(table),
        )
        def answers_well(case: schemathesis.Case, hand: str | None, table: str) -> None:
            if hand and "hand" in case.path_parameters:
                case.path_parameters["hand"] = hand
            if hand and "table" in case.path_parameters:
                case.path_parameters["table"] = table
            if case.path == "/v1/feed":
                # By itself a stream does not end.
                case.query |= {"hand": hands[0], "after": 0, "limit": 1}
                case.headers.pop("Last-Event-ID", None)
            case.call_and_validate(headers=headers, checks=CHECKS)

        answers_well()
