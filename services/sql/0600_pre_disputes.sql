-- Disputes: the register of cases, made from their streams by the projection `disputes`; what
-- rulings posted outside hands; and what was put with cases, which may be erased.

create table disputes (
    id uuid primary key,
    hand uuid not null,
    step integer,
    category text not null,
    -- An opaque id.
    complainant text not null,
    channel text not null,
    status text not null,
    submitted_at timestamptz not null,
    opened_at timestamptz not null,
    acknowledged_at timestamptz,
    due_at timestamptz not null,
    answered_at timestamptz,
    closed_at timestamptz,
    on_hold boolean not null,
    rulings integer not null,
    -- The last one: its kind, and what became of it.
    ruling text,
    stage text,
    proposed_by text,
    approved_by text,
    -- How many facts the row takes in, and where in the log the last of them lies.
    version bigint not null,
    position bigint not null,
    check (approved_by is null or approved_by <> proposed_by)
);

create index disputes_submitted_idx on disputes (submitted_at, id);
create index disputes_hand_idx on disputes (hand);

create table dispute_rulings (
    dispute uuid not null,
    ruling uuid not null,
    hand uuid not null,
    kind text not null,
    stage text not null,
    rule text not null,
    policy text not null,
    moves jsonb not null,
    rake bigint not null,
    house bigint not null,
    proposed_by text not null,
    approved_by text,
    primary key (dispute, ruling),
    check ((stage = 'approved') = (approved_by is not null)),
    check (approved_by <> proposed_by)
);

create index dispute_rulings_hand_idx on dispute_rulings (hand);

-- Seats, rake and house are in sum nothing.
create function ruling_balances() returns trigger language plpgsql as $$
declare
    wrong record;
begin
    select ruling into wrong from moved
     where rake + house + coalesce(
               (select sum((move ->> 'amount')::bigint) from jsonb_array_elements(moves) as move), 0
           ) <> 0
     limit 1;
    if found then
        raise exception 'ruling % is out of balance', wrong.ruling using errcode = 'check_violation';
    end if;
    return null;
end
$$;

create trigger balances_when_ruled after insert on dispute_rulings
    referencing new table as moved for each statement execute function ruling_balances();

-- Double entry beside the ledger of hands: each fact makes one entry, postings that add up to zero.
create table adjustments (
    ledger uuid not null,
    n integer not null,
    line smallint not null,
    dispute uuid not null,
    ruling uuid not null,
    hand uuid not null,
    player text not null,
    -- Chips at a table are moved by play alone.
    account text not null check (account not like '%:Table'),
    amount bigint not null check (amount <> 0),
    day date not null,
    posted_at timestamptz not null,
    money_kind text not null,
    currency text not null,
    exponent smallint not null,
    primary key (ledger, n, line)
);

create index adjustments_hand_idx on adjustments (hand);
create index adjustments_posted_idx on adjustments (posted_at);

create function adjustments_balance() returns trigger language plpgsql as $$
declare
    wrong record;
begin
    select ledger, n, sum(amount) as amount into wrong
      from moved group by ledger, n having sum(amount) <> 0 limit 1;
    if found then
        raise exception 'entry % of ledger % is out of balance by %',
            wrong.n, wrong.ledger, wrong.amount using errcode = 'check_violation';
    end if;
    return null;
end
$$;

create trigger balances_when_posted after insert on adjustments
    referencing new table as moved for each statement execute function adjustments_balance();
create trigger balances_when_rebuilt after delete on adjustments
    referencing old table as moved for each statement execute function adjustments_balance();

-- Notes, attachments and kept evidence: the log has their digests only. `salt` is empty where the
-- digest is of the bytes alone. `name` is what a file was called, which may be a person's.
create table case_files (
    id uuid primary key,
    dispute uuid not null,
    kind text not null check (kind in ('note', 'attachment', 'evidence')),
    media_type text not null,
    name text,
    salt bytea not null,
    body bytea not null,
    kept_at timestamptz not null default now()
);

create index case_files_dispute_idx on case_files (dispute);

grant select, insert, delete on disputes, dispute_rulings, adjustments to studledger_app;
grant select, insert, delete on case_files to studledger_app;
