-- The order of a deck, sealed with the room's key before the first card, under the commitment the
-- hand then publishes. Whoever lost a race for a hand left a deck nobody committed to: it stays, and
-- is never dealt from, because a hand names its own.

create table decks (
    hand uuid not null,
    commitment text not null check (commitment ~ '^deck\.v1:[0-9a-f]{64}$'),
    key_id text not null,
    sealed bytea not null,
    kept_at timestamptz not null default now(),
    primary key (hand, commitment)
);

grant select, insert on decks to studledger_app;
