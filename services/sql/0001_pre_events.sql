-- The log of one room. The first five columns are the eventsourcing library's own, under its
-- names, so that its stock recorder can read this table too; the others are the envelope.

create table events (
    originator_id uuid not null,
    originator_version bigint not null check (originator_version > 0),
    topic text not null,
    state bytea not null,
    notification_id bigint generated always as identity,
    recorded_at timestamptz not null default clock_timestamp(),
    actor text not null default current_user,
    request_id text,
    causation text,
    command_id uuid,
    primary key (originator_id, originator_version)
);

create unique index events_notification_id_idx on events (notification_id);

-- Which events a command has already become: how a retry is told from a new command.
create table commands (
    originator_id uuid not null,
    command_id uuid not null,
    first_version bigint not null,
    last_version bigint not null,
    primary key (originator_id, command_id)
);

grant select, insert on events, commands to studledger_app;

-- Append several streams' events in one commit, each stream judged by itself:
--   ok         its version was as expected, its events are stored at `positions`
--   stale      somebody else was faster, nothing of it is stored
--   duplicate  this command was stored before, at `positions`
-- `version` is the length of the stream afterwards. The lock makes positions follow the order of
-- commits, so that a reader who has seen position N never misses a smaller one. A stream may
-- occur once in a call. `hands` says for each event which stream it belongs to, counted from 1.
create function append_events(
    streams uuid[], expected bigint[], command_ids uuid[],
    actors text[], request_ids text[], causations text[],
    hands bigint[], versions bigint[], topics text[], states bytea[]
) returns table (status text, version bigint, positions bigint[])
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    recorded timestamptz;
    statuses text[];
    lengths bigint[];
begin
    perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.events', 0));
    recorded := clock_timestamp();

    select array_agg(
               case when c.command_id is not null then 'duplicate'
                    when l.length = a.expected then 'ok'
                    else 'stale' end
               order by a.hand),
           array_agg(l.length order by a.hand)
      into statuses, lengths
      from unnest(streams, expected, command_ids)
           with ordinality as a (stream, expected, command_id, hand)
      cross join lateral (
          select coalesce(max(e.originator_version), 0) as length
            from events e where e.originator_id = a.stream) as l
      left join commands c on c.originator_id = a.stream and c.command_id = a.command_id;

    if 'ok' = any (statuses) then
        insert into events (originator_id, originator_version, topic, state,
                            recorded_at, actor, request_id, causation, command_id)
        select a.stream, e.version, e.topic, e.state,
               recorded, a.actor, a.request_id, a.causation, a.command_id
          from unnest(hands, versions, topics, states)
               with ordinality as e (hand, version, topic, state, place)
          join unnest(streams, actors, request_ids, causations, command_ids, statuses)
               with ordinality as a (stream, actor, request_id, causation, command_id, status, hand)
               using (hand)
         where a.status = 'ok'
         order by e.place;

        insert into commands (originator_id, command_id, first_version, last_version)
        select a.stream, a.command_id, min(e.version), max(e.version)
          from unnest(streams, command_ids, statuses)
               with ordinality as a (stream, command_id, status, hand)
          join unnest(hands, versions) as e (hand, version) using (hand)
         where a.status = 'ok' and a.command_id is not null
         group by a.stream, a.command_id;

        perform pg_notify('studledger_' || current_schema(), '');
    end if;

    return query
    select a.status,
           case a.status when 'ok' then coalesce(own.last, a.length) else a.length end,
           array(select e.notification_id from events e
                  where e.originator_id = a.stream
                    and e.originator_version between coalesce(c.first_version, own.first)
                                                 and coalesce(c.last_version, own.last)
                    and a.status <> 'stale'
                  order by e.originator_version)
      from unnest(streams, command_ids, statuses, lengths)
           with ordinality as a (stream, command_id, status, length, hand)
      left join (select e.hand, min(e.version) as first, max(e.version) as last
                   from unnest(hands, versions) as e (hand, version) group by e.hand) as own
           using (hand)
      left join commands c on c.originator_id = a.stream and c.command_id = a.command_id
     order by hand;
end
$$;

revoke all on function append_events from public;
grant execute on function append_events to studledger_app;
