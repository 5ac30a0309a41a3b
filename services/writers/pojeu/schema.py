"""The regulator's schema, where `STUDLEDGER_SCHEMA_DIR` has it: a file is valid or is not made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from services.errors import BadSettings
from services.writers.hand import CannotSay

MAIN = "PO.xsd"
SETTING = "STUDLEDGER_SCHEMA_DIR"


class Schema:
    """The schema of POJEU. Raises `BadSettings` where it or the library for it is missing."""

    def __init__(self, file: Path) -> None:
        self._etree = _library()
        try:
            self._schema = self._etree.XMLSchema(self._etree.parse(str(file), self._parser()))
        except (OSError, self._etree.LxmlError) as wrong:
            said = str(wrong).partition("\n")[0][:200]
            raise BadSettings(f"{SETTING}: {file} is no usable schema: {said}") from None

    def refuse_invalid(self, document: bytes) -> None:
        """Raises `CannotSay` with the place and the kind of what is wrong, never the value."""
        parsed = self._etree.fromstring(document, self._parser())
        if not self._schema.validate(parsed):
            wrong = self._schema.error_log[0]
            raise CannotSay(
                f"the regulator's schema refuses {wrong.path} in line {wrong.line}"
                f" ({wrong.type_name.removeprefix('SCHEMAV_')})"
            )

    def _parser(self) -> Any:
        return self._etree.XMLParser(resolve_entities=False, no_network=True)


def schema_in(folder: Path | None) -> Schema | None:
    """The schema in this folder, or in `fr` inside it; none without a folder.

    Raises `BadSettings`.
    """
    if folder is None:
        return None
    for file in (folder / MAIN, folder / "fr" / MAIN):
        if file.is_file():
            return Schema(file)
    raise BadSettings(f"{SETTING}: there is no {MAIN} in {folder}, nor in {folder / 'fr'}")


def _library() -> Any:
    try:
        from lxml import etree
    except ImportError:
        raise BadSettings(
            f"{SETTING} is set, and what checks files against schemas is not installed:"
            " install studledger[regulators]"
        ) from None
    return etree
