-- What the projections keep: all of it follows from the log and may be built again at any time.
-- Rows are written by the runner only, in one transaction with the position they reach.

create table projection_positions (
    name text primary key,
    -- The last event taken in, by its position in the log; 0 before the first.
    position bigint not null default 0,
    updated_at timestamptz not null default now()
);

create table hands (
    hand uuid primary key,
    site text not null,
    number text not null,
    game text not null,
    table_id text not null,
    table_name text not null,
    small_bet bigint not null,
    big_bet bigint not null,
    ante bigint not null,
    bring_in bigint not null,
    money_kind text not null,
    currency text not null,
    exponent smallint not null,
    house_rules text not null,
    source text not null,
    played_at timestamptz,
    happened_at timestamptz not null,
    day date not null,
    players smallint not null,
    pot bigint not null check (pot >= 0),
    rake bigint not null,
    status text not null check (status in ('in_progress', 'completed', 'voided')),
    conflicting boolean not null,
    steps integer not null
);

create index hands_happened_at_idx on hands (happened_at, hand);
create index hands_number_idx on hands (number);
create index hands_day_idx on hands (day);

create table hand_players (
    hand uuid not null,
    seat smallint not null,
    player text not null,
    start_stack bigint not null,
    contributed bigint not null,
    returned bigint not null,
    won bigint not null,
    corrected bigint not null,
    rake bigint not null,
    net bigint not null,
    stack_after bigint not null,
    status text not null,
    primary key (hand, seat),
    check (net = won + corrected - contributed),
    check (stack_after = start_stack + net)
);

create index hand_players_player_idx on hand_players (player, hand);

create table pots (
    hand uuid not null,
    pot smallint not null,
    gross bigint not null,
    rake bigint not null,
    awarded bigint not null,
    claimants jsonb not null,
    contributions jsonb not null,
    halves jsonb not null,
    primary key (hand, pot)
);

create table odd_chips (
    hand uuid not null,
    line smallint not null,
    step integer not null,
    pot smallint not null,
    half text not null,
    rule text not null,
    seat smallint,
    amount bigint not null check (amount > 0),
    cards jsonb not null,
    words text not null,
    compared jsonb not null,
    primary key (hand, line)
);

create table verdicts (
    hand uuid primary key,
    verdict text not null,
    findings integer not null,
    steps integer not null,
    rules_version text not null
);

create table findings (
    hand uuid not null,
    line smallint not null,
    step integer not null,
    rule text not null,
    expected text not null,
    recorded text not null,
    text text not null,
    rules_version text not null,
    primary key (hand, line)
);

-- Double entry. Each step of a hand makes one entry: postings that add up to zero. Entries are
-- added whole and stay; what was wrong is reversed by another entry.
create table rake_ledger (
    hand uuid not null,
    step integer not null,
    line smallint not null,
    account text not null,
    amount bigint not null check (amount <> 0),
    memo text not null,
    bearer text check (bearer is null or account = 'House:Rake'),
    day date not null,
    money_kind text not null,
    currency text not null,
    exponent smallint not null,
    primary key (hand, step, line)
);

create index rake_ledger_rake_idx on rake_ledger (day, hand) where account = 'House:Rake';

-- Balance is checked by statement and not by row: an entry out of balance is refused however it
-- came, and a page of thousands of postings costs one look.
create function rake_ledger_balances() returns trigger language plpgsql as $$
declare
    wrong record;
begin
    select hand, step, sum(amount) as amount into wrong
      from moved group by hand, step having sum(amount) <> 0 limit 1;
    if found then
        raise exception 'entry of hand % at step % is out of balance by %',
            wrong.hand, wrong.step, wrong.amount using errcode = 'check_violation';
    end if;
    return null;
end
$$;

create function rake_ledger_stands() returns trigger language plpgsql as $$
begin
    raise exception 'a posting is reversed by another entry, never changed'
        using errcode = 'check_violation';
end
$$;

create trigger balances_when_posted after insert on rake_ledger
    referencing new table as moved for each statement execute function rake_ledger_balances();
create trigger balances_when_rebuilt after delete on rake_ledger
    referencing old table as moved for each statement execute function rake_ledger_balances();
create trigger stands before update on rake_ledger
    for each statement execute function rake_ledger_stands();

grant select, insert, update on projection_positions to studledger_app;
grant select, insert, delete on
    hands, hand_players, pots, odd_chips, verdicts, findings, rake_ledger to studledger_app;
