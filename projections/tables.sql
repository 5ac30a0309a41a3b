-- name: find_tables
-- Open tables first, each by name, going on after the last one seen.
select id, name, game, site, small_bet, big_bet, ante, bring_in, money_kind, currency, exponent,
       house_rules, max_seats, seats, hand, hands, is_open, opened_at, closed_at, version, position
  from tables
 where (%(is_open)s::boolean is null or is_open = %(is_open)s)
   and (%(game)s::text is null or game = %(game)s)
   and (%(called)s::text is null or %(called)s in (name, id::text))
   and (%(after_id)s::uuid is null
        or (not is_open, name, id) > (not %(after_open)s::boolean, %(after_name)s, %(after_id)s))
 order by (not is_open), name, id
 limit %(limit)s;
