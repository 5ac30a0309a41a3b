"""The verifier of an auditor stands alone: whoever reads it needs to read nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "services" / "proof").glob("*.py"))
BESIDES = {"cryptography", "services.proof"}


def imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_verifier_imports_the_standard_library_and_ed25519(path: Path) -> None:
    for module in imported(path):
        top = module.partition(".")[0]
        assert top in sys.stdlib_module_names or any(map(module.startswith, BESIDES)), module


def test_loading_the_verifier_loads_nothing_else_of_the_program() -> None:
    code = (
        "import sys, services.proof.bundle, services.proof.consistency, services.proof.rotation;"
        "import services.proof.tlog_proof;"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in"
        " {'domain', 'projections', 'services', 'msgspec', 'psycopg', 'pydantic'}))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(ast.literal_eval(told.stdout))
    assert loaded == {"services", "services.proof"} | {
        f"services.proof.{path.stem}" for path in FILES if path.stem != "__init__"
    }
