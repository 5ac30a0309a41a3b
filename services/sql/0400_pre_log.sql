-- The verifiable log: every event of the room as a leaf of a Merkle tree, in the order of the
-- events and without gaps. All of it is only ever added to. After a restore from an older backup
-- a new epoch begins, with a tree of its own; the old one stays as it was.

create table log_leaves (
    epoch integer not null check (epoch > 0),
    -- From 0, without gaps.
    leaf bigint not null check (leaf >= 0),
    -- Of the event; positions have gaps.
    position bigint not null,
    hash bytea not null check (octet_length(hash) = 32),
    primary key (epoch, leaf)
);

create unique index log_leaves_position_idx on log_leaves (epoch, position);

-- Every complete subtree: node `index` of `level` is over the leaves from index * 2^level on.
create table log_nodes (
    epoch integer not null,
    level smallint not null check (level > 0),
    index bigint not null check (index >= 0),
    hash bytea not null check (octet_length(hash) = 32),
    primary key (epoch, level, index)
);

-- Everything that was ever signed, kept so that nothing is signed that contradicts it.
create table log_checkpoints (
    epoch integer not null,
    size bigint not null check (size > 0),
    root bytea not null check (octet_length(root) = 32),
    note text not null,
    signed_at timestamptz not null default clock_timestamp(),
    primary key (epoch, size)
);

grant select, insert on log_leaves, log_nodes, log_checkpoints to studledger_app;
