-- name: rake_lines
-- Rows of a source added up by what `by` names: one line of a report each. Of each day, month and
-- currency only the `top` lines with the most rake, if that is asked for.
select day, week, month, "table", game, small_bet, big_bet, schedule, player, currency, exponent,
       hands, pot, rake, dealt, contributed, weighted, winner
  from (
    select *, row_number() over (
               partition by day, week, month, currency, exponent
               order by rake desc, "table", game, small_bet, big_bet, schedule, player) as place
      from (
        select case when 'day' = any(%(by)s) then day end as day,
               case when 'week' = any(%(by)s) then to_char(day, 'IYYY-"W"IW') end as week,
               case when 'month' = any(%(by)s) then to_char(day, 'YYYY-MM') end as month,
               case when 'table' = any(%(by)s) then table_name end as "table",
               case when 'game' = any(%(by)s) then game end as game,
               case when 'stakes' = any(%(by)s) then small_bet end as small_bet,
               case when 'stakes' = any(%(by)s) then big_bet end as big_bet,
               case when 'schedule' = any(%(by)s) then schedule end as schedule,
               case when 'player' = any(%(by)s) then nullif(player, '') end as player,
               currency, exponent,
               sum(hands)::bigint as hands, sum(pot)::bigint as pot, sum(rake)::bigint as rake,
               sum(dealt)::bigint as dealt, sum(contributed)::bigint as contributed,
               sum(weighted)::bigint as weighted, sum(winner)::bigint as winner
          from found
         where (%(currency)s::text is null or currency = %(currency)s)
           and (%(schedule)s::text is null or schedule = %(schedule)s)
         group by 1, 2, 3, 4, 5, 6, 7, 8, 9, currency, exponent
        having sum(hands) > 0 or sum(rake) <> 0
      ) as added
  ) as placed
 where %(top)s::bigint is null or place <= %(top)s
 order by day, week, month,
       case when %(top)s::bigint is not null then currency end,
       case when %(top)s::bigint is not null then place end,
       "table", game, small_bet, big_bet, schedule, player, currency, exponent;

-- name: from_table_days
select day, table_name, game, small_bet, big_bet, null as player, currency, exponent,
       hands, pot, rake
  from rake_table_days
 where day between %(from_day)s::date and %(to_day)s::date
   and (%(table)s::text is null or %(table)s in (table_name, table_id))
   and (%(game)s::text is null or game = %(game)s);

-- name: from_table_hours
-- Whole hours make up the days, wherever these begin.
select (%(days)s::date[])[width_bucket(hour, %(starts)s::timestamptz[])] as day,
       table_name, game, small_bet, big_bet, null as player, currency, exponent, hands, pot, rake
  from rake_table_hours
 where hour >= %(since)s::timestamptz and hour < %(until)s::timestamptz
   and (%(table)s::text is null or %(table)s in (table_name, table_id))
   and (%(game)s::text is null or game = %(game)s);

-- name: from_cut_hours
-- Days that begin within an hour: hours that are all of one day, and hand by hand those that are not.
select (%(days)s::date[])[width_bucket(hour, %(starts)s::timestamptz[])] as day,
       table_name, game, small_bet, big_bet, null as player, currency, exponent, hands, pot, rake
  from rake_table_hours
 where hour >= %(since)s::timestamptz and hour < %(until)s::timestamptz
   and not exists (select from unnest(%(cut_hours)s::timestamptz[]) as cut where cut = hour)
   and (%(table)s::text is null or %(table)s in (table_name, table_id))
   and (%(game)s::text is null or game = %(game)s)
union all
select (%(days)s::date[])[width_bucket(happened_at, %(starts)s::timestamptz[])],
       table_name, game, small_bet, big_bet, null, currency, exponent,
       (status = 'completed')::int, case status when 'completed' then pot else 0 end, rake
  from unnest(%(cut_hours)s::timestamptz[]) as cut
  join hands on happened_at >= greatest(cut, %(since)s::timestamptz)
            and happened_at < least(cut + interval '1 hour', %(until)s::timestamptz)
 where money_kind = 'real'
   and (%(table)s::text is null or %(table)s in (table_name, table_id))
   and (%(game)s::text is null or game = %(game)s);

-- name: from_hands
-- Hand by hand: what all sums of tables have to come to. A hand's rake is what the ledger has of it.
select (%(days)s::date[])[width_bucket(happened_at, %(starts)s::timestamptz[])] as day,
       table_name, game, small_bet, big_bet, null as player, currency, exponent,
       (status = 'completed')::int as hands, case status when 'completed' then pot else 0 end as pot,
       rake
  from hands
 where money_kind = 'real'
   and happened_at >= %(since)s::timestamptz and happened_at < %(until)s::timestamptz
   and (%(table)s::text is null or %(table)s in (table_name, table_id))
   and (%(game)s::text is null or game = %(game)s);

