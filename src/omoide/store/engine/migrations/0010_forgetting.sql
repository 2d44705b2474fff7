-- What was erased on request: which ids, when, and how it went. No word of what was erased stands in any of these.

CREATE TABLE erasure (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    finished_at INTEGER,          -- NULL: the rows are gone, but their bytes may still lie in free pages or in the log
    receipt     TEXT NOT NULL CHECK (json_valid(receipt))
) STRICT;

CREATE INDEX erasure_pending ON erasure (id) WHERE finished_at IS NULL;

CREATE TABLE erased (
    node_id    INTEGER PRIMARY KEY,
    erasure_id INTEGER NOT NULL REFERENCES erasure(id)
) STRICT;

CREATE INDEX erased_by_erasure ON erased (erasure_id);

-- Keyed digests of what must not come back, by import or by learning. The key is made by the first erasure of a file.
CREATE TABLE tombstone (
    digest  BLOB PRIMARY KEY,
    node_id INTEGER NOT NULL,     -- what was erased
    at      INTEGER NOT NULL,     -- what is said after it is said anew
    upto_id INTEGER NOT NULL      -- the highest id that was given by then
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
) STRICT;

-- Copies of the file or of its contents that Omoide made: erasing here does not reach them, so they are named.
CREATE TABLE copy (
    id      INTEGER PRIMARY KEY,
    path    TEXT NOT NULL UNIQUE,
    kind    TEXT NOT NULL CHECK (kind IN ('backup', 'export', 'migration')),
    made_at INTEGER NOT NULL
) STRICT;
