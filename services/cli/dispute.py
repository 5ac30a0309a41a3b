"""`dispute`: cases opened, collected for, ruled on by two people, answered and closed."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, get_args
from uuid import UUID, uuid4

import typer

from domain.disputes import commands as q
from domain.disputes.case import Status
from domain.disputes.events import Category, Channel, RulingKind
from domain.house_rules import Remedy
from services.cli.dispute_amounts import moves_of, signed_of
from services.cli.dispute_asking import Called, Subject, by_subject, require_seen
from services.cli.dispute_erasing import erase
from services.cli.dispute_files import bundle, report
from services.cli.dispute_showing import show_case, show_evidence, show_register
from services.cli.exits import FAILURE, USAGE, Stop
from services.cli.output import Format, FormatOption
from services.cli.rooms import current_room
from services.cli.viewing import HandArgument, StepOption, ViewOption, WhyOption, view_of
from services.disputes import (
    MOST_BYTES,
    CasesWanted,
    InCase,
    add_attachment,
    add_note,
    amounts_of,
    case_sheet,
    find_cases,
    gather,
    handle,
    keep_what_if,
    load_case,
    load_hand,
    open_case,
)
from services.disputes.naming import case_called
from services.disputes.supposing import Supposed
from services.lookup import find_hand
from services.store.room import Room

app = typer.Typer(no_args_is_help=True, help="Disputes: cases, evidence, rulings by two people.")
app.command()(report)
app.command()(bundle)
app.command()(erase)

ReasonOption = Annotated[str, typer.Option("--reason", help="why, without anybody's name")]
REMEDIES = ", ".join(get_args(Remedy)) + "; roll_back without --move works the amounts out"
RulingOption = Annotated[
    UUID | None, typer.Option("--ruling", help="the one that waits if not said")
]


@app.command("open")
def open_(
    hand: HandArgument,
    subject: Subject,
    category: Annotated[str, typer.Option(help=", ".join(get_args(Category)))],
    complainant: Annotated[str, typer.Option(help="an opaque id, never a name")],
    channel: Annotated[str, typer.Option(help=", ".join(get_args(Channel)))] = "table",
    step: StepOption = None,
    submitted: Annotated[
        str | None, typer.Option(help="when he complained, as 2026-01-31; now if not said")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Take up a complaint about a hand, to be answered within eight weeks."""
    with current_room() as room:
        by, now = by_subject(room, subject), datetime.now(UTC)
        command = q.OpenCase(
            hand=find_hand(room, hand).hand,
            category=_one_of(category, Category, "category"),
            complainant=complainant,
            channel=_one_of(channel, Channel, "channel"),
            step=step,
            submitted_at=_moment(submitted) or now,
            by=by.actor,
            at=now,
        )
        _done(room, open_case(room.store, command, by), form)


