"""Keys and the record of cards seen, on a real PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from services.access import (
    BadKey,
    Holder,
    Keys,
    KeyWanted,
    PurposeMissing,
    Sighting,
    UnknownKey,
    record_sighting,
    record_sightings,
)
from services.access.events import CardsSeen, KeyIssued, KeyRevoked, decode, hand_stream, key_stream
from services.access.lifetimes import BadExpiry, expiry
from services.access.sightings import stated_purpose
from services.store.room import Room

NOON = datetime(2026, 3, 9, 12, 7, 30, tzinfo=UTC)


@pytest.fixture
def keys(room: Room) -> Keys:
    return Keys(room.pool, room.store)


def wanted(**changed: object) -> KeyWanted:
    fields = {
        "subject": "Frances of the floor",
        "role": "floor",
        "expires_at": datetime.now(UTC) + timedelta(days=1),
    }
    return KeyWanted(**(fields | changed))  # type: ignore[arg-type]


def on_file(keys: Keys, key_id: str) -> Holder:
    return next(holder for holder in keys.all() if holder.id == key_id)


def seen(**changed: object) -> Sighting:
    fields = {"actor": "somebody", "hand": uuid4(), "view": "all", "purpose": "a dispute"}
    return Sighting(**(fields | changed))  # type: ignore[arg-type]


def sightings(room: Room, hand: UUID) -> list[CardsSeen]:
    events = [decode(fact.state) for fact in room.store.load(hand_stream(hand))]
    assert all(isinstance(event, CardsSeen) for event in events)
    return events  # type: ignore[return-value]


def test_a_key_opens_what_it_was_made_for(keys: Keys) -> None:
    issued = keys.issue(wanted())
    holder = keys.holder(issued.key)
    assert (holder.name, holder.role, holder.subject) == (
        "Frances of the floor",
        "floor",
        issued.subject,
    )


def test_two_keys_of_a_subject_are_two_secrets(keys: Keys) -> None:
    first, second = keys.issue(wanted()), keys.issue(wanted())
    assert first.key != second.key
    assert first.subject == second.subject


def test_the_key_itself_is_nowhere_in_the_database(keys: Keys, room: Room) -> None:
    secret = keys.issue(wanted()).key.rpartition("_")[2]
    dumped = ""
    with room.connect() as connection:
        for table in ("api_keys", "subjects", "events", "commands"):
            rows = connection.execute(f"select t::text, t from {table} t".encode()).fetchall()
            dumped += repr(rows)
        states = connection.execute("select state from events").fetchall()
    assert secret not in dumped
    assert not any(secret.encode() in bytes(state) for (state,) in states)


def test_whose_key_is_used_is_known_to_the_minute(keys: Keys) -> None:
    issued = keys.issue(wanted())
    assert on_file(keys, issued.id).last_used_at is None
    keys.holder(issued.key)
    first = on_file(keys, issued.id).last_used_at
    assert first is not None
    keys.holder(issued.key)
    assert on_file(keys, issued.id).last_used_at == first


@pytest.mark.parametrize("change", ["swap", "shorten", "other id", "not ascii", "nothing"])
def test_what_is_not_exactly_a_key_opens_nothing(keys: Keys, change: str) -> None:
    key = keys.issue(wanted()).key
    other = keys.issue(wanted())
    wrong = {
        "swap": key[:-1] + ("A" if key[-1] != "A" else "B"),
        "shorten": key[:-1],
        "other id": f"slk_{other.id}_{key.split('_', 2)[2]}",
        "not ascii": key[:-1] + "é",
        "nothing": "",
    }[change]
    with pytest.raises(BadKey, match="no such key"):
        keys.holder(wrong)


def test_a_key_ends(keys: Keys) -> None:
    issued = keys.issue(wanted(expires_at=datetime.now(UTC) - timedelta(seconds=1)))
    with pytest.raises(BadKey, match="expired"):
        keys.holder(issued.key)


def test_a_revoked_key_opens_nothing_from_then_on(keys: Keys) -> None:
    issued = keys.issue(wanted())
    keys.holder(issued.key)
    keys.revoke(issued.id)
    with pytest.raises(BadKey, match="revoked"):
        keys.holder(issued.key)


def test_revoking_twice_keeps_the_first_time(keys: Keys, room: Room) -> None:
    issued = keys.issue(wanted())
    keys.revoke(issued.id)
    first = on_file(keys, issued.id).revoked_at
    keys.revoke(issued.id)
    assert on_file(keys, issued.id).revoked_at == first
    assert len(room.store.load(key_stream(issued.id))) == 2


@pytest.mark.parametrize("unknown", ["0123456789abcdef", "no id at all", "\0"])
def test_an_unknown_key_cannot_be_revoked(keys: Keys, unknown: str) -> None:
    with pytest.raises(UnknownKey):
        keys.revoke(unknown)


def test_issue_and_end_of_a_key_are_on_record_without_a_name(keys: Keys, room: Room) -> None:
    player = uuid4()
    issued = keys.issue(wanted(role="player", player=player), actor="the admin")
    keys.revoke(issued.id, actor="the admin")
    facts = room.store.load(key_stream(issued.id))
    made, ended = (decode(fact.state) for fact in facts)
    assert isinstance(made, KeyIssued)
    assert (made.key, made.subject, made.player) == (issued.id, issued.subject, player)
    assert isinstance(ended, KeyRevoked)
    assert [fact.actor for fact in facts] == ["the admin", "the admin"]
    assert not any(b"Frances" in fact.state for fact in facts)


def test_the_program_can_end_a_key_but_not_widen_it(keys: Keys, room: Room) -> None:
    issued = keys.issue(wanted())
    for change in ("role = 'admin'", "expires_at = 'infinity'", "sha256 = '\\x00'"):
        with room.pool.connection() as connection:
            query = f"update api_keys set {change} where id = %s".encode()
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(query, (issued.id,))


def test_a_sighting_is_recorded_once_a_quarter_of_an_hour(room: Room) -> None:
    one = seen()
    assert record_sighting(room.store, one, at=NOON)
    assert not record_sighting(room.store, one, at=NOON + timedelta(minutes=7))
    assert record_sighting(room.store, one, at=NOON + timedelta(minutes=8))
    assert [event.quarter.minute for event in sightings(room, one.hand)] == [0, 15]


@pytest.mark.parametrize("what", ["actor", "view", "hand"])
def test_another_actor_view_or_hand_is_another_sighting(room: Room, what: str) -> None:
    one = seen()
    other = {"actor": "somebody else", "view": "seat:3", "hand": uuid4()}[what]
    assert record_sighting(room.store, one, at=NOON)
    assert record_sighting(room.store, seen(**{"hand": one.hand, what: other}), at=NOON)


def test_a_sighting_says_who_what_and_what_for(room: Room) -> None:
    one = seen(key="0123456789abcdef", role="auditor", view="seat:3", purpose="  a\n check ")
    record_sighting(room.store, one, at=NOON, request_id="request 7")
    (stored,) = room.store.load(hand_stream(one.hand))
    assert (stored.type, stored.actor, stored.request_id) == (
        "cards_seen.v1",
        "somebody",
        "request 7",
    )
    assert sightings(room, one.hand) == [
        CardsSeen(
            at=NOON,
            actor="somebody",
            key="0123456789abcdef",
            role="auditor",
            hand=one.hand,
            view="seat:3",
            purpose="a check",
            quarter=datetime(2026, 3, 9, 12, tzinfo=UTC),
        )
    ]


def test_many_hands_are_put_on_record_at_once(room: Room) -> None:
    looks = [seen() for _ in range(5)]
    assert record_sighting(room.store, looks[2], at=NOON)
    assert record_sighting(room.store, seen(hand=looks[3].hand, view="seat:1"), at=NOON)
    assert record_sightings(room.store, looks, at=NOON) == 4
    assert [len(sightings(room, one.hand)) for one in looks] == [1, 1, 1, 2, 1]


def test_without_a_purpose_for_each_nothing_is_put_on_record(room: Room) -> None:
    looks = [seen(), seen(purpose="")]
    with pytest.raises(PurposeMissing):
        record_sightings(room.store, looks, at=NOON)
    assert not sightings(room, looks[0].hand)


def test_many_who_look_at_once_are_all_recorded(room: Room) -> None:
    hand = uuid4()
    looks = [seen(hand=hand, actor=f"number {n}") for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda one: record_sighting(room.store, one, at=NOON), looks))
    assert {event.actor for event in sightings(room, hand)} == {one.actor for one in looks}


@pytest.mark.parametrize("purpose", [None, "", "  \n", "x" * 201, "bell \a"])
def test_no_purpose_no_sighting(room: Room, purpose: str | None) -> None:
    with pytest.raises(PurposeMissing, match="say what for"):
        stated_purpose(purpose)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("30m", NOON + timedelta(minutes=30)),
        ("90d", NOON + timedelta(days=90)),
        ("2026-04-01", datetime(2026, 4, 1, tzinfo=UTC)),
        ("2026-04-01T12:00+02:00", datetime(2026, 4, 1, 10, tzinfo=UTC)),
    ],
)
def test_the_end_of_a_key_is_a_span_or_a_time(text: str, ends: datetime) -> None:
    assert expiry(text, NOON) == ends


@pytest.mark.parametrize("text", ["never", "0d", "-3d", "2026-03-09", "99999999d", ""])
def test_what_is_no_end_in_the_future_is_refused(text: str) -> None:
    with pytest.raises(BadExpiry):
        expiry(text, NOON)
