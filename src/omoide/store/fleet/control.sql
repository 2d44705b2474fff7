-- Spaces, servers and tokens of a fleet. The twins of the tables of a memory are made from its migrations.
CREATE SCHEMA IF NOT EXISTS omoide;

CREATE TABLE IF NOT EXISTS omoide.format (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    version integer NOT NULL,  -- of this file
    schema  integer NOT NULL   -- the last migration of the twins
);

CREATE TABLE IF NOT EXISTS omoide.server (
    id         text PRIMARY KEY,
    address    text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    draining   boolean NOT NULL DEFAULT false
);

-- A space is written by the server that holds it. Taking it raises the epoch, and each write names its epoch, so that
-- a server that was paused and wakes up too late is refused. All times are of this database: clocks of servers may differ.
CREATE TABLE IF NOT EXISTS omoide.space (
    name        text PRIMARY KEY,
    uid         text NOT NULL UNIQUE,
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    schema      integer NOT NULL DEFAULT 0,
    holder      text,
    address     text,
    epoch       bigint NOT NULL DEFAULT 0,
    expires_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    preferred   text,                         -- the server that should take it next
    sequence    bigint NOT NULL DEFAULT 0,    -- number of the last transaction
    floor       bigint NOT NULL DEFAULT 0,    -- a file below this is not caught up but built anew: something was erased
    last_write  text,                         -- names the last transaction, to look up whether it was kept
    written_at  timestamptz,
    bytes       bigint NOT NULL DEFAULT 0,    -- of the holder's file when it was last measured
    maintenance_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE IF NOT EXISTS omoide.token (
    id      text PRIMARY KEY,
    space   text REFERENCES omoide.space (name) ON DELETE CASCADE,
    "right" text NOT NULL,
    created text NOT NULL,
    expires text,
    note    text NOT NULL DEFAULT '',
    hash    text NOT NULL
);
CREATE INDEX IF NOT EXISTS token_by_space ON omoide.token (space);

-- Keys of deleted rows, for files that are caught up. A key with words is stored as a digest.
CREATE TABLE IF NOT EXISTS omoide.deleted (
    space      text NOT NULL,
    _sequence  bigint NOT NULL,
    table_name text NOT NULL,
    key        text NOT NULL
);
CREATE INDEX IF NOT EXISTS deleted_by_space ON omoide.deleted (space, _sequence);

-- The highest id that each table of a file gave out, so that no id is given out twice.
CREATE TABLE IF NOT EXISTS omoide.highest_id (
    space      text NOT NULL,
    table_name text NOT NULL,
    value      bigint NOT NULL,
    PRIMARY KEY (space, table_name)
);
