-- name: kinds_of_account
-- Players' accounts of a sort are taken together, and so are pots; the house's stay as they are.
case when account like 'Player:%%:Table' then 'Player:Table'
     when account like 'Player:%%:Adjustment' then 'Player:Adjustment'
     when account like 'Pot:%%' then 'Pot'
     else account end

-- name: balances
-- Every account's balance, those of players and pots taken together.
select {kind} as account, money_kind, currency, exponent, sum(amount)::bigint as balance
  from (
    select account, money_kind, currency, exponent, amount from rake_ledger
    union all
    select account, money_kind, currency, exponent, amount from adjustments
    union all
    select account, money_kind, currency, exponent, amount from table_postings
  ) as posted
 group by 1, 2, 3, 4
 order by 2 desc, 3, 4, 1;

-- name: balances_of_players
-- The accounts of these players; their hands lead to their postings.
select account, money_kind, currency, exponent, sum(amount)::bigint as balance
  from (
    select l.account, l.money_kind, l.currency, l.exponent, l.amount
      from rake_ledger l
     where l.hand in (select hand from hand_players where player = any(%(players)s))
       and l.account = any(%(accounts)s)
    union all
    select account, money_kind, currency, exponent, amount
      from adjustments where account = any(%(accounts)s)
    union all
    select account, money_kind, currency, exponent, amount
      from table_postings where account = any(%(accounts)s)
  ) as own
 group by 1, 2, 3, 4
 order by 2 desc, 3, 4, 1;

-- name: movements
-- What was moved for the hands, rulings and tables of a time, as far as the log went up to a
-- position: the facts of these hands that came later are looked up, the others need not be.
with of_time as materialized (
    select hand, steps from hands
     where happened_at >= %(since)s::timestamptz and happened_at < %(until)s::timestamptz
), later as materialized (
    select e.originator_id as hand, min(e.originator_version) as step
      from of_time h
      join events last on last.originator_id = h.hand and last.originator_version = h.steps
                      and last.notification_id > %(position)s
      join events e on e.originator_id = h.hand and e.notification_id > %(position)s
     group by 1
), moved as (
    select l.account, l.money_kind, l.currency, l.exponent, l.amount
      from of_time h join rake_ledger l using (hand) left join later s using (hand)
     where s.step is null or l.step < s.step
    union all
    select a.account, a.money_kind, a.currency, a.exponent, a.amount
      from of_time h join adjustments a using (hand)
      join events e on e.originator_id = a.ledger and e.originator_version = a.n
     where e.notification_id <= %(position)s
    union all
    select p.account, p.money_kind, p.currency, p.exponent, p.amount
      from table_postings p
      join events e on e.originator_id = p.table_id and e.originator_version = p.n
     where p.happened_at >= %(since)s::timestamptz and p.happened_at < %(until)s::timestamptz
       and e.notification_id <= %(position)s
)
select {kind} as account, money_kind, currency, exponent, sum(amount)::bigint as balance
  from moved group by 1, 2, 3, 4 order by 2 desc, 3, 4, 1;

-- name: late
-- What came into the log after one position, up to another, for a time that was over by then; each
-- with the moment it is of, and the fact it cites.
with facts as materialized (
    select originator_id as stream, originator_version as n from events
     where notification_id > %(previous)s and notification_id <= %(position)s
       and topic = any(%(topics)s)
), moved as (
    select h.happened_at, l.hand as stream, l.step as n, h.hand, h.number, l.memo, l.account,
           l.money_kind, l.currency, l.exponent, l.amount
      from facts f join rake_ledger l on l.hand = f.stream and l.step = f.n
      join hands h on h.hand = l.hand
    union all
    select h.happened_at, a.ledger, a.n, h.hand, h.number, 'ruling', a.account,
           a.money_kind, a.currency, a.exponent, a.amount
      from facts f join adjustments a on a.ledger = f.stream and a.n = f.n
      join hands h on h.hand = a.hand
    union all
    select p.happened_at, p.table_id, p.n, null, null, p.memo, p.account,
           p.money_kind, p.currency, p.exponent, p.amount
      from facts f join table_postings p on p.table_id = f.stream and p.n = f.n
)
select happened_at, stream, n::integer as n, hand, number, memo, account,
       money_kind, currency, exponent, sum(amount)::bigint as amount
  from moved
 where happened_at >= %(since)s::timestamptz and happened_at < %(until)s::timestamptz
 group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
having sum(amount) <> 0
 order by 1, 2, 3, 7;

-- name: in_progress
select hand, number from hands
 where status = 'in_progress'
   and happened_at >= %(since)s::timestamptz and happened_at < %(until)s::timestamptz
 order by happened_at, hand;

-- name: gone_on
-- Hands of a time of which facts came after a position.
select h.hand
  from hands h
  join events last on last.originator_id = h.hand and last.originator_version = h.steps
 where h.happened_at >= %(since)s::timestamptz and h.happened_at < %(until)s::timestamptz
   and last.notification_id > %(position)s;

-- name: raked
-- Rake by table of the hands of a time, but for those that are worked out anew.
select table_id, table_name, game, small_bet, big_bet, currency, exponent,
       count(*) filter (where status = 'completed')::bigint as hands,
       coalesce(sum(pot) filter (where status = 'completed'), 0)::bigint as pot,
       coalesce(sum(rake), 0)::bigint as rake
  from hands
 where money_kind = 'real'
   and happened_at >= %(since)s::timestamptz and happened_at < %(until)s::timestamptz
   and hand <> all(%(gone_on)s)
 group by 1, 2, 3, 4, 5, 6, 7;

-- name: sessions
-- Sessions with what the ledgers of their hands have of the player.
select s.table_id as "table", t.name as table_name, s.n, s.left_n, s.seat, s.player, s.seated_at,
       s.left_at, s.hands, s.bought_in, s.won, s.cashed_out, s.stack, s.in_hand, s.money_kind,
       s.currency, s.exponent, coalesce(l.posted, 0)::bigint as posted
  from table_sessions s join tables t on t.id = s.table_id
  left join lateral (
    select sum(r.amount) as posted
      from table_hands h
      join rake_ledger r on r.hand = h.hand and r.account = 'Player:' || s.player || ':Table'
     where h.table_id = s.table_id and h.step > s.n and (s.left_n is null or h.step < s.left_n)
       and h.hand is distinct from s.in_hand
  ) as l on true
 where (%(called)s::text is null or %(called)s in (t.name, t.id::text))
   and (%(players)s::text[] is null or s.player = any(%(players)s))
   and s.seated_at < %(until)s::timestamptz
   and (s.left_at is null or s.left_at >= %(since)s::timestamptz)
   and (not %(only_wrong)s or s.won <> coalesce(l.posted, 0)
        or s.bought_in + coalesce(l.posted, 0) <> coalesce(s.cashed_out, s.stack))
 order by s.seated_at, s.table_id, s.n
 limit %(limit)s;
