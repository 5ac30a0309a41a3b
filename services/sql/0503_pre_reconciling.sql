-- An operator's own figures, for as long as they are compared with ours: whoever compares takes all
-- of it back in the end, so nobody else ever sees a row and nothing needs to survive a crash.

create unlogged table operator_lines (
    line bigint not null,
    hand uuid,
    number text,
    site text,
    rake numeric not null,
    pot numeric,
    currency text
);

-- Which hand each line is of, if only one is called like that.
create unlogged table operator_hands (
    line bigint not null,
    rake numeric not null,
    pot numeric,
    currency text,
    number text,
    hand uuid,
    candidates bigint,
    called text not null,
    nth bigint not null,
    first_line bigint not null
);

create index operator_hands_hand_idx on operator_hands (hand);

grant select, insert on operator_lines, operator_hands to studledger_app;
