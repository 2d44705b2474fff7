-- The words of nodes that are out of use, several of a session packed together: see store/archive.py for the bytes.
-- The row of such a node stays (ids, times, worth, links), so that everything about it can still be told.
CREATE TABLE archive_block (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER REFERENCES session(id) ON DELETE SET NULL,
    size       INTEGER NOT NULL,  -- bytes before packing: a block that is full takes no more
    data       BLOB NOT NULL
) STRICT;

CREATE INDEX archive_block_by_session ON archive_block (session_id, id);

CREATE TABLE archived (
    node_id  INTEGER PRIMARY KEY REFERENCES node(id) ON DELETE CASCADE,
    block_id INTEGER NOT NULL REFERENCES archive_block(id),
    length   INTEGER NOT NULL,  -- characters said, for those who weigh a text by it
    state_at INTEGER NOT NULL,  -- as it stood before, for who takes it out again
    reason   TEXT NOT NULL
) STRICT;

CREATE INDEX archived_by_block ON archived (block_id);

-- Full text of the archive alone. It stores no text; secure-delete takes the words of what is erased out of its pages.
CREATE VIRTUAL TABLE archive_fts USING fts5 (
    text,
    speaker,
    tags,
    content = '',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
INSERT INTO archive_fts (archive_fts, rank) VALUES ('secure-delete', 1);

-- How many are there, without counting them at every question.
INSERT INTO counter VALUES ('archived', 0);
CREATE TRIGGER archived_more AFTER INSERT ON archived BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'archived';
END;
CREATE TRIGGER archived_less AFTER DELETE ON archived BEGIN
    UPDATE counter SET value = value - 1 WHERE name = 'archived';
END;

-- Where a nightly job left off, and what the clock said. Lost, and it starts over.
CREATE TABLE bookmark (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

-- Traces of tasks, by age (Loki).
CREATE INDEX node_trace ON node (event_at)
    WHERE kind = 'episode' AND state = 'live' AND (task_id IS NOT NULL OR attributes ->> 'goal' IS NOT NULL);

-- Entities that a person wrote by hand say so ('told') and are never cleaned up. Of those that are here already nobody
-- knows, so they all are.
INSERT INTO entity_change (entity_id, at, verb)
SELECT id, created_at, 'told'
FROM entity;
