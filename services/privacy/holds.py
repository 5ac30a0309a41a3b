"""Legal holds: on a player, on a hand, on a case. While one stands, nothing of it is erased."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import msgspec

from services.access import COMMAND_LINE
from services.access.sightings import stated_purpose
from services.disputes.errors import OnHold
from services.disputes.holds import hands_on_hold
from services.errors import ServiceError
from services.privacy.events import HoldReleased, HoldSet, Sort, decode
from services.privacy.people import hands_of
from services.privacy.recording import record
from services.store.room import Room

MOST_NAMED = 5

RECORD = (
    b"select state from events where topic in ('hold_set.v1', 'hold_released.v1')"
    b" order by notification_id"
)


class NotHeld(ServiceError):
    """There is no hold of this kind on it."""


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing about a player, or a hand and those who played it, may be erased."""

    sort: Sort
    about: str
    since: datetime | None
    actor: str
    why: str


class Protected(msgspec.Struct, frozen=True, kw_only=True):
    """What holds protect; `hands` are those held themselves and those of held players."""

    players: frozenset[str]
    hands: frozenset[UUID]


def holds(room: Room) -> tuple[Hold, ...]:
    """Every hold on a player or a hand that stands, the oldest first; cases have their own."""
    standing: dict[tuple[Sort, str], Hold] = {}
    with room.connect() as connection:
        for (state,) in connection.execute(RECORD):
            event = decode(bytes(state))
            assert isinstance(event, HoldSet | HoldReleased)
            standing.pop((event.sort, event.about), None)
            if isinstance(event, HoldSet):
                standing[event.sort, event.about] = Hold(
                    sort=event.sort,
                    about=event.about,
                    since=event.at,
                    actor=event.actor,
                    why=event.why,
                )
    return tuple(standing.values())


def protected(room: Room) -> Protected:
    """All that no erasure may touch, read from the log itself."""
    standing = holds(room)
    players = frozenset(hold.about for hold in standing if hold.sort == "player")
    hands = {UUID(hold.about) for hold in standing if hold.sort == "hand"} | hands_on_hold(room)
    for player in players:
        hands.update(hands_of(room, player))
    return Protected(players=players, hands=frozenset(hands))


def require_not_held(room: Room, player: str, hands: tuple[UUID, ...]) -> None:
    """Raise OnHold, saying which hold it is that stands in the way of erasing a player."""
    held = protected(room)
    if player in held.players:
        raise OnHold(
            "the player is on legal hold: nothing is erased. `studledger privacy holds` says why,"
            " `studledger privacy release` ends it"
        )
    if shared := [str(hand) for hand in hands if hand in held.hands]:
        named = ", ".join(shared[:MOST_NAMED]) + (" …" if len(shared) > MOST_NAMED else "")
        raise OnHold(
            f"{len(shared)} of the hands he played are on legal hold, themselves, by a case or by"
            f" another who played them: nothing is erased. They are {named}"
        )


def set_hold(room: Room, sort: Sort, about: str, why: str, *, actor: str = COMMAND_LINE) -> bool:
    """Put it on hold; whether it was not before. Raises PurposeMissing."""
    purpose = stated_purpose(why)
    if _stands(room, sort, about):
        return False
    event = HoldSet(at=datetime.now(UTC), actor=actor, sort=sort, about=about, why=purpose)
    record(room.store, event)
    return True


def release(room: Room, sort: Sort, about: str, why: str, *, actor: str = COMMAND_LINE) -> None:
    """End a hold. Raises NotHeld or PurposeMissing."""
    purpose = stated_purpose(why)
    if not _stands(room, sort, about):
        raise NotHeld(f"there is no hold on this {sort}; a case's own is lifted with the case")
    event = HoldReleased(at=datetime.now(UTC), actor=actor, sort=sort, about=about, why=purpose)
    record(room.store, event)


def _stands(room: Room, sort: Sort, about: str) -> bool:
    return any((hold.sort, hold.about) == (sort, about) for hold in holds(room))
