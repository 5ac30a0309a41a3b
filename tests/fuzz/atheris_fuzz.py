"""Coverage-guided fuzzing of one target: `python -m tests.fuzz.atheris_fuzz readers -runs=100000`.

Needs the dependency group `fuzz`; options after the target are those of libFuzzer.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Fuzz the target that is named; anything but a documented refusal is a crash."""
    import atheris  # where the tests run it need not be installed

    with atheris.instrument_imports(include=["domain", "services"]):
        from tests.fuzz.dice import BytesDice
        from tests.fuzz.targets import TARGETS

    target = TARGETS.get("".join(sys.argv[1:2]))
    if target is None:
        sys.exit(f"say what to fuzz: {', '.join(TARGETS)}")
    atheris.Setup([sys.argv[0], *sys.argv[2:]], lambda data: target(BytesDice(data)))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
