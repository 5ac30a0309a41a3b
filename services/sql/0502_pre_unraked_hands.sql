-- Hands for real money that bear no rake whatever is in their pots: what another schedule would
-- have taken depends on it. They are few, so the others are not written down.

create table unraked_hands (
    hand uuid primary key
);

grant select, insert, update, delete on unraked_hands to studledger_app;

-- The projection they belong to takes in the log once more.
delete from projection_positions where name = 'rake_shares';
truncate rake_schedule_hours, rake_player_shares;
