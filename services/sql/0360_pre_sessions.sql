-- Who is signed in at the pages: of a session and of an address that signs in once, only the digest
-- of its random token is kept. Both belong to a key and end with it.

create table sessions (
    sha256 bytea primary key,
    key text not null references api_keys,
    begun_at timestamptz not null,
    seen_at timestamptz not null,
    ends_at timestamptz not null
);

create index sessions_ends_at_idx on sessions (ends_at);

create table sign_in_addresses (
    sha256 bytea primary key,
    key text not null references api_keys,
    ends_at timestamptz not null
);

grant select, insert, delete on sessions, sign_in_addresses to studledger_app;
grant update (seen_at) on sessions to studledger_app;
