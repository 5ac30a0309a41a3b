-- Rake added up by day, hour and month. Each row is a sum over hands, kept up with the ledger by
-- the runner; a row that comes to nothing is taken out. Only amounts ever change and no index
-- holds one, so the room left in each page lets a change stay within it.

create table rake_table_days (
    day date not null,
    table_id text not null,
    table_name text not null,
    game text not null,
    small_bet bigint not null,
    big_bet bigint not null,
    currency text not null,
    exponent smallint not null,
    hands bigint not null check (hands >= 0),
    pot bigint not null,
    rake bigint not null,
    primary key (day, table_id, game, small_bet, big_bet, currency, exponent, table_name)
) with (fillfactor = 80);

create table rake_table_hours (
    hour timestamptz not null,
    table_id text not null,
    table_name text not null,
    game text not null,
    small_bet bigint not null,
    big_bet bigint not null,
    currency text not null,
    exponent smallint not null,
    hands bigint not null check (hands >= 0),
    pot bigint not null,
    rake bigint not null,
    primary key (hour, table_id, game, small_bet, big_bet, currency, exponent, table_name)
) with (fillfactor = 80);

-- A player's rows lie together: his report reads his days, whoever else plays.
create table rake_player_days (
    day date not null,
    -- '' where a ruling moved rake without saying whose.
    player text not null,
    small_bet bigint not null,
    big_bet bigint not null,
    currency text not null,
    exponent smallint not null,
    hands bigint not null check (hands >= 0),
    pot bigint not null,
    rake bigint not null,
    primary key (player, day, small_bet, big_bet, currency, exponent)
) with (fillfactor = 80);

create index rake_player_days_day_idx on rake_player_days (day);

create table rake_player_months (
    month date not null,
    player text not null,
    currency text not null,
    exponent smallint not null,
    hands bigint not null check (hands >= 0),
    pot bigint not null,
    rake bigint not null,
    primary key (player, month, currency, exponent)
) with (fillfactor = 80);

create index rake_player_months_month_idx on rake_player_months (month);

grant select, insert, update, delete on
    rake_table_days, rake_table_hours, rake_player_days, rake_player_months to studledger_app;
