-- name: keep
copy operator_lines (line, hand, number, site, rake, pot, currency) from stdin;

-- name: ready
-- Which hand each line is of: by its id, or by number (and site) where only one hand has it.
-- Of several lines of one hand the first counts.
insert into operator_hands
with candidates as (
    select t.line, h.hand from operator_lines t join hands h using (hand)
    union all
    select t.line, h.hand
      from operator_lines t join hands h on h.number = t.number and (t.site is null or t.site = h.site)
     where t.hand is null
),
met as (
    select line, count(*) as candidates, case when count(*) = 1 then min(hand::text)::uuid end as hand
      from candidates group by line
),
known as (
    select t.line, t.rake, t.pot, t.currency, t.number, m.hand, m.candidates,
           coalesce(m.hand::text, concat_ws('/', t.site, t.number, t.hand::text)) as called
      from operator_lines t left join met m using (line)
)
select *, row_number() over same as nth, min(line) over same as first_line
  from known
window same as (partition by called order by line);

-- name: span
-- The days the lines speak of, where nobody says which.
select min(h.day), max(h.day) from operator_hands m join hands h using (hand);

-- name: differences
select * from (
    select k.kind, m.line, m.first_line, h.hand, coalesce(h.number, m.number) as number,
           m.rake::text as their_rake, m.pot::text as their_pot, m.currency as their_currency,
           h.rake, h.pot, h.currency, h.exponent, h.status, h.money_kind
      from operator_hands m left join hands h using (hand)
      cross join lateral unnest(
          case when m.nth > 1 then array['duplicate_line']
               when m.candidates > 1 then array['ambiguous']
               when m.hand is null then array['missing_here']
               when h.money_kind <> 'real' or h.status = 'in_progress' then array['not_raked_here']
               when upper(m.currency) <> upper(h.currency) then array['currency_differs']
               else array[
                   case when m.rake * 10::numeric ^ h.exponent <> h.rake then 'rake_differs' end,
                   -- Nothing of a void hand's pot stands.
                   case when m.pot * 10::numeric ^ h.exponent <> h.pot and h.status <> 'voided'
                        then 'pot_differs' end]
          end) as k (kind)
     where k.kind is not null
    union all
    select 'missing_there', null, null, h.hand, h.number, null, null, null,
           h.rake, h.pot, h.currency, h.exponent, h.status, h.money_kind
      from hands h
     where h.money_kind = 'real' and h.status = 'completed'
       and h.day between %(from_day)s::date and %(to_day)s::date
       and not exists (select from operator_hands m where m.hand = h.hand)
) as found
 order by line nulls last, number, hand, kind;

-- name: compared
select count(distinct hand) from operator_hands where hand is not null;
