-- Who looks after the file right now: one runner at a time, across processes. It renews `until` while it works, so that
-- what a killed one held runs out by itself.
CREATE TABLE lease (
    name   TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    since  INTEGER NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every maintenance: a round, and one run for each of its jobs.
CREATE TABLE round (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    whole      INTEGER NOT NULL,  -- every job of the night, not a choice of them
    outcome    TEXT NOT NULL DEFAULT 'running' CHECK (outcome IN ('running', 'done', 'failed', 'stopped'))
) STRICT;

CREATE TABLE run (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    round_id   INTEGER NOT NULL REFERENCES round(id) ON DELETE CASCADE,
    job        TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    outcome    TEXT NOT NULL DEFAULT 'running'
        CHECK (outcome IN ('running', 'done', 'skipped', 'failed', 'stopped')),
    counts     TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(counts)),
    why        TEXT
) STRICT;

CREATE INDEX run_by_round ON run (round_id);
