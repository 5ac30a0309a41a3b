-- The bundles a room gave away, numbered from 1: each names the manifest of the one before.

create table log_bundles (
    number bigint primary key check (number > 0),
    -- SHA-256 of its manifest.
    manifest bytea not null check (octet_length(manifest) = 32),
    -- The checkpoint it is proven under.
    epoch integer not null,
    size bigint not null check (size > 0),
    made_at timestamptz not null default clock_timestamp()
);

grant select, insert on log_bundles to studledger_app;
