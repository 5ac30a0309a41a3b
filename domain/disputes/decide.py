"""The only place that chooses or refuses in a case: a command against its state and the hand's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from domain.disputes import commands as q
from domain.disputes import events as d
from domain.disputes.case import Case, Ruling
from domain.disputes.rulings import MOST_REASON, proposed
from domain.errors import IllegalAmount, NotAllowedNow
from domain.hand import Hand

ANSWER_WITHIN = timedelta(weeks=8)
"""How long a complaint may take from when it was made to when it is answered (D1)."""

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""No complaint is older: what is written so is a slip, and not every calendar has it."""

MOST_NAME = 200
"""Letters of the id of whoever complains."""

MOST_MEDIA_TYPE = 100


def decide(case: Case | None, command: q.CaseCommand, hand: Hand) -> tuple[d.CaseEvent, ...]:
    """What happens in the case if `command` is accepted now; `hand` is the hand it is about.

    What an approval does beyond the case is in `applying.effects`. Raises `Refused` with the
    rule's id; then nothing happened.
    """
    event = _open(command, hand) if case is None else _choose(case, command, hand)
    return (event if command.at is None else replace(event, at=command.at),)


def _open(command: q.CaseCommand, hand: Hand) -> d.CaseEvent:
    if not isinstance(command, q.OpenCase):
        raise NotAllowedNow("there is no such case", rule="D1")
    if command.step is not None and not 1 <= command.step <= hand.step:
        raise NotAllowedNow(f"the hand has steps 1 to {hand.step}", rule="D1")
    _require_time(command)
    complainant = command.complainant
    if not (complainant.strip() and complainant.isprintable() and len(complainant) <= MOST_NAME):
        raise NotAllowedNow("somebody complains: an id, in a line", rule="D1")
    return d.CaseOpened(
        hand=command.hand,
        step=command.step,
        category=command.category,
        complainant=command.complainant,
        channel=command.channel,
        submitted_at=command.submitted_at,
        due_at=command.submitted_at + ANSWER_WITHIN,
        by=command.by,
    )


def _require_time(command: q.OpenCase) -> None:
    """A moment of some zone, of our time, and not to come."""
    submitted = command.submitted_at
    if submitted.tzinfo is None or submitted < EARLIEST:
        raise NotAllowedNow("a complaint has a day and a time, and their zone", rule="D1")
    if command.at is not None and submitted > command.at:
        raise NotAllowedNow("a complaint is not made later than it is taken up", rule="D1")


def _choose(case: Case, command: q.CaseCommand, hand: Hand) -> d.CaseEvent:
    match command:
        case q.OpenCase():
            raise NotAllowedNow("the case is open already", rule="D1")
        case q.SetHold() | q.LiftHold():
            return _hold(case, command)
        case q.ReopenCase():
            return _reopen(case, command)
        case q.NoteReport():
            return d.ReportMade(sha256=command.sha256, size=command.size, by=command.by)
        case q.EraseKept():
            return _erase(case, command)
    if case.closed:
        raise NotAllowedNow("the case is closed: open it again first", rule="D5")
    return _while_open(case, command, hand)


WhileOpen = (
    q.AddNote | q.AddAttachment | q.KeepEvidence
    | q.ProposeRuling | q.WithdrawRuling | q.ApproveRuling
    | q.Acknowledge | q.AnswerCase | q.CloseCase
)  # fmt: skip


def _while_open(case: Case, command: WhileOpen, hand: Hand) -> d.CaseEvent:
    match command:
        case q.AddNote() | q.AddAttachment() | q.KeepEvidence():
            return _keep(case, command)
        case q.ProposeRuling():
            return _propose(case, command, hand)
        case q.WithdrawRuling():
            return d.RulingWithdrawn(ruling=_waiting(case, command).id, by=command.by)
        case q.ApproveRuling():
            return _approve(case, command)
    return _go_on(case, command)


def _go_on(case: Case, command: q.Acknowledge | q.AnswerCase | q.CloseCase) -> d.CaseEvent:
    match command:
        case q.Acknowledge():
            if case.acknowledged:
                raise NotAllowedNow("it was acknowledged before", rule="D1")
            return d.CaseAcknowledged(by=command.by)
        case q.AnswerCase():
            return _answer(case, command)
        case q.CloseCase():
            if case.pending is not None:
                raise NotAllowedNow("a ruling waits to be approved or withdrawn", rule="D5")
            if not case.answered:
                raise NotAllowedNow("the complainant has no answer yet", rule="D5")
            return d.CaseClosed(by=command.by)


def _answer(case: Case, command: q.AnswerCase) -> d.CaseAnswered:
    if case.answered:
        raise NotAllowedNow("it was answered before", rule="D1")
    if command.letter is not None and not case.still_has(command.letter):
        raise NotAllowedNow("no such letter is kept with the case", rule="D1")
    return d.CaseAnswered(letter=command.letter, by=command.by)


