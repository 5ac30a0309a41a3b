"""`migrate` and `doctor`: the schema, and whether everything is well."""

from __future__ import annotations

from services import diagnosis, migrations
from services.cli.exits import FAILURE, UNREACHABLE, Stop
from services.cli.output import (
    Format,
    FormatOption,
    counted,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    say,
)
from services.settings import load_settings
from services.store.database import database_of


def migrate(form: FormatOption = Format.TABLE) -> None:
    """Bring the room's schema up to this program; harmless to run again.

    The embedded database is migrated by itself. Elsewhere this needs the login that owns the
    tables (STUDLEDGER_OWNER_URL).
    """
    settings = load_settings()
    with database_of(settings) as database:
        applied = migrations.migrate(database.owner, settings.room)
        state = migrations.schema_state(database.owner, settings.room)
    answer = {"room": settings.room, "applied": applied, "version": state.version}
    if form is Format.TABLE:
        for name in applied:
            say(f"applied {name}")
        say(f"room {settings.room} is at version {state.version}")
    else:
        emit_json(answer)


def doctor(form: FormatOption = Format.TABLE) -> None:
    """Look at settings, database, schema, projections and books, and say what to do."""
    checks = diagnosis.diagnose(load_settings())
    rows = [(check.name, "ok" if check.ok else "NOT OK", check.text) for check in checks]
    columns = ("check", "state", "what")
    if form is Format.TABLE:
        emit_table(columns, rows, flow=("what",))
    elif form is Format.CSV:
        emit_csv(columns, rows)
    elif form is Format.JSONL:
        emit_lines(checks)
    else:
        emit_json({"checks": checks})
    failed = [check for check in checks if not check.ok]
    if failed:
        gone = any(check.name in {"database", "schema"} for check in failed)
        raise Stop(f"{counted(len(failed), 'check')} failed", UNREACHABLE if gone else FAILURE)
