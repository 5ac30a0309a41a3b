-- Hands that others deal and post line by line.

-- What a sender calls a hand; the name is his alone.
create table posted_names (
    sender uuid not null,
    name text not null,
    hand uuid not null,
    primary key (sender, name)
);

-- Lines kept aside. A hand with one that was not released is suspended: the first is the line that
-- could not be applied, the others are what came after it. A line may hold face-down cards.
create table posted_aside (
    id bigint generated always as identity primary key,
    hand uuid not null,
    n bigint not null,
    sha256 bytea not null,
    sender uuid not null,
    event bytea not null,
    reason text not null,
    kept_at timestamptz not null default now(),
    released_at timestamptz,
    released_by uuid
);

create unique index posted_aside_line_idx on posted_aside (hand, n, sha256)
    where released_at is null;

grant select, insert on posted_names to studledger_app;
grant select, insert, update, delete on posted_aside to studledger_app;
