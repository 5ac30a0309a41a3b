"""A kept deck is sealed, and whoever deals from it deals the same cards at the same places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due
from domain.decide import decide
from domain.evolve import replay
from domain.house_rules import ALL_GAMES
from domain.legal import legal_actions
from services.dealing import EXTERNAL, SHUFFLED, Decks, DeckWish, decks_of, shuffle, supplied
from services.dealing.commitment import is_of
from services.embedded import Server
from services.errors import DeckMissing, WrongKey
from services.settings import Settings
from services.store.hand_secrets import Sealer
from services.store.room import Room, open_room
from tests.support.bdd import started
from tests.support.played import LIKELY, command_for

Log = list[e.HandEvent]
EIGHT = dict.fromkeys(range(1, 9), 1000)


@pytest.fixture(scope="module")
def place(server: Server) -> Iterator[Room]:
    """One room for the whole file: decks do not meet."""
    settings = Settings(database_url=None, owner_url=None, data_dir=server.home, room="decks")
    with open_room(settings) as room:
        yield room


@pytest.fixture(scope="module")
def decks(place: Room) -> Decks:
    return decks_of(place)


def begun(
    decks: Decks, start: e.HandStarted | None = None, wish: DeckWish = SHUFFLED
) -> tuple[UUID, Log]:
    """A hand that has anted, its deck kept."""
    hand = uuid4()
    prepared = decks.prepare(hand, wish)
    decks.keep(hand, prepared)
    deck = e.Deck(source=prepared.source, commitment=prepared.commitment)
    start = replace(start or started(ante=5), deck=deck)
    return hand, list(decide(None, c.StartHand(hand=start)))


def dealt_on(decks: Decks, hand: UUID, log: Log) -> c.Deal:
    """What is dealt next, where cards are due."""
    state = replay(log)
    due = cards_due(state)
    assert due is not None
    deal = decks.next_cards(hand, state, due)
    assert deal is not None
    return deal


def play_on(decks: Decks, hand: UUID, log: Log, dice: random.Random | None = None) -> list[c.Deal]:
    """Play to the end, at random or all checking and calling; every deal, street by street."""
    deals = []
    while not (state := replay(log)).completed:
        if cards_due(state) is not None:
            deals.append(dealt_on(decks, hand, log))
            log.extend(decide(state, deals[-1]))
            continue
        legal = legal_actions(state)
        weights = [LIKELY.get(choice.action, 5) if dice else 0 for choice in legal]
        passive = min(legal, key=lambda choice: (choice.action == "fold", choice.amount))
        choice = dice.choices(legal, weights)[0] if dice else passive
        log.extend(decide(state, command_for(choice)))
    return deals


def by_hand(log: Log, deck: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The cards a dealer with this deck in his hand deals, street by street, burning as he must."""
    left, burns, streets = list(deck), log[0].house_rules.burn_cards, []  # type: ignore[union-attr]
    at = 0
    while at < len(log):
        event = log[at]
        if isinstance(event, e.CommunityCardDealt):
            seats, each, street = 1, 1, 7
        elif isinstance(event, e.CardsDealt):
            street = event.street
            seats = sum(isinstance(x, e.CardsDealt) and x.street == street for x in log)
            each = len(event.down) + len(event.up)
        else:
            at += 1
            continue
        if burns and street > 3 and len(left) > seats * each:
            del left[0]
        streets.append(tuple(left[: seats * each]))
        del left[: seats * each]
        at += seats
    return streets


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_is_dealt_as_from_a_deck_in_the_dealers_hand(decks: Decks, seed: int) -> None:
    dice = random.Random(seed)
    stacks = {seat: dice.choice((5, 40, 1000)) for seat in dice.sample(range(1, 9), 2 + seed % 7)}
    start = started(stacks, ante=5, game=dice.choice(ALL_GAMES), burn_cards=seed % 2 == 0)
    deck = shuffle(dice.randrange)
    hand, log = begun(decks, start, supplied(deck))
    deals = play_on(decks, hand, log, dice)
    assert [deal.cards for deal in deals] == by_hand(log, deck)
    for deal in deals:
        assert deal.positions is not None
        assert deal.cards == tuple(deck[position] for position in deal.positions)


@pytest.mark.parametrize(
    ("burns", "streets", "community"),
    [(False, [0, 24, 32, 40, 48], 48), (True, [0, 25, 34, 43, 51], 51)],
)
def test_eight_to_the_end_get_one_card_for_all(
    decks: Decks, burns: bool, streets: list[int], community: int
) -> None:
    """With burns three have gone when one card is left: the burn before it is left out (G6)."""
    hand, log = begun(decks, started(EIGHT, ante=5, burn_cards=burns))
    deals = play_on(decks, hand, log)
    assert [deal.positions[0] for deal in deals if deal.positions] == streets
    (shared,) = [event for event in log if isinstance(event, e.CommunityCardDealt)]
    assert shared.position == community


@pytest.mark.parametrize(("burns", "positions"), [(False, range(14)), (True, None)])
def test_two_all_in_for_the_ante_are_dealt_to_the_end(
    decks: Decks, burns: bool, positions: range | None
) -> None:
    hand, log = begun(decks, started({1: 5, 2: 5}, ante=5, burn_cards=burns))
    deals = play_on(decks, hand, log)
    places = [place for deal in deals for place in deal.positions or ()]
    # The burnt ones are the sixth, ninth, twelfth and fifteenth card.
    assert places == [*(positions or (p for p in range(18) if p not in {6, 9, 12, 15}))]


