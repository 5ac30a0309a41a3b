-- Hands that a projection could not fold or store: none of their rows are in its tables, every
-- other hand goes on, and a rebuild tries them again. The reason is the kind of the error and
-- never its text, which may hold what is in the hand.

create table projection_set_aside (
    projection text not null,
    hand uuid not null,
    -- The last event the projection was to take in of it when it could not.
    position bigint not null,
    reason text not null,
    primary key (projection, hand)
);

create index projection_set_aside_hand_idx on projection_set_aside (hand);

grant select, insert, update, delete on projection_set_aside to studledger_app;
