-- Where in the log it stands who saw what, who had which key, and what was erased or held: few among
-- millions, told in the order they happened.

create index events_access_idx on events (notification_id)
    where topic in (
        'cards_seen.v1', 'key_issued.v1', 'key_revoked.v1',
        'player_erased.v1', 'player_told.v1', 'hold_set.v1', 'hold_released.v1',
        'retention_applied.v1'
    );

-- An erased text leaves its digest behind: that it was here, and that it comes again.

alter table texts add column erased_at timestamptz;
