-- Where in the log schedules are published: a handful among millions, looked for whenever a room
-- opens. An index of nothing else costs every other fact nothing.

create index events_schedules_idx on events (notification_id)
    where topic = 'schedule_published.v1';
