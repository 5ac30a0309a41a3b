-- Rake by the schedule it was taken under, and what each player bears or would bear of it by every
-- method, by the hour. Sums over hands like those of the other rollups.

create table rake_schedule_hours (
    hour timestamptz not null,
    table_id text not null,
    table_name text not null,
    game text not null,
    small_bet bigint not null,
    big_bet bigint not null,
    -- ID:VERSION, or that the rake is as recorded.
    schedule text not null,
    currency text not null,
    exponent smallint not null,
    hands bigint not null check (hands >= 0),
    pot bigint not null,
    rake bigint not null,
    primary key (hour, table_id, game, small_bet, big_bet, schedule, currency, exponent, table_name)
) with (fillfactor = 80);

create table rake_player_shares (
    hour timestamptz not null,
    -- '' where a ruling moved rake without saying whose.
    player text not null,
    table_id text not null,
    table_name text not null,
    game text not null,
    small_bet bigint not null,
    big_bet bigint not null,
    schedule text not null,
    currency text not null,
    exponent smallint not null,
    hands bigint not null check (hands >= 0),
    pot bigint not null,
    rake bigint not null,
    dealt bigint not null,
    contributed bigint not null,
    weighted bigint not null,
    winner bigint not null,
    primary key (player, hour, table_id, game, small_bet, big_bet, schedule, currency, exponent,
                 table_name)
) with (fillfactor = 80);

create index rake_player_shares_hour_idx on rake_player_shares (hour);

grant select, insert, update, delete on rake_schedule_hours, rake_player_shares to studledger_app;
