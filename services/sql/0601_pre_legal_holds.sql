-- Where in the log cases were put on hold: few among millions, looked for before anything is erased.

create index events_holds_idx on events (originator_id)
    where topic in ('legal_hold_set.v1', 'legal_hold_lifted.v1');
