"""An example of every answer: what the service really says of one hand of the demonstration."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any
from uuid import uuid5

import msgspec
from fastapi_problem.error import Problem

from domain.errors import Refused
from domain.events import HandStarted, encode, tag_of
from services.api import bodies as b
from services.api import log_examples, problems, sheets
from services.api.accepting import JSON, LINES
from services.api.access_examples import access_examples
from services.api.dispute_examples import dispute_examples
from services.api.files import OnFile
from services.api.ledger_examples import ledger_examples
from services.api.live_answers import live_answer
from services.api.problems import TYPES
from services.api.table_examples import table_examples
from services.api.witness_examples import witness_examples
from services.demo.arranged import arranged_hands
from services.explaining import explain
from services.identity import hand_id
from services.live import Happened, Standing, TurnMoved
from services.lookup import Candidate
from services.replaying import PUBLIC, replay_step
from services.reports import DIMENSIONS, HandFound, HandsPage, RakeLine
from services.reports.rake_figures import effective_percentage
from services.store.port import Recorded
from services.whatif import WhatIfAnswer, instead_of, what_if

STEP = 20
LAST_CALL = 42


@cache
def examples() -> dict[str, Any]:
    """An example by the name of the struct, as JSON has it."""
    return {
        **{type(body).__name__: msgspec.to_builtins(body) for body in _all()},
        "Feed": _feed(),
        "Readiness 503": msgspec.to_builtins(_not_ready()),
        "Description": {"openapi": "3.1.0", "info": {"title": "StudLedger"}, "paths": {}},
    }


@cache
def problem_examples() -> dict[str, Any]:
    """An example of the problems of every status, as JSON has it."""
    return {str(one.status): one.marshal(uri=TYPES) for one in _problems()}


def _all() -> Iterator[msgspec.Struct]:
    file = _file()
    sheet = sheets.hand_sheet(file, conflicting=False)
    row = HandFound(**{name: getattr(sheet, name) for name in HandFound.__struct_fields__})
    yield sheet
    yield row
    yield HandsPage(
        hands=(row,), next=f"{row.happened_at.isoformat()}~{row.hand}", complete_to=4711
    )
    yield sheets.events_of_hand(file, PUBLIC)
    yield next(iter(sheets.event_lines(file, PUBLIC)))
    yield replay_step(str(file.hand), file.events, STEP, PUBLIC, file.names)
    yield sheets.pots_of_hand(file)
    yield sheets.odd_chips_of_hand(file, PUBLIC)
    yield sheets.rake_of_hand(file)
    yield sheets.verdict_on_hand(file, PUBLIC)
    yield explain(str(file.hand), file.events, STEP, PUBLIC, file.names)
    yield _what_if(file, "fold")
    yield from _rake(row)
    yield _live(file)
    yield log_examples.consistency()
    yield from access_examples(file.hand, sheet.number)
    yield from table_examples()
    yield from dispute_examples(file)
    yield from witness_examples(file)
    yield from ledger_examples()
    yield b.ExportWanted(hands=(sheet.number,))
    yield b.Alive(status="ok")
    checks = (
        b.ReadyCheck(name="database", ok=True, text="answers"),
        b.ReadyCheck(name="schema", ok=True, text="version 0200"),
        b.ReadyCheck(name="projections", ok=True, text="0 events behind"),
        b.ReadyCheck(name="books", ok=True, text="every entry balances"),
        b.ReadyCheck(name="log", ok=True, text="4711 leaves, 0 events behind"),
        b.ReadyCheck(name="clock", ok=True, text="kept"),
    )
    yield b.Readiness(ready=True, checks=checks)


def _feed() -> str:
    """The last fact of the hand, as the feed sends it."""
    file = _file()
    fact = file.facts[-1]
    line = b.FeedLine(
        position=4711,
        stream=file.hand,
        n=fact.n,
        type=fact.type,
        recorded_at=fact.recorded_at,
        event=file.events[-1],
    )
    data = msgspec.json.encode(line).decode()
    return f"event: {fact.type}\ndata: {data}\nid: {line.position}\n\n"


def _live(file: OnFile) -> msgspec.Struct:
    """As if the hand stood at a step of it."""
    standing = Standing(file.hand, file.events[:STEP])
    new = (Happened(STEP, 4711, file.events[STEP - 1]),)
    return live_answer(
        file.hand, standing.events, new, standing.turn, standing.clock, PUBLIC, file.names
    )


@cache
def refusal() -> dict[str, Any]:
    """An example of what the rules do not allow, as JSON has it."""
    try:
        _what_if(_file(), "check")
    except Refused as wrong:
        return problems.refused(wrong).marshal(uri=TYPES)
    raise AssertionError("nobody may check a bet")


def _what_if(file: OnFile, action: str) -> WhatIfAnswer:
    """As if the last bet of the hand had been answered like this."""
    instead = instead_of(file.started, action)
    return what_if(str(file.hand), file.events, LAST_CALL, instead, PUBLIC, file.names)


def _not_ready() -> b.Readiness:
    check = b.ReadyCheck(name="database", ok=False, text="does not answer")
    return b.Readiness(ready=False, checks=(check,))


def _file() -> OnFile:
    """The first arranged hand, as if it had been stored when it was played."""
    dealt = next(iter(arranged_hands()))
    started = dealt.events[0]
    assert isinstance(started, HandStarted)
    hand = hand_id(started, dealt.number, digest="")
    facts = tuple(
        Recorded(
            position=n,
            stream=hand,
            n=n,
            type=tag_of(event),
            state=encode(event),
            recorded_at=event.at or started.played_at or started.at,  # type: ignore[arg-type]
            actor="demo",
            request_id=None,
            causation=None,
            command_id=None,
        )
        for n, event in enumerate(dealt.events, 1)
    )
    names = {seat.player: seat.player for seat in started.seats}
    return OnFile(hand, facts, dealt.events, names)


def _rake(row: HandFound) -> Iterator[msgspec.Struct]:
    line = RakeLine(
        day=row.happened_at.date(),
        small_bet=row.small_bet,
        big_bet=row.big_bet,
        currency=row.currency,
        exponent=row.exponent,
        hands=1,
        pot=row.pot,
        rake=row.rake,
        rake_per_100_hands=100 * row.rake,
        effective_percentage=effective_percentage(row.rake, row.pot),
    )
    yield line
    yield b.RakeAnswer(
        by=("day", "stakes"),
        from_day=date(2026, 1, 1),
        to_day=None,
        time_zone="America/New_York",
        gaming_day_start="06:00",
        lines=(line,),
        house=(msgspec.structs.replace(line, day=None, small_bet=None, big_bet=None),),
        players={},
        complete_to=4711,
        log_at=4711,
    )


def _problems() -> Iterator[Problem]:
    """One problem of every status there is."""
    yield Problem("Bad Request", type_="bad-request", status=400)
    yield problems.KeyRequired("send Authorization: Bearer KEY")
    yield problems.NotAllowed("this key has the role dealer; this route is for admin, floor")
    yield problems.HandNotFound("no hand of this room has this id or number")
    yield problems.not_acceptable((JSON, LINES))
    yield problems.HandAmbiguous("name it by its id", candidates=list(_candidates()))
    yield problems.TurnMoved(str(TurnMoved("", ())), turn="6f0f7d0e5a43-17", legal=[])
    yield problems.TurnRequired("send If-Match with the ETag of the turn that is answered")
    yield problems.BodyTooLarge("at most 1048576 bytes are read")
    yield problems.QueryTooLong("at most 4096 bytes are read")
    yield problems.bad_parameter("by", "rake cannot be reported by this", DIMENSIONS)
    yield problems.wait(12, "this key asks more than one key may")
    yield problems.InternalError()
    yield problems.DatabaseNotReached("try again later")


def _candidates() -> Iterator[dict[str, Any]]:
    """Two hands of one number."""
    file = _file()
    number, game = file.started.number, file.started.game
    for site in ("pokerstars", "fulltilt"):
        hand = uuid5(file.hand, site)
        yield msgspec.to_builtins(Candidate(hand, site, number, game, "2026-01-10 20:00:00+00"))
