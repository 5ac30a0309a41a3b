-- name: find_hands
-- Hands by what they were, newest first, going on after the last one seen. A line that ends with
-- `-- if NAME` is there only where NAME is asked for, so that each question has a plan of its own.
select h.hand, h.number, h.site, h.game, h.table_name as "table", h.small_bet, h.big_bet,
       h.money_kind, h.currency, h.exponent, h.played_at, h.happened_at, h.players, h.pot, h.rake,
       h.status, v.verdict, coalesce(v.findings, 0) as findings,
       h.conflicting or exists (
           select from hands o
            where o.number = h.number and o.site = h.site and o.money_kind = h.money_kind
              and o.conflicting) as conflicting,
       exists (select from disputes d where d.hand = h.hand) as disputed
  from hands h
  left join verdicts v using (hand)
 where true
   and h.hand = %(hand)s::uuid -- if hand
   and h.number = %(number)s -- if number
   and %(table)s in (h.table_name, h.table_id) -- if table
   and h.game = %(game)s -- if game
   and h.day >= %(from_day)s -- if from_day
   and h.day <= %(to_day)s -- if to_day
   and h.happened_at >= %(since)s -- if since
   and h.happened_at < %(until)s -- if until
   and h.small_bet = any(%(small_bets)s::bigint[]) and h.big_bet = any(%(big_bets)s::bigint[]) -- if stakes
   -- As a choice, because an equation would be taken for one that hardly any hand fulfils.
   and case when h.small_bet = (%(small_bets)s::bigint[])[h.exponent + 1] then true end -- if stakes
   and h.pot >= (%(min_pots)s::bigint[])[h.exponent + 1] -- if min_pot
   and exists (select from verdicts f where f.hand = h.hand and f.findings > 0) -- if with_findings
   and coalesce(v.findings, 0) = 0 -- if without_findings
   and exists (select from disputes d where d.hand = h.hand) -- if with_case
   and not exists (select from disputes d where d.hand = h.hand) -- if without_case
   and exists (select from hand_players p -- if players
                where p.hand = h.hand and p.player = any(%(players)s)) -- if players
   and (h.happened_at, h.hand) < (%(before)s, %(before_hand)s::uuid) -- if before
 order by h.happened_at desc, h.hand desc
 limit %(limit)s;
