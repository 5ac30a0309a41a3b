-- What may be erased, kept apart from the log that may not: names and original texts.

create table players (
    id uuid primary key default gen_random_uuid(),
    site text not null,
    name text not null,
    -- sha256 of the name: an index entry has a longest length, a name has not.
    name_key bytea not null,
    unique (site, name_key)
);

-- The records hands were read from; one hand may have several witnesses.
create table texts (
    hand uuid not null,
    sha256 bytea not null,
    format text not null,
    file text not null,
    line bigint not null,
    body bytea not null,
    kept_at timestamptz not null default now(),
    primary key (hand, sha256)
);

create index texts_sha256_idx on texts (sha256);

-- A random secret per hand, sealed with the room's key; the salts of its cards derive from it.
create table hand_secrets (
    hand uuid primary key,
    key_id text not null,
    sealed bytea not null
);

-- What an import could not take in, with the reason, to be looked at and tried again.
create table quarantine (
    id bigint generated always as identity primary key,
    sha256 bytea not null,
    file text not null,
    line bigint not null,
    reader text not null,
    reason text not null,
    body bytea not null,
    quarantined_at timestamptz not null default now(),
    unique (sha256, file, line)
);

grant select, insert, update, delete on players, texts, quarantine to studledger_app;
grant select, insert on hand_secrets to studledger_app;
