-- name: find_hands
-- Hands by what they were, newest first, going on after the last one seen.
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
 where (%(hand)s::uuid is null or h.hand = %(hand)s)
   and (%(number)s::text is null or h.number = %(number)s)
   and (%(table)s::text is null or %(table)s in (h.table_name, h.table_id))
   and (%(game)s::text is null or h.game = %(game)s)
   and (%(from_day)s::date is null or h.day >= %(from_day)s)
   and (%(to_day)s::date is null or h.day <= %(to_day)s)
   and (%(since)s::timestamptz is null or h.happened_at >= %(since)s)
   and (%(until)s::timestamptz is null or h.happened_at < %(until)s)
   and (%(small_bet)s::numeric is null
        or (h.small_bet = %(small_bet)s * 10::numeric ^ h.exponent
            and h.big_bet = %(big_bet)s * 10::numeric ^ h.exponent))
   and (%(disputed)s::boolean is null
        or exists (select from disputes d where d.hand = h.hand) = %(disputed)s)
   and (%(min_pot)s::numeric is null or h.pot >= %(min_pot)s * 10::numeric ^ h.exponent)
   and (%(findings)s::boolean is null or (coalesce(v.findings, 0) > 0) = %(findings)s)
   and (%(players)s::text[] is null
        or exists (select from hand_players p
                    where p.hand = h.hand and p.player = any(%(players)s)))
   and (%(before)s::timestamptz is null
        or (h.happened_at, h.hand) < (%(before)s, %(before_hand)s::uuid))
 order by h.happened_at desc, h.hand desc
 limit %(limit)s;