def _reopen(case: Case, command: q.ReopenCase) -> d.CaseReopened:
    if not case.closed:
        raise NotAllowedNow("the case is open", rule="D5")
    _require_reason(command.reason)
    assert command.at is not None, "every command is stamped when it arrives"
    due_at: datetime = command.at + ANSWER_WITHIN
    return d.CaseReopened(reason=command.reason, due_at=due_at, by=command.by)


def _hold(case: Case, command: q.SetHold | q.LiftHold) -> d.LegalHoldSet | d.LegalHoldLifted:
    if case.on_hold == isinstance(command, q.SetHold):
        raise NotAllowedNow(f"the case is {'' if case.on_hold else 'not '}on hold", rule="D5")
    if isinstance(command, q.LiftHold):
        return d.LegalHoldLifted(by=command.by)
    _require_reason(command.reason)
    return d.LegalHoldSet(reason=command.reason, by=command.by)


def _require_reason(reason: str) -> None:
    if not (reason.strip() and reason.isprintable() and len(reason) <= MOST_REASON):
        raise NotAllowedNow(f"say why, in a line of {MOST_REASON} letters", rule="D5")


def _keep(
    case: Case, command: q.AddNote | q.AddAttachment | q.KeepEvidence
) -> d.NoteAdded | d.AttachmentAdded | d.EvidenceKept:
    if case.has(command.kept):
        raise NotAllowedNow("this is with the case already", rule="D5")
    if command.size < 1:
        raise IllegalAmount("there is nothing in it", rule="D5")
    if isinstance(command, q.AddAttachment):
        require_media_type(command.media_type)
    kept, size, by = command.kept, command.size, command.by
    match command:
        case q.AddNote(salted_sha256=digest):
            return d.NoteAdded(kept=kept, salted_sha256=digest, size=size, by=by)
        case q.AddAttachment(sha256=digest, media_type=kind):
            return d.AttachmentAdded(kept=kept, sha256=digest, size=size, media_type=kind, by=by)
        case q.KeepEvidence(salted_sha256=digest, asked=asked):
            return d.EvidenceKept(
                kept=kept, kind=command.kind, asked=asked, salted_sha256=digest, size=size, by=by
            )


def require_media_type(text: str) -> None:
    """One word such as image/svg+xml: no others of a stranger's come into the log (D5)."""
    group, slash, name = text.partition("/")
    plain = name.translate(dict.fromkeys(map(ord, ".+-")))
    words = group.isalpha() and plain.isalnum() and bool(slash)
    if not (words and text.isascii() and len(text) <= MOST_MEDIA_TYPE):
        raise NotAllowedNow("a file is of a kind such as image/png", rule="D5")


def _erase(case: Case, command: q.EraseKept) -> d.KeptErased:
    """In a closed case too, but never on hold, nor what a ruling that waits rests on (D5)."""
    if case.on_hold:
        raise NotAllowedNow("the case is on legal hold: nothing of it is erased", rule="D5")
    if not case.still_has(command.kept):
        raise NotAllowedNow("nothing of this id is kept with the case", rule="D5")
    if case.pending is not None and case.pending.proposed.evidence == command.kept:
        raise NotAllowedNow("a ruling that waits takes its amounts from this", rule="D5")
    _require_reason(command.reason)
    return d.KeptErased(kept=command.kept, reason=command.reason, by=command.by)


def _propose(case: Case, command: q.ProposeRuling, hand: Hand) -> d.RulingProposed:
    if case.pending is not None:
        raise NotAllowedNow("another ruling waits to be approved or withdrawn", rule="D2")
    if case.ruling(command.ruling) is not None:
        raise NotAllowedNow("a ruling of this id was proposed before", rule="D2")
    if command.evidence is not None and not case.still_has(command.evidence):
        raise NotAllowedNow("no such evidence is kept with the case", rule="D3")
    return proposed(hand, command)


def _approve(case: Case, command: q.ApproveRuling) -> d.RulingApproved:
    """By anybody but him who proposed it, whatever keys he holds (D2)."""
    waiting = _waiting(case, command)
    if waiting.proposed.proposed_by == command.by:
        raise NotAllowedNow("a ruling is approved by another person than proposed it", rule="D2")
    return d.RulingApproved(ruling=waiting.id, approved_by=command.by)


def _waiting(case: Case, command: q.WithdrawRuling | q.ApproveRuling) -> Ruling:
    ruling = case.ruling(command.ruling)
    if ruling is None:
        raise NotAllowedNow("no such ruling was proposed in this case", rule="D2")
    if ruling.stage != "proposed":
        raise NotAllowedNow(f"the ruling is {ruling.stage}", rule="D2")
    return ruling
