-- When somebody last kept the clocks of live hands, and the outages in which nobody did.

create table live_beats (
    -- One row for the room.
    here boolean primary key default true check (here),
    beat_at timestamptz not null
);

create table live_outages (
    id uuid primary key default gen_random_uuid(),
    -- From the last sign of life to the next one.
    began_at timestamptz not null,
    ended_at timestamptz not null,
    policy text not null check (policy in ('extend', 'void')),
    -- When every hand that was being played had been dealt with; null until then.
    settled_at timestamptz,
    check (began_at < ended_at)
);

create index live_outages_open_idx on live_outages (ended_at) where settled_at is null;

grant select, insert on live_beats, live_outages to studledger_app;
grant update (beat_at) on live_beats to studledger_app;
grant update (settled_at) on live_outages to studledger_app;
