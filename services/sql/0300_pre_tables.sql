-- One row per table of the room, made from its stream by the projection `tables`.

create table tables (
    id uuid primary key,
    name text not null,
    game text not null,
    site text not null,
    small_bet bigint not null,
    big_bet bigint not null,
    ante bigint not null,
    bring_in bigint not null,
    money_kind text not null,
    currency text not null,
    exponent smallint not null,
    house_rules text not null,
    max_seats smallint not null,
    -- How many are taken.
    seats smallint not null,
    -- The hand being played.
    hand uuid,
    -- How many have begun.
    hands bigint not null,
    is_open boolean not null,
    opened_at timestamptz not null,
    closed_at timestamptz,
    -- How many facts the row takes in, and where in the log the last of them lies.
    version bigint not null,
    position bigint not null
);

create index tables_in_order_idx on tables ((not is_open), name, id);
create index tables_hand_idx on tables (hand) where hand is not null;

grant select, insert, delete on tables to studledger_app;
