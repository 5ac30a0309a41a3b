-- Signing in and out belongs to what is told of access.

drop index events_access_idx;

create index events_access_idx on events (notification_id)
    where topic in (
        'cards_seen.v1', 'key_issued.v1', 'key_revoked.v1', 'signed_in.v1', 'signed_out.v1',
        'player_erased.v1', 'player_told.v1', 'hold_set.v1', 'hold_released.v1',
        'retention_applied.v1'
    );