-- name: from_player_days
select day, null as table_name, null as game, small_bet, big_bet, player, currency, exponent,
       hands, pot, rake
  from rake_player_days
 where day between %(from_day)s::date and %(to_day)s::date
   and (%(players)s::text[] is null or player = any(%(players)s));

-- name: from_player_months
select month as day, null as table_name, null as game, null::bigint as small_bet,
       null::bigint as big_bet, player, currency, exponent, hands, pot, rake
  from rake_player_months
 where month between %(from_day)s::date and %(to_day)s::date
   and (%(players)s::text[] is null or player = any(%(players)s));

-- name: from_seats
-- Seat by seat: players at some table or game, or on days that do not begin at midnight UTC.
with chosen as not materialized (
    select hand, (%(days)s::date[])[width_bucket(happened_at, %(starts)s::timestamptz[])] as day,
           table_name, game, small_bet, big_bet, currency, exponent, status
      from hands
     where money_kind = 'real'
       and happened_at >= %(since)s::timestamptz and happened_at < %(until)s::timestamptz
       and (%(table)s::text is null or %(table)s in (table_name, table_id))
       and (%(game)s::text is null or game = %(game)s)
       and (%(players)s::text[] is null
            or hand in (select hand from hand_players where player = any(%(players)s)))
)
select c.day, c.table_name, c.game, c.small_bet, c.big_bet, p.player, c.currency, c.exponent,
       1 as hands, p.contributed as pot, 0 as rake
  from chosen c join hand_players p using (hand)
 where c.status = 'completed' and (%(players)s::text[] is null or p.player = any(%(players)s))
union all
select c.day, c.table_name, c.game, c.small_bet, c.big_bet, l.bearer, c.currency, c.exponent,
       0, 0, l.amount
  from chosen c join rake_ledger l using (hand)
 where l.account = 'House:Rake'
   and (%(players)s::text[] is null or l.bearer = any(%(players)s));

-- name: span_of_hands
select min(happened_at), max(happened_at) from hands;

-- name: sum_rake_table_days
-- What a table of sums has to hold: the hands, and what was posted to the house for them.
select h.day, h.table_id, h.table_name, h.game, h.small_bet, h.big_bet, h.currency, h.exponent,
       count(*) filter (where h.status = 'completed')::bigint as hands,
       coalesce(sum(h.pot) filter (where h.status = 'completed'), 0)::bigint as pot,
       coalesce(sum(l.rake), 0)::bigint as rake
  from hands h
  left join (select hand, sum(amount) as rake from rake_ledger
              where account = 'House:Rake' group by hand) as l using (hand)
 where h.money_kind = 'real'
 group by 1, 2, 3, 4, 5, 6, 7, 8;

-- name: sum_rake_table_hours
select date_trunc('hour', h.happened_at, 'UTC') as hour, h.table_id, h.table_name, h.game,
       h.small_bet, h.big_bet, h.currency, h.exponent,
       count(*) filter (where h.status = 'completed')::bigint as hands,
       coalesce(sum(h.pot) filter (where h.status = 'completed'), 0)::bigint as pot,
       coalesce(sum(l.rake), 0)::bigint as rake
  from hands h
  left join (select hand, sum(amount) as rake from rake_ledger
              where account = 'House:Rake' group by hand) as l using (hand)
 where h.money_kind = 'real'
 group by 1, 2, 3, 4, 5, 6, 7, 8;

-- name: sum_rake_player_days
select day, player, small_bet, big_bet, currency, exponent,
       sum(hands)::bigint as hands, sum(pot)::bigint as pot, sum(rake)::bigint as rake
  from (
    select h.day, p.player, h.small_bet, h.big_bet, h.currency, h.exponent,
           1 as hands, p.contributed as pot, 0 as rake
      from hands h join hand_players p using (hand)
     where h.money_kind = 'real' and h.status = 'completed'
    union all
    select h.day, coalesce(l.bearer, ''), h.small_bet, h.big_bet, h.currency, h.exponent,
           0, 0, l.amount
      from hands h join rake_ledger l using (hand)
     where h.money_kind = 'real' and l.account = 'House:Rake'
  ) as parts
 group by 1, 2, 3, 4, 5, 6;

-- name: sum_rake_player_months
select date_trunc('month', day)::date as month, player, currency, exponent,
       sum(hands)::bigint as hands, sum(pot)::bigint as pot, sum(rake)::bigint as rake
  from (
    select h.day, p.player, h.currency, h.exponent, 1 as hands, p.contributed as pot, 0 as rake
      from hands h join hand_players p using (hand)
     where h.money_kind = 'real' and h.status = 'completed'
    union all
    select h.day, coalesce(l.bearer, ''), h.currency, h.exponent, 0, 0, l.amount
      from hands h join rake_ledger l using (hand)
     where h.money_kind = 'real' and l.account = 'House:Rake'
  ) as parts
 group by 1, 2, 3, 4;
