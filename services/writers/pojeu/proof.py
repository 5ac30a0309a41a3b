"""Reading a POJEU document back: chips and cards must add up in the file itself."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from itertools import chain
from xml.etree.ElementTree import Element, ParseError, fromstring

from services.writers.hand import CannotSay

CARDS = range(1, 53)


def refuse_unsound(document: bytes) -> None:
    """Raises `CannotSay`, with what does not add up in the document. Knows nothing else."""
    try:
        root = fromstring(document)
    except ParseError:
        raise CannotSay("POJEU cannot say it: the file is no XML when read back") from None
    players = root.findall("Participants/Joueur")
    rounds = root.findall("Jeu/Tour")
    for wrong in chain(_players(players), _rounds(players, rounds), _cards(rounds)):
        raise CannotSay(f"POJEU cannot say it: in the file read back, {wrong}")


def _amount(element: Element, path: str) -> Decimal:
    return Decimal(element.findtext(path, "0"))


def _sum(elements: Iterable[Element], path: str) -> Decimal:
    return sum((_amount(one, path) for one in elements), Decimal(0))


def _players(players: list[Element]) -> Iterable[str]:
    """Each one's net is what his stack changed by; all nets and the rake come to nothing."""
    if len(players) < 2 or len(set(map(_seat, players))) < len(players):
        yield "there are not two players or more, each in a seat of his own"
    for one in players:
        net = _amount(one, "Finance/CaveApres") - _amount(one, "Finance/CaveAvant")
        if _amount(one, "Finance/Net") != net:
            yield "a Net is not CaveApres less CaveAvant"
    if _sum(players, "Finance/Net") + _sum(players, "Finance/Rake"):
        yield "Net and Rake do not come to nothing"


def _rounds(players: list[Element], rounds: list[Element]) -> Iterable[str]:
    """What was put in, player by player and round by round, is the same."""
    if len({one.get("name") for one in rounds}) < len(rounds):
        yield "two rounds have one name"
    seated = {None, *map(_seat, players)}
    if any(_seat(action) not in seated for one in rounds for action in one):
        yield "somebody acts who is no player"
    if any(not 0 <= _amount(one, "Total") <= _sum(one.findall("Bet"), "Valeur") for one in rounds):
        yield "a round's Total is not within its bets"
    if _sum(rounds, "Total") != _sum(players, "Finance/Total"):
        yield "the rounds' Total is not the players'"
    bets = [bet for one in rounds for bet in one.findall("Bet")]
    for one in players:
        his = _sum((bet for bet in bets if _seat(bet) == _seat(one)), "Valeur")
        if not _amount(one, "Finance/Total") <= his <= _amount(one, "Finance/CaveAvant"):
            yield "a player's Total is more than he bet, or he bet more than he had"


def _cards(rounds: list[Element]) -> Iterable[str]:
    """Each card is dealt once; what is turned up was dealt face down to that seat."""
    draws = [draw for one in rounds for draw in one.findall("Draw")]
    numbers = [int(draw.findtext("Valeur", "0")) for draw in draws]
    if len(set(numbers)) < len(numbers) or any(number not in CARDS for number in numbers):
        yield "a card is dealt twice, or is none"
    down = {_card(draw) for draw in draws if draw.get("ouverte") != "true"}
    if not {_card(shown) for one in rounds for shown in one.findall("Reveal")} <= down:
        yield "somebody turns up a card that he was not dealt face down"


def _card(element: Element) -> tuple[str | None, str | None]:
    return _seat(element), element.findtext("Valeur")


def _seat(element: Element) -> str | None:
    return element.findtext("Siege")
