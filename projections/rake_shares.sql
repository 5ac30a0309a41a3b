-- name: from_schedule_hours
select (%(days)s::date[])[width_bucket(hour, %(starts)s::timestamptz[])] as day,
       table_name, game, small_bet, big_bet, schedule, null as player, currency, exponent,
       hands, pot, rake,
       null::bigint as dealt, null::bigint as contributed, null::bigint as weighted,
       null::bigint as winner
  from rake_schedule_hours
 where hour >= %(since)s::timestamptz and hour < %(until)s::timestamptz
   and (%(table)s::text is null or %(table)s in (table_name, table_id))
   and (%(game)s::text is null or game = %(game)s);

-- name: from_player_shares
select (%(days)s::date[])[width_bucket(hour, %(starts)s::timestamptz[])] as day,
       table_name, game, small_bet, big_bet, schedule, player, currency, exponent,
       hands, pot, rake, dealt, contributed, weighted, winner
  from rake_player_shares
 where hour >= %(since)s::timestamptz and hour < %(until)s::timestamptz
   and (%(table)s::text is null or %(table)s in (table_name, table_id))
   and (%(game)s::text is null or game = %(game)s)
   and (%(players)s::text[] is null or player = any(%(players)s));

-- name: plain
-- A source that knows neither schedules nor other methods, with the columns of those that do.
select day, table_name, game, small_bet, big_bet, null as schedule, player, currency, exponent,
       hands, pot, rake,
       null::bigint as dealt, null::bigint as contributed, null::bigint as weighted,
       null::bigint as winner
  from (
%b
  ) as known;

-- name: schedules_used
select distinct schedule from rake_schedule_hours order by 1;

-- name: currencies_used
select distinct currency from rake_table_days order by 1;

-- name: unlike_rake_schedule_hours
-- Whether the same hands are added up otherwise where schedules are not told apart.
with added_up as (
    select hour, table_id, table_name, game, small_bet, big_bet, currency, exponent,
           sum(hands)::bigint, sum(pot)::bigint, sum(rake)::bigint
      from rake_schedule_hours group by 1, 2, 3, 4, 5, 6, 7, 8
    having sum(hands) <> 0 or sum(pot) <> 0 or sum(rake) <> 0
)
select exists (table added_up except all table rake_table_hours)
    or exists (table rake_table_hours except all table added_up);

-- name: unlike_rake_player_shares
-- Whether they are where tables are not, or a method spreads more or less than was taken.
with added_up as (
    select (hour at time zone 'UTC')::date, player, small_bet, big_bet, currency, exponent,
           sum(hands)::bigint, sum(pot)::bigint, sum(rake)::bigint
      from rake_player_shares group by 1, 2, 3, 4, 5, 6
    having sum(hands) <> 0 or sum(pot) <> 0 or sum(rake) <> 0
)
select exists (table added_up except all table rake_player_days)
    or exists (table rake_player_days except all table added_up)
    or exists (
        select from rake_player_shares
         group by hour, table_id, table_name, game, small_bet, big_bet, schedule, currency, exponent
        having sum(dealt) <> sum(rake) or sum(contributed) <> sum(rake)
            or sum(weighted) <> sum(rake) or sum(winner) <> sum(rake));

-- name: to_rate
-- Finished hands by all that a schedule asks of them: how many are alike, and what was taken.
select h.small_bet, h.big_bet, h.players, h.currency, h.exponent, h.pot, h.rake,
       u.hand is null as due, count(*) as hands
  from hands h left join unraked_hands u using (hand)
 where h.money_kind = 'real' and h.status = 'completed'
   and h.day between %(from_day)s::date and %(to_day)s::date
   and h.happened_at >= %(since)s::timestamptz and h.happened_at < %(until)s::timestamptz
 group by 1, 2, 3, 4, 5, 6, 7, 8
 order by 4, 5, 1, 2, 3;
