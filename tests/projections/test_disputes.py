"""The register of disputes and what rulings posted: the same rows whenever they are made."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from domain.disputes import adjustments as a
from domain.disputes import commands as q
from domain.disputes import events as d
from domain.disputes.applying import Applied, effects
from projections.adjustments import ADJUSTMENTS, AdjustmentRow
from projections.disputes import DISPUTES, CaseRow, Row, RulingRow
from projections.shape import Told
from services.projecting import projector_of
from services.store.port import Append, Fact
from services.store.room import Room
from tests.support import disputes as s
from tests.support.projected import everything, projector, rows_of

CASE = UUID(int=9)
TOLD = Told(CASE, s.NOON, 4711)


def settled() -> s.Quarrel:
    """Goodwill of five dollars, approved and answered; the case is closed."""
    later = s.NOON + timedelta(days=2)
    return s.opened().ask(
        s.proposing("goodwill"),
        s.approving(at=later),
        q.AnswerCase(by=s.FLORA, at=later),
        q.CloseCase(by=s.FLORA, at=later),
    )


def rows(events: Iterable[d.CaseEvent]) -> tuple[CaseRow, list[RulingRow]]:
    row: Row | None = None
    for event in events:
        row = DISPUTES.project(row, event)
    assert row is not None
    case, *rulings = DISPUTES.rows(row, TOLD)
    assert isinstance(case, CaseRow)
    return case, [one for one in rulings if isinstance(one, RulingRow)]


def posted() -> a.AdjustmentPosted:
    proposed = settled().now.rulings[0].proposed
    about = Applied(case=CASE, hand=s.HAND, value_date=date(2026, 1, 9), at=s.NOON)
    return effects(s.RAKED.now, proposed, about).adjustments[0]


def tell(room: Room, stream: UUID, facts: Iterable[Fact]) -> None:
    expected = len(room.store.load(stream))
    append = Append(stream=stream, expected=expected, facts=tuple(facts), actor="test")
    assert room.store.append([append])[0].status == "ok"


def case_facts(events: Iterable[d.CaseEvent]) -> list[Fact]:
    return [Fact(d.tag_of(event), d.encode(event)) for event in events]


def test_a_case_is_a_row_with_its_dates_and_who_ruled() -> None:
    case, (ruling,) = rows(settled().log)
    assert (case.status, case.ruling, case.stage) == ("closed", "goodwill", "approved")
    assert (case.proposed_by, case.approved_by) == (s.FLORA, s.APPIA)
    assert case.due_at - case.submitted_at == timedelta(weeks=8)
    assert case.closed_at == case.answered_at == s.NOON + timedelta(days=2)
    assert (ruling.house, ruling.rake, ruling.policy) == (-500, 0, "topspoker 1")


def test_a_reopened_case_has_no_end() -> None:
    log = settled().ask(q.ReopenCase(by=s.FLORA, reason="a picture", at=s.NOON)).log
    case, _ = rows(log)
    assert (case.closed_at, case.answered_at, case.status) == (None, None, "open")


def test_a_posting_keeps_the_day_of_the_hand() -> None:
    lines = ADJUSTMENTS.rows(ADJUSTMENTS.project(None, posted()), TOLD)
    amounts = [(one.account, one.amount, one.day) for one in lines if type(one) is AdjustmentRow]
    assert amounts == [
        ("House:Goodwill", -500, date(2026, 1, 9)),
        ("Player:player-3:Adjustment", 500, date(2026, 1, 9)),
    ]


@pytest.mark.parametrize("page", [1, 5_000])
def test_cases_and_postings_come_out_the_same_by_page_and_by_rebuild(room: Room, page: int) -> None:
    case, ledger = uuid4(), a.ledger_stream("player-3")
    events = case_facts(settled().log)
    tell(room, case, events[:2])
    tell(room, ledger, [Fact(a.TAG, a.encode(posted()))])
    projector(room, page).catch_up()
    tell(room, case, events[2:])
    tell(room, ledger, [Fact(a.TAG, a.encode(posted()))])
    assert projector(room, page).catch_up() == room.store.head()
    before = everything(room)
    assert [row[0] for row in before["disputes"]] == [case]
    assert len(before["adjustments"]) == 4
    assert projector_of(room).rebuild() == room.store.head()
    assert everything(room) == before


def test_the_database_takes_no_posting_out_of_balance_and_none_to_chips_at_a_table(
    room: Room,
) -> None:
    tell(room, a.ledger_stream("player-3"), [Fact(a.TAG, a.encode(posted()))])
    projector_of(room).catch_up()
    columns = (
        "ledger, n, line, dispute, ruling, hand, player, account, amount, day, posted_at,"
        " money_kind, currency, exponent"
    )
    for account, amount in (("House:Goodwill", -499), ("Player:player-3:Table", -500)):
        copied = (
            f"insert into adjustments ({columns}) select ledger, n + 1, line, dispute, ruling,"
            " hand, player, case when line = 1 then %s else account end,"
            " case when line = 1 then %s else amount end, day, posted_at, money_kind,"
            " currency, exponent from adjustments"
        )
        with room.connect() as connection, pytest.raises(psycopg.errors.CheckViolation):
            connection.execute(copied.encode(), (account, amount))
    assert len(rows_of(room, "adjustments")) == 2


def test_the_database_takes_no_ruling_out_of_balance_or_by_one_person(room: Room) -> None:
    tell(room, uuid4(), case_facts(settled().log))
    projector_of(room).catch_up()
    for change in ("house = -499", "approved_by = proposed_by"):
        column, value = change.split(" = ")
        others = "dispute, kind, hand, stage, rule, policy, moves, rake, house, proposed_by"
        wanted = others.replace(column, value) if column != "approved_by" else others
        approved = "proposed_by" if column == "approved_by" else "approved_by"
        copied = (
            f"insert into dispute_rulings (ruling, {others}, approved_by)"
            f" select gen_random_uuid(), {wanted}, {approved} from dispute_rulings"
        )
        with room.connect() as connection, pytest.raises(psycopg.errors.CheckViolation):
            connection.execute(copied.encode())
