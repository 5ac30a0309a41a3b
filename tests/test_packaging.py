"""What a user gets: the distribution, its pinned versions, the containers."""

from __future__ import annotations

import re
import stat
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
PINNED_BY_THE_ENVIRONMENT = {"pip", "setuptools", "studledger"}


def plain(name: str) -> str:
    """A distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    constraints = PROJECT["tool"]["uv"]["constraint-dependencies"]
    return dict(constraint.split("==") for constraint in constraints)


# The distribution


def test_the_distribution_says_what_it_is() -> None:
    about = metadata.metadata("studledger")
    assert about["License-Expression"] == "MIT"
    assert about["Requires-Python"] == ">=3.11"
    assert about["Version"] == PROJECT["project"]["version"]


def test_the_command_is_studledger() -> None:
    (command,) = metadata.distribution("studledger").entry_points
    assert (command.group, command.name) == ("console_scripts", "studledger")
    assert command.value == "services.cli.main:main"


def test_the_wheel_holds_the_three_packages() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["domain", "projections", "services"]


def test_everything_installed_is_pinned_to_its_version() -> None:
    installed = {plain(found.name): found.version for found in metadata.distributions()}
    ours = {n: v for n, v in installed.items() if n not in PINNED_BY_THE_ENVIRONMENT}
    assert ours.items() <= pins().items()


def test_the_pins_are_exact_and_sorted() -> None:
    constraints = PROJECT["tool"]["uv"]["constraint-dependencies"]
    assert constraints == sorted(constraints, key=lambda pin: pin.split("==")[0])
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*", pin) for pin in constraints)


def test_the_check_and_the_image_use_the_same_uv() -> None:
    check = re.search(r"UV_VERSION=(\S+)", (ROOT / ".ci" / "run").read_text("utf-8"))
    image = re.search(r"uv==(\S+)", (ROOT / "Dockerfile").read_text("utf-8"))
    assert check is not None
    assert image is not None
    assert check[1] == image[1]


# The containers


def test_the_database_is_postgresql_18_with_a_health_check() -> None:
    database = SERVICES["database"]
    assert database["image"] == "postgres:18"
    assert "pg_isready" in database["healthcheck"]["test"]


def test_the_data_outlives_the_container_where_postgres_18_keeps_it() -> None:
    assert "database:/var/lib/postgresql" in SERVICES["database"]["volumes"]
    assert "database" in COMPOSE["volumes"]


def test_the_schema_is_brought_up_to_date_before_the_program_starts() -> None:
    assert SERVICES["migrate"]["command"] == ["migrate"]
    assert SERVICES["migrate"]["depends_on"]["database"]["condition"] == "service_healthy"
    before = SERVICES["app"]["depends_on"]["migrate"]["condition"]
    assert before == "service_completed_successfully"


def test_the_service_says_whether_it_is_ready() -> None:
    assert SERVICES["app"]["command"][0] == "serve"
    assert "/readyz" in SERVICES["app"]["healthcheck"]["test"][-1]


def test_the_program_never_gets_the_owners_login() -> None:
    assert "STUDLEDGER_OWNER_URL" in SERVICES["migrate"]["environment"]
    assert "OWNER" not in str(SERVICES["app"]["environment"])


def test_nothing_listens_beyond_this_machine() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(ports) == 2
    assert all(port.startswith("127.0.0.1:") for port in ports)


@pytest.mark.parametrize("login", ["owner", "app"])
def test_passwords_come_from_the_environment(login: str) -> None:
    text = (ROOT / "docker-compose.yml").read_text("utf-8")
    spelled = re.findall(rf"studledger_{login}:(.*)@", text)
    assert spelled
    assert all(found.startswith(f"${{STUDLEDGER_{login.upper()}_PASSWORD:-") for found in spelled)


def test_the_image_does_not_run_as_root() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    assert "USER studledger" in lines
    assert lines.index("USER studledger") > max(
        number for number, line in enumerate(lines) if line.startswith("FROM")
    )


@pytest.mark.parametrize("script", [".ci/run", ".ci/try-wheel", "docker/create-app-role.sh"])
def test_scripts_may_be_run(script: str) -> None:
    assert (ROOT / script).stat().st_mode & stat.S_IXUSR
