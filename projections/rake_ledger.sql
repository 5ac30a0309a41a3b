-- name: rake_by_hands
-- Raked hands, what was matched in them and what the house's account took, by what `by` names.
with taken as (
    select hand, sum(amount) as rake from rake_ledger
     where account = 'House:Rake' and money_kind = 'real'
       and (%(from_day)s::date is null or day >= %(from_day)s)
       and (%(to_day)s::date is null or day <= %(to_day)s)
     group by hand
)
select case when 'day' = any(%(by)s) then h.day end as day,
       case when 'table' = any(%(by)s) then h.table_name end as "table",
       case when 'game' = any(%(by)s) then h.game end as game,
       case when 'stakes' = any(%(by)s) then h.small_bet end as small_bet,
       case when 'stakes' = any(%(by)s) then h.big_bet end as big_bet,
       null as player, h.currency, h.exponent,
       count(*) filter (where h.status = 'completed') as hands,
       coalesce(sum(h.pot) filter (where h.status = 'completed'), 0)::bigint as pot,
       coalesce(sum(t.rake), 0)::bigint as rake
  from hands h
  left join taken t using (hand)
 where h.money_kind = 'real'
   and (%(from_day)s::date is null or h.day >= %(from_day)s)
   and (%(to_day)s::date is null or h.day <= %(to_day)s)
 group by 1, 2, 3, 4, 5, h.currency, h.exponent
having count(*) filter (where h.status = 'completed') > 0 or sum(t.rake) <> 0
 order by 1, 2, 3, 4, 5, 7, 8;

-- name: rake_by_players
-- The same by who bears it: hands he was dealt in, what he put in, what he bears of the rake.
-- Rake that a ruling moved is nobody's, a line of its own without a player.
with borne as (
    select hand, bearer as player, sum(amount) as rake from rake_ledger
     where account = 'House:Rake' and money_kind = 'real'
       and (%(from_day)s::date is null or day >= %(from_day)s)
       and (%(to_day)s::date is null or day <= %(to_day)s)
     group by hand, bearer
),
parts as (
    select p.hand, p.player, true as dealt_in, p.contributed, coalesce(b.rake, 0) as rake
      from hand_players p left join borne b using (hand, player)
    union all
    select hand, null, false, 0, rake from borne where player is null
)
select case when 'day' = any(%(by)s) then h.day end as day,
       case when 'table' = any(%(by)s) then h.table_name end as "table",
       case when 'game' = any(%(by)s) then h.game end as game,
       case when 'stakes' = any(%(by)s) then h.small_bet end as small_bet,
       case when 'stakes' = any(%(by)s) then h.big_bet end as big_bet,
       p.player, h.currency, h.exponent,
       count(*) filter (where p.dealt_in and h.status = 'completed') as hands,
       coalesce(sum(p.contributed) filter (where h.status = 'completed'), 0)::bigint as pot,
       sum(p.rake)::bigint as rake
  from hands h
  join parts p using (hand)
 where h.money_kind = 'real'
   and (%(from_day)s::date is null or h.day >= %(from_day)s)
   and (%(to_day)s::date is null or h.day <= %(to_day)s)
 group by 1, 2, 3, 4, 5, p.player, h.currency, h.exponent
having count(*) filter (where p.dealt_in and h.status = 'completed') > 0 or sum(p.rake) <> 0
 order by 1, 2, 3, 4, 5, 6, 7, 8;

-- name: postings_of_hand
-- The books of one hand, entry by entry.
select step, line, account, amount, memo, bearer, day, currency, exponent
  from rake_ledger where hand = %(hand)s order by step, line;
