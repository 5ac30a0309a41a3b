"""The pots a hand was played for: who paid, who could win, what the rake and the halves were."""

from __future__ import annotations

from typing import ClassVar

from domain import events as e
from domain.hand import Hand
from domain.rules.pots import Pot, build_pots
from projections.shape import Followed, Projection, TableRow, Told, as_json, follow


class Row(Followed, frozen=True, gc=False):
    """The hand so far; `formed` once its betting is over and the pots stand.

    A void hand has none: what was in them has gone back.
    """

    formed: bool = False


class PotRow(TableRow, frozen=True, kw_only=True, gc=False):
    """One pot, 0 the main pot; amounts in minor units.

    `contributions` maps seats to what they paid into it, folded seats included; gross - rake is
    what there was to win. `halves` lists the awards as recorded: half, amount, shares, rule.
    """

    table: ClassVar[str] = "pots"

    pot: int
    gross: int
    rake: int
    awarded: int
    claimants: str
    contributions: str
    halves: str


def project(row: Row | None, event: e.HandEvent) -> Row:
    """Fold one fact. Pure."""
    hand = follow(row.hand if row else None, event)
    match event:
        case e.RakeTaken() | e.PotAwarded() | e.HandCompleted():
            return Row(hand, formed=True)
        case e.HandVoided():
            return Row(hand, formed=False)
        case (
            e.CardsDealt() | e.Checked() | e.Called() | e.Folded() | e.BettingOpened()
            | e.AntePosted() | e.Raised() | e.BetPlaced() | e.Completed() | e.BringInPosted()
            | e.CardsShown() | e.Mucked() | e.CommunityCardDealt() | e.UncalledReturned()
            | e.TimedOut() | e.PlayerDisconnected() | e.PlayerReconnected() | e.ClockPaused()
            | e.ClockResumed() | e.IncidentNoted() | e.HandStarted() | e.AwardCorrected()
        ):  # fmt: skip
            return Row(hand, row.formed if row else False)


def pots_of(hand: Hand) -> tuple[Pot, ...]:
    """Main pot and side pots of the money in now (P1)."""
    paid = {player.seat: player.paid for player in hand.seats}
    return build_pots(paid, tuple(player.seat for player in hand.still_in))


def rows(row: Row, told: Told) -> tuple[PotRow, ...]:
    """One row per pot, the recorded awards beside the pots that follow from the money put in."""
    if not row.formed:
        return ()
    hand, stood = row.hand, pots_of(row.hand)
    named = 1 + max((a.award.pot for a in hand.awards), default=-1)
    nothing = (Pot(0, (), {}),) * (named - len(stood))
    return tuple(_pot(hand, told, n, pot) for n, pot in enumerate((*stood, *nothing)))


def _pot(hand: Hand, told: Told, n: int, pot: Pot) -> PotRow:
    borne = hand.rake_taken.pots[n : n + 1] if hand.rake_taken else ()
    awards = [a.award for a in hand.awards if a.award.pot == n]
    return PotRow(
        hand=told.stream,
        pot=n,
        gross=pot.amount,
        rake=sum(borne),
        awarded=sum(award.amount for award in awards),
        claimants=as_json(pot.claimants),
        contributions=as_json(pot.paid),
        halves=as_json([_half(award) for award in awards]),
    )


def _half(award: e.PotAwarded) -> dict[str, object]:
    return {
        "half": award.half,
        "amount": award.amount,
        "shares": [
            {"seat": share.seat, "amount": share.amount, "odd": share.odd} for share in award.shares
        ],
        "rule": award.reason.rule,
    }


POTS = Projection(
    name="pots",
    project=project,
    heeds=frozenset({e.RakeTaken, e.PotAwarded, e.HandCompleted, e.HandVoided}),
    tables=(PotRow,),
    rows=rows,
)
