-- Lessons that are bound to what an agent is about to do, or to an error it has just met. All that is given of tool,
-- path, command and error must hold; `key` is what the lookup goes by, made from the most telling of them.
CREATE TABLE binding (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    node_id    INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    tool       TEXT NOT NULL DEFAULT '',  -- '' is none, here and below
    path       TEXT NOT NULL DEFAULT '',
    command    TEXT NOT NULL DEFAULT '',
    error      TEXT NOT NULL DEFAULT '',
    key        TEXT NOT NULL,
    weight     INTEGER NOT NULL,  -- how specific it is: the most specific is told first
    created_at INTEGER NOT NULL,
    UNIQUE (node_id, tool, path, command, error),
    CHECK (tool || path || command || error <> '')
) STRICT;

CREATE INDEX binding_by_key ON binding (key);

-- The node by which a ledger is found in a search, what a ledger of another program has besides, and every checkpoint.
ALTER TABLE ledger ADD COLUMN node_id INTEGER REFERENCES node(id) ON DELETE SET NULL;
ALTER TABLE ledger ADD COLUMN details TEXT CHECK (details IS NULL OR json_valid(details));

CREATE TABLE checkpoint (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_id        TEXT NOT NULL REFERENCES ledger(agent_id) ON DELETE CASCADE,
    at              INTEGER NOT NULL,
    tasks_completed INTEGER NOT NULL,
    current_task    TEXT NOT NULL DEFAULT '',
    state           TEXT NOT NULL CHECK (json_valid(state)),
    context         TEXT NOT NULL CHECK (json_valid(context))
) STRICT;

CREATE INDEX checkpoint_by_agent ON checkpoint (agent_id, id);

CREATE INDEX handoff_open ON node (event_at) WHERE kind = 'handoff' AND attributes ->> 'accepted_at' IS NULL;
CREATE INDEX skill_by_name ON node (attributes ->> 'name') WHERE kind = 'skill' AND state = 'live';

-- What a folder of another program holds besides memories, so that it can be written again as it was.
CREATE TABLE foreign_file (
    path TEXT PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