def test_another_server_goes_on_at_the_same_card(place: Room, decks: Decks) -> None:
    deck = tuple(reversed(DECK))
    hand, log = begun(decks, started(EIGHT, ante=5, burn_cards=True), supplied(deck))
    begun_by_one = play_on(decks, hand, log)
    first_deal = next(i for i, event in enumerate(log) if isinstance(event, e.CardsDealt))
    goes_on = log[:first_deal]
    assert play_on(decks_of(place), hand, goes_on) == begun_by_one
    assert goes_on == log


def test_a_deal_asked_for_twice_is_the_same_deal(decks: Decks) -> None:
    hand, log = begun(decks)
    assert dealt_on(decks, hand, log) == dealt_on(decks, hand, log)


def test_the_dealt_cards_are_those_the_hand_committed_to(decks: Decks) -> None:
    hand, log = begun(decks)
    deal = dealt_on(decks, hand, log)
    commitment = replay(log).started.deck.commitment
    assert commitment is not None
    for position, card in zip(deal.positions or (), deal.cards, strict=True):
        opened = decks.opened(hand, commitment, position)
        assert opened.card == card
        assert is_of(commitment, hand, opened)


def test_the_database_holds_the_order_only_sealed(place: Room, decks: Decks) -> None:
    hand, _ = begun(decks, wish=supplied(DECK))
    with place.connect() as connection:
        row = connection.execute("select sealed from decks where hand = %s", (hand,)).fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("update decks set sealed = ''")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("delete from decks")
    assert row is not None
    sealed = bytes(row[0])
    assert "".join(DECK[:3]).encode() not in sealed
    assert not any(bytes(map(DECK.index, DECK[i : i + 3])) in sealed for i in range(50))


def test_a_lost_race_leaves_each_deck_its_own_hand(decks: Decks) -> None:
    """Two begin one hand: the commitment in its first event says which deck is dealt."""
    hand = uuid4()
    one, other = decks.prepare(hand, supplied(DECK)), decks.prepare(hand, supplied(DECK[::-1]))
    for prepared in (one, other, one):
        decks.keep(hand, prepared)
    deck = e.Deck(source="supplied", commitment=one.commitment)
    log = list(decide(None, c.StartHand(hand=replace(started(), deck=deck))))
    assert dealt_on(decks, hand, log).cards[:3] == DECK[:3]


def test_an_external_deck_commits_to_nothing_and_is_dealt_by_somebody_else(decks: Decks) -> None:
    hand, log = begun(decks, wish=EXTERNAL)
    state = replay(log)
    due = cards_due(state)
    assert due is not None
    assert state.started.deck == e.Deck(source="external", commitment=None)
    assert decks.next_cards(hand, state, due) is None


def test_a_deck_moved_to_another_hand_or_commitment_does_not_open(
    place: Room, decks: Decks
) -> None:
    hand, _ = begun(decks)
    elsewhere = uuid4()
    renamed = "deck.v1:" + "0" * 64
    with place.connect() as connection:
        for target, commitment in ((elsewhere, "commitment"), (hand, f"'{renamed}'")):
            connection.execute(
                f"insert into decks select %s, {commitment}, key_id, sealed, kept_at"
                " from decks where hand = %s limit 1",
                (target, hand),
            )
        found = connection.execute("select commitment from decks where hand = %s", (elsewhere,))
        (moved,) = found.fetchone() or ()
    for target, commitment in ((elsewhere, moved), (hand, renamed)):
        with pytest.raises(WrongKey, match="sealed deck was changed"):
            decks.opened(target, commitment, 0)


def test_a_deck_is_neither_opened_nor_sealed_with_another_key(place: Room, tmp_path: Path) -> None:
    hand, log = begun(decks_of(place))
    with place.connect() as connection:
        place.sealer.keep_new(connection, [hand])
    other = Decks(place.pool, Sealer(tmp_path / "other.key", place.settings.room))
    commitment = replay(log).started.deck.commitment
    assert commitment is not None
    with pytest.raises(WrongKey, match="STUDLEDGER_KEY_FILE"):
        other.opened(hand, commitment, 0)
    with pytest.raises(WrongKey, match="STUDLEDGER_KEY_FILE"):
        other.prepare(uuid4(), SHUFFLED)


def test_a_secret_and_a_deck_never_open_as_each_other(tmp_path: Path) -> None:
    hand, sealer = uuid4(), Sealer(tmp_path / "key", "main")
    with pytest.raises(WrongKey, match="was changed"):
        sealer.open_as("deck", str(hand), sealer.key_id, sealer.seal(hand, b"s" * 32))


def test_a_deck_that_was_never_kept_is_missed(decks: Decks) -> None:
    hand = uuid4()
    prepared = decks.prepare(hand, SHUFFLED)
    deck = e.Deck(source=prepared.source, commitment=prepared.commitment)
    log = list(decide(None, c.StartHand(hand=replace(started(), deck=deck))))
    with pytest.raises(DeckMissing, match=str(hand)):
        dealt_on(decks, hand, log)


def test_what_is_prepared_prints_no_order(decks: Decks) -> None:
    assert "sealed=…" in repr(decks.prepare(uuid4(), SHUFFLED))
    assert repr(supplied(DECK)) == "DeckWish(source='supplied', cards=…)"
