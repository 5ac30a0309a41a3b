"""The secrets of many hands at once: the sealer needs those of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from psycopg import Connection

from services.settings import Settings
from services.store.hand_secrets import Sealer
from services.store.port import Recorded

SecretsOf = Mapping[UUID, bytes]
"""The secret of each hand that has one."""

READ = "select hand, key_id, sealed from hand_secrets where hand = any(%s)"


def needs_secret(fact: Recorded) -> bool:
    """Whether the public form of an event may have digests in it."""
    return fact.type.startswith("cards_dealt.")


def secrets_of(settings: Settings) -> Callable[[Connection, Sequence[Recorded]], SecretsOf]:
    """Opens what the events of a page need to have a public form. Raises WrongKey."""
    sealer = Sealer(settings.key_path, settings.room)

    def read(connection: Connection, facts: Sequence[Recorded]) -> SecretsOf:
        hands = {fact.stream for fact in facts if needs_secret(fact)}
        if not hands:
            return {}
        rows = connection.execute(READ, (list(hands),), binary=True)
        return {hand: sealer.open(hand, key_id, sealed) for hand, key_id, sealed in rows}

    return read
