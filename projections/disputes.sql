-- name: find_disputes
-- The register: latest complaint first, going on after the last one seen.
select id, hand, step, category, complainant, channel, status, submitted_at, opened_at,
       acknowledged_at, due_at, answered_at, closed_at, on_hold, rulings, ruling, stage,
       proposed_by, approved_by, version, position
  from disputes
 where (%(status)s::text is null or status = %(status)s)
   and (%(category)s::text is null or category = %(category)s)
   and (%(hand)s::uuid is null or hand = %(hand)s)
   and (%(first)s::date is null or submitted_at >= (%(first)s::date)::timestamp at time zone 'UTC')
   and (%(last)s::date is null
        or submitted_at < (%(last)s::date + 1)::timestamp at time zone 'UTC')
   and (not %(overdue)s or (answered_at is null and closed_at is null and due_at < %(now)s))
   and (%(after_at)s::timestamptz is null
        or (submitted_at, id) < (%(after_at)s::timestamptz, %(after_id)s::uuid))
 order by submitted_at desc, id desc
 limit %(limit)s;

-- name: rulings_of_hands
-- Approved rulings that say they moved something in these hands.
select hand, ruling, dispute, kind, moves, rake from dispute_rulings
 where hand = any(%(hands)s) and stage = 'approved' and kind in ('void', 'corrected_award');
