-- Traces of tasks. The trace itself is an episode from the moment the task begins; what is here is about it:
-- whether it goes on and who is at it, and, once it is over, where it stands among those that are.
CREATE TABLE task (
    node_id    INTEGER PRIMARY KEY REFERENCES node(id) ON DELETE CASCADE,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,  -- when something was last heard of it
    process    TEXT CHECK (process IS NULL OR json_valid(process)),  -- who holds it; none: whoever knows its id
    number     INTEGER,           -- given in order when it ends: learning goes by it, since clocks may disagree
    cluster    INTEGER            -- the first of the traces that it is like; none: not learned from yet
) STRICT;

CREATE UNIQUE INDEX task_by_number ON task (number) WHERE number IS NOT NULL;
CREATE INDEX task_open ON task (seen_at) WHERE number IS NULL;
CREATE INDEX task_unlearned ON task (number) WHERE number IS NOT NULL AND cluster IS NULL;
CREATE INDEX task_by_cluster ON task (cluster) WHERE cluster IS NOT NULL;

-- What happened in a task that goes on, as it happens. Folded into its episode when the task ends.
CREATE TABLE task_entry (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES task(node_id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    what    TEXT NOT NULL CHECK (what IN ('action', 'error', 'artifact', 'file')),
    body    TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

CREATE INDEX task_entry_by_task ON task_entry (task_id, id);

-- What a task was told before or while it was done, the first at place 1, and which of it it says that it used.
CREATE TABLE handed_out (
    task_id INTEGER NOT NULL REFERENCES task(node_id) ON DELETE CASCADE,
    node_id INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    place   INTEGER NOT NULL CHECK (place > 0),
    used    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (task_id, node_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX handed_out_by_node ON handed_out (node_id);

-- How tasks ended that were told a memory: counts, less for what stood lower.
CREATE TABLE credit (
    node_id    INTEGER PRIMARY KEY REFERENCES node(id) ON DELETE CASCADE,
    succeeded  REAL NOT NULL DEFAULT 0,
    failed     REAL NOT NULL DEFAULT 0,
    tasks      INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL
) STRICT;

-- What ended so: of all turns only few have an outcome, and a briefing asks for successes and failures apart.
CREATE INDEX node_by_outcome ON node (attributes ->> 'outcome', event_at) WHERE attributes ->> 'outcome' IS NOT NULL;
