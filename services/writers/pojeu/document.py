"""A hand as a POJEU document: pure, from its facts and what the operator knows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from domain import events as e
from domain.evolve import replay
from domain.games import GAMES
from domain.hand import Hand, Player
from domain.units import Chips, Seat
from services.writers.pojeu.operator import Identity, Operator, identity_of
from services.writers.pojeu.rounds import Round, rounds_of
from services.writers.pojeu.spelling import amount, moment, reference
from services.writers.pojeu.stored import StoredHand
from services.writers.pojeu.unsayable import refuse_unsayable

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


def pojeu_of(stored: StoredHand, operator: Operator) -> bytes:
    """The document, UTF-8. Raises `CannotSay`."""
    over = replay(stored.events)
    refuse_unsayable(stored.events, over)
    root = Element("POJEU", {"test": "true"} if operator.test else {})
    _head(root, stored, operator)
    _participants(root, stored, over, operator)
    _about(root, stored, operator)
    _play(root, rounds_of(stored.events, over), stored.started, operator)
    indent(root)
    text = f"{DECLARATION}\n{tostring(root, encoding='unicode')}\n"
    return text.encode("utf-8", "xmlcharrefreplace")


def _put(parent: Element, tag: str, text: object) -> None:
    SubElement(parent, tag).text = str(text)


def _head(root: Element, stored: StoredHand, operator: Operator) -> None:
    started = stored.started
    _put(root, "IDOper", operator.operator)
    _put(root, "IDCoffre", operator.vault)
    _put(root, "DateEvt", moment(_ended(stored), operator.zone))
    _put(root, "IDEvt", stored.position)
    _put(root, "Tech", reference(_table(started)))
    _put(root, "Pool", reference(started.number))


def _table(started: e.HandStarted) -> str:
    return started.table.id or started.table.name


def _began(started: e.HandStarted) -> datetime:
    at = started.played_at or started.at
    assert at is not None, "a hand without a time was refused"
    return at


def _ended(stored: StoredHand) -> datetime:
    """The last time on record of the hand itself; a ruling comes when it comes."""
    times = [one.at for one in stored.events if one.at and not isinstance(one, e.AwardCorrected)]
    return max([_began(stored.started), *times])


def _participants(root: Element, stored: StoredHand, over: Hand, operator: Operator) -> None:
    participants, started = SubElement(root, "Participants"), stored.started
    rake = _rake(stored.events)
    for player in over.seats:
        identity = identity_of(operator, player.player, _table(started), _began(started))
        joueur = SubElement(participants, "Joueur")
        _identity(joueur, player, identity)
        _finance(joueur, player, rake[player.seat], started.money)


def _rake(events: Sequence[e.HandEvent]) -> Counter[Seat]:
    """Whose the rake is, as it was attributed."""
    taken = (event for event in events if isinstance(event, e.RakeTaken))
    return Counter({one.seat: one.amount for event in taken for one in event.attribution.shares})


def _identity(joueur: Element, player: Player, identity: Identity) -> None:
    tag, text = identity.operator
    _put(joueur, tag, text)
    _put(joueur, "Pays", identity.country)
    _put(joueur, "IDJoueur", player.player)
    _put(joueur, "IPJoueur", identity.address)
    _put(joueur, "Siege", player.seat)
    _put(joueur, "Inscription", identity.registration)


def _finance(joueur: Element, player: Player, rake: Chips, money: e.Money) -> None:
    finance = SubElement(joueur, "Finance")
    for tag, chips in (
        ("Net", player.stack - player.started_with),
        ("Total", player.paid),
        ("CaveAvant", player.started_with),
        ("CaveApres", player.stack),
    ):
        _put(finance, tag, amount(chips, money.exponent))
    _put(finance, "Unite", money.currency)
    if rake:
        _put(finance, "Rake", amount(rake, money.exponent))


def _about(root: Element, stored: StoredHand, operator: Operator) -> None:
    started = stored.started
    small, big = (
        amount(bet, started.money.exponent)
        for bet in (started.stakes.small_bet, started.stakes.big_bet)
    )
    _put(root, "Regle", operator.rule_code(started.game))
    _put(root, "Description", f"{GAMES[started.game].title} Limit ({small}-{big})")
    _put(root, "Info", " ".join(_info(stored)))


def _info(stored: StoredHand) -> Iterator[str]:
    """Where our own record is, and the two things a reader of the document must not miss."""
    digest = hashlib.sha256(b"".join(state + b"\n" for state in stored.states)).hexdigest()
    yield f"studledger hand={stored.hand} facts={len(stored.states)} sha256={digest}"
    steps = list(enumerate(stored.events, 1))
    timed_out = [f"{one.seat}@{step}" for step, one in steps if isinstance(one, e.TimedOut)]
    if timed_out:
        yield f"timed-out={','.join(timed_out)}"
    corrected = [str(step) for step, one in steps if isinstance(one, e.AwardCorrected)]
    if corrected:
        yield f"corrected={','.join(corrected)}"


def _play(
    root: Element, rounds: Sequence[Round], started: e.HandStarted, operator: Operator
) -> None:
    jeu, at = SubElement(root, "Jeu"), _began(started)
    for one in rounds:
        at = one.at or at
        tour = SubElement(jeu, "Tour", {"name": one.name})
        _put(tour, "Timestamp", moment(at, operator.zone))
        tour.extend(one.actions)
        _put(tour, "Total", amount(one.total, started.money.exponent))
