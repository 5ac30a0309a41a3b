-- Who may call the service: named subjects and their keys. A key's secret is nowhere; only its
-- digest is, and it cannot be turned back: the secret has 256 random bits.

create table subjects (
    id uuid primary key default gen_random_uuid(),
    name text not null unique check (name <> ''),
    created_at timestamptz not null default now()
);

create table api_keys (
    id text primary key,
    subject uuid not null references subjects,
    role text not null check (
        role in ('dealer', 'floor', 'approver', 'auditor', 'finance', 'player', 'admin')),
    player uuid,
    sha256 bytea not null,
    issued_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    last_used_at timestamptz,
    -- A player's key belongs to one player, and no other key to any.
    check ((role = 'player') = (player is not null))
);

create index api_keys_subject_idx on api_keys (subject);

-- What a key may do is fixed when it is issued: the application can end a key, not widen it.
grant select, insert on subjects, api_keys to studledger_app;
grant update (name) on subjects to studledger_app;
grant update (revoked_at, last_used_at) on api_keys to studledger_app;
