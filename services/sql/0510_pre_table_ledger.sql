-- Chips on and off tables in double entry, beside the ledgers of hands and of rulings, and who sat
-- at a table from when to when.

create table table_postings (
    table_id uuid not null,
    n integer not null,
    line smallint not null,
    account text not null check (account not like 'Pot:%'),
    amount bigint not null check (amount <> 0),
    memo text not null,
    happened_at timestamptz not null,
    money_kind text not null,
    currency text not null,
    exponent smallint not null,
    primary key (table_id, n, line)
);

create index table_postings_happened_idx on table_postings (happened_at);

create function table_postings_balance() returns trigger language plpgsql as $$
declare
    wrong record;
begin
    select table_id, n, sum(amount) as amount into wrong
      from moved group by table_id, n having sum(amount) <> 0 limit 1;
    if found then
        raise exception 'entry % of table % is out of balance by %',
            wrong.n, wrong.table_id, wrong.amount using errcode = 'check_violation';
    end if;
    return null;
end
$$;

create trigger balances_when_posted after insert on table_postings
    referencing new table as moved for each statement execute function table_postings_balance();
create trigger balances_when_rebuilt after delete on table_postings
    referencing old table as moved for each statement execute function table_postings_balance();

create table table_sessions (
    table_id uuid not null,
    -- The fact with which he sat down, and the one with which he left.
    n integer not null,
    left_n integer,
    seat smallint not null,
    player text not null,
    seated_at timestamptz not null,
    left_at timestamptz,
    hands integer not null,
    bought_in bigint not null,
    -- What his hands came to, by the stacks they began and ended with.
    won bigint not null,
    cashed_out bigint,
    stack bigint not null,
    in_hand uuid,
    money_kind text not null,
    currency text not null,
    exponent smallint not null,
    primary key (table_id, n)
);

create index table_sessions_seated_idx on table_sessions (seated_at);
create index table_sessions_player_idx on table_sessions (player, seated_at);

-- Which hand began with which fact of its table.
create table table_hands (
    hand uuid not null,
    step integer not null,
    table_id uuid not null,
    primary key (table_id, step)
);

grant select, insert, delete on table_postings, table_sessions, table_hands to studledger_app;