@app.command("list")
def list_(
    status: Annotated[str | None, typer.Option(help=", ".join(get_args(Status)))] = None,
    category: Annotated[str | None, typer.Option(help=", ".join(get_args(Category)))] = None,
    hand: Annotated[str | None, typer.Option(help="only about this hand")] = None,
    overdue: Annotated[bool, typer.Option("--overdue", help="only answers owed too long")] = False,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 50,
    after: Annotated[str | None, typer.Option(help="`next` of the page before")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Cases, the latest complaint first."""
    with current_room() as room:
        wanted = CasesWanted(
            status=_one_of(status, Status, "status") if status else None,
            category=_one_of(category, Category, "category") if category else None,
            hand=find_hand(room, hand).hand if hand else None,
            overdue=overdue,
            limit=limit,
            after=after,
        )
        show_register(find_cases(room.connect, wanted), form)


@app.command()
def register(
    first: Annotated[str | None, typer.Option("--from", help="first UTC day of complaints")] = None,
    last: Annotated[str | None, typer.Option("--to", help="last UTC day of complaints")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """The register of disputes of some days, whole: as regulators ask for it each month."""
    with current_room() as room:
        wanted = CasesWanted(first=_day(first), last=_day(last), limit=1_000_000)
        show_register(find_cases(room.connect, wanted), form)


@app.command()
def show(dispute: Called, form: FormatOption = Format.TABLE) -> None:
    """One case: its dates, what is kept with it, its rulings, the money as played and as ruled."""
    with current_room() as room:
        loaded = load_case(room.store, case_called(room, dispute))
        show_case(case_sheet(room, loaded), form)


@app.command("note")
def note_(
    dispute: Called,
    text: Annotated[str, typer.Argument(help="what is to be written down")],
    subject: Subject,
    form: FormatOption = Format.TABLE,
) -> None:
    """Put a note with a case; the text is kept outside the log."""
    with current_room() as room:
        case = case_called(room, dispute)
        _done(room, add_note(room, case, text, by_subject(room, subject)), form)


@app.command()
def attach(
    dispute: Called,
    file: Annotated[Path, typer.Argument(help="a picture, a letter")],
    subject: Subject,
    media_type: Annotated[
        str | None, typer.Option(help="such as image/png; by the file's name if not said")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Put a file with a case; its bytes are kept outside the log, their digest in it."""
    try:
        body = file.read_bytes()
    except OSError as wrong:
        raise Stop(f"{file} cannot be read: {wrong.strerror}", FAILURE) from None
    if len(body) > MOST_BYTES:
        raise Stop(f"a file has at most {MOST_BYTES} bytes", USAGE)
    kind = media_type or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    with current_room() as room:
        case, by = case_called(room, dispute), by_subject(room, subject)
        _done(room, add_attachment(room, case, body, kind, by, name=file.name), form)


@app.command()
def evidence(
    dispute: Called,
    step: StepOption = None,
    view: ViewOption = "public",
    why: WhyOption = None,
    what_if: Annotated[
        str | None, typer.Option("--what-if", metavar="ACTION", help="keep what would have come of")
    ] = None,
    policy: Annotated[
        list[str] | None, typer.Option("--policy", metavar="FIELD=VALUE", help="keep likewise")
    ] = None,
    subject: Annotated[str | None, typer.Option("--subject", help="who keeps it")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """What the record says of a step: the table, the clock, the rules, neighbours, who looked.

    With --what-if or --policy the answer is worked out and kept with the case.
    """
    seen = view_of(view, why)
    with current_room() as room:
        case = case_called(room, dispute)
        require_seen(room, case, seen, why)
        if what_if or policy:
            if subject is None:
                raise Stop("say with --subject who keeps it", USAGE)
            supposed = Supposed(step=step, instead=what_if, policies=policy or ())
            kept = keep_what_if(room, case, supposed, by_subject(room, subject), seen)
            _done(room, kept, form)
            return
        show_evidence(gather(room, load_case(room.store, case), seen, step), form)


@app.command()
def propose(
    dispute: Called,
    kind: Annotated[str, typer.Argument(metavar="KIND", help=", ".join(get_args(RulingKind)))],
    subject: Subject,
    reason: ReasonOption,
    rule: Annotated[str, typer.Option(help="the rule it rests on, such as P6")],
    move: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=AMOUNT", help="such as 3=5.00 or 1=-5.00")
    ] = None,
    rake: Annotated[str | None, typer.Option(help="what the rake gets, or gives: -1.00")] = None,
    remedy: Annotated[str | None, typer.Option(help=REMEDIES)] = None,
    step: StepOption = None,
    evidence: Annotated[
        UUID | None, typer.Option(help="a kept what-if, whose amounts it takes")
    ] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Propose a ruling: it moves nothing until somebody else approves it."""
    with current_room() as room:
        case, by = case_called(room, dispute), by_subject(room, subject)
        hand = load_hand(room.store, load_case(room.store, case).case.opened.hand)
        money = hand.hand.started.money
        moves, to_rake = moves_of(move or (), money), signed_of(rake or "0", money)
        if kind == "corrected_award" and evidence is not None and not moves:
            moves, to_rake = amounts_of(room, case, evidence)
        command = q.ProposeRuling(
            ruling=uuid4(),
            kind=_one_of(kind, RulingKind, "kind of ruling"),
            reason=reason,
            rule=rule,
            moves=moves,
            rake=to_rake,
            remedy=_one_of(remedy, Remedy, "remedy") if remedy else None,
            step=step,
            evidence=evidence,
            by=by.actor,
        )
        _done(room, handle(room.store, case, command, by), form)


@app.command()
def approve(
    dispute: Called, subject: Subject, ruling: RulingOption = None,
    form: FormatOption = Format.TABLE,
) -> None:  # fmt: skip
    """Approve a ruling somebody else proposed: what it moves is moved in the same moment."""
    with current_room() as room:
        case, by = case_called(room, dispute), by_subject(room, subject)
        command = q.ApproveRuling(ruling=ruling or _waiting(room, case), by=by.actor)
        _done(room, handle(room.store, case, command, by), form)


@app.command()
def withdraw(
    dispute: Called, subject: Subject, ruling: RulingOption = None,
    form: FormatOption = Format.TABLE,
) -> None:  # fmt: skip
    """Withdraw a ruling that waits."""
    with current_room() as room:
        case, by = case_called(room, dispute), by_subject(room, subject)
        command = q.WithdrawRuling(ruling=ruling or _waiting(room, case), by=by.actor)
        _done(room, handle(room.store, case, command, by), form)


@app.command()
def acknowledge(dispute: Called, subject: Subject, form: FormatOption = Format.TABLE) -> None:
    """Say that the complainant was told it arrived."""
    _run(dispute, subject, form, lambda by: q.Acknowledge(by=by))


@app.command()
def answer(
    dispute: Called,
    subject: Subject,
    letter: Annotated[UUID | None, typer.Option(help="the note or file it is kept as")] = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say that the complainant has his answer."""
    _run(dispute, subject, form, lambda by: q.AnswerCase(letter=letter, by=by))


@app.command()
def close(dispute: Called, subject: Subject, form: FormatOption = Format.TABLE) -> None:
    """Close a case that is answered."""
    _run(dispute, subject, form, lambda by: q.CloseCase(by=by))


@app.command()
def reopen(
    dispute: Called, subject: Subject, reason: ReasonOption, form: FormatOption = Format.TABLE
) -> None:
    """Go on with a closed case, with eight weeks anew."""
    _run(dispute, subject, form, lambda by: q.ReopenCase(reason=reason, by=by))


@app.command()
def hold(
    dispute: Called,
    subject: Subject,
    reason: Annotated[str | None, typer.Option("--reason", help="why it is set")] = None,
    lift: Annotated[bool, typer.Option("--lift", help="lift it")] = False,
    form: FormatOption = Format.TABLE,
) -> None:
    """Set a legal hold, so that nothing about the case is erased, or lift it."""
    if lift:
        _run(dispute, subject, form, lambda by: q.LiftHold(by=by))
        return
    _run(dispute, subject, form, lambda by: q.SetHold(reason=reason or "", by=by))


# -- what they share -------------------------------------------------------------------------------


def _run(dispute: str, subject: str, form: Format, command: Callable[[str], q.CaseCommand]) -> None:
    with current_room() as room:
        case, by = case_called(room, dispute), by_subject(room, subject)
        _done(room, handle(room.store, case, command(by.actor), by), form)


def _done(room: Room, done: InCase, form: Format) -> None:
    show_case(case_sheet(room, done.loaded), form)


def _waiting(room: Room, case: UUID) -> UUID:
    pending = load_case(room.store, case).case.pending
    if pending is None:
        raise Stop("no ruling waits in this case", USAGE)
    return pending.id


def _one_of(text: str, choices: Any, what: str) -> Any:
    """The word, if it is one of a literal's."""
    possible = get_args(choices)
    if text not in possible:
        raise Stop(f"there is no {what} {text}; there are {', '.join(possible)}", USAGE)
    return text


def _moment(text: str | None) -> datetime | None:
    try:
        moment = None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise Stop(f"{text} is no time: write 2026-01-31 or 2026-01-31T18:00Z", USAGE) from None
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _day(text: str | None) -> date | None:
    moment = _moment(text)
    return None if moment is None else moment.date()
