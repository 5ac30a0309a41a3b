"""Examples of what disputes answer: a case about a hand of the demonstration, ruled on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import asdict

from domain.disputes import commands as q
from domain.disputes.case import Case, evolve
from domain.disputes.decide import decide
from domain.disputes.events import CaseEvent
from domain.evolve import replay
from projections.disputes import DISPUTES, CaseRow, Row
from projections.shape import Told
from services.api.files import OnFile
from services.disputes import CaseEvidence, CaseFound, CasesPage, LoadedCase
from services.disputes.clock import ClockFacts
from services.disputes.sheet import sheet_of
from services.replaying import PUBLIC, replay_step

CASE = UUID("e2d3c4b5-a697-4887-9a6b-5c4d3e2f1a0b")
RULING = UUID("c5a1d9c0-5a3e-4f63-8f2b-7d1a90e4b3c2")
FLORA, APPIA = "6a7d2f10-58c3-4f0a-9a51-0b3c8f0d1e77", "0f4b6c1e-2a77-4d49-8e0b-5c9d3b7a6f21"
NOON = datetime(2026, 1, 9, 12, tzinfo=UTC)
STEP = 12


def dispute_examples(file: OnFile) -> Iterator[msgspec.Struct]:
    """The case, its row in the register, the register, and the evidence."""
    loaded = _case(file)
    yield sheet_of(loaded, file.started, None, {})
    found = _row(loaded)
    yield found
    yield CasesPage(disputes=(found,), next=None, complete_to=4711)
    frame = replay_step(str(file.hand), file.events, STEP, PUBLIC, file.names)
    yield CaseEvidence(
        dispute=CASE,
        step=STEP,
        view="public",
        frame=frame,
        legal=replay_step(str(file.hand), file.events, STEP - 1).legal,
        decided=(),
        findings=(),
        clock=ClockFacts(turn=None, attempts=(), contacts=()),
        kept=(),
        neighbours=(),
        looked=(),
        ruled=None,
    )


def _case(file: OnFile) -> LoadedCase:
    """Complained of, acknowledged, upheld by two people, answered."""
    hand, player = replay(file.events), file.started.seats[0].player
    told: dict[str, Any] = {"by": FLORA, "at": NOON}
    asked: tuple[q.CaseCommand, ...] = (
        q.OpenCase(
            hand=file.hand, category="award", complainant=player, channel="email", step=STEP,
            submitted_at=NOON - timedelta(days=1), **told,
        ),
        q.Acknowledge(**told),
        q.ProposeRuling(
            ruling=RULING, kind="uphold", reason="The low was read right.", rule="P2", **told
        ),
        q.ApproveRuling(ruling=RULING, by=APPIA, at=NOON),
        q.AnswerCase(**told),
    )  # fmt: skip
    case: Case | None = None
    events: list[CaseEvent] = []
    for command in asked:
        for event in decide(case, command, hand):
            case = evolve(case, event)
            events.append(event)
    assert case is not None
    return LoadedCase(id=CASE, case=case, events=tuple(events))


def _row(loaded: LoadedCase) -> CaseFound:
    row: Row | None = None
    for event in loaded.events:
        row = DISPUTES.project(row, event)
    assert row is not None
    stored, *_ = DISPUTES.rows(row, Told(CASE, NOON, 4711))
    assert isinstance(stored, CaseRow)
    return CaseFound(**asdict(stored))
