-- Tables have singular names. Times are integer microseconds UTC.
-- Plural names are views for other programs, at the end of this file.

CREATE TABLE entity (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    ulid               TEXT NOT NULL UNIQUE,
    name               TEXT NOT NULL,
    type               TEXT NOT NULL CHECK (type IN
        ('person', 'organization', 'project', 'place', 'concept', 'tool', 'event', 'other')),
    description        TEXT,
    summary            TEXT,
    attributes         TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
    first_seen_at      INTEGER NOT NULL,
    last_referenced_at INTEGER NOT NULL,
    mention_count      INTEGER NOT NULL DEFAULT 1,
    manual_mentions    INTEGER NOT NULL DEFAULT 0,  -- mentions without an episode: the entity was entered by hand
    episode_weight     INTEGER NOT NULL DEFAULT 0,  -- sum of the importance of the episodes that mention it
    importance         INTEGER NOT NULL DEFAULT 5 CHECK (importance BETWEEN 1 AND 10),
    importance_given   INTEGER NOT NULL DEFAULT 0,  -- the importance was set by hand and is not computed
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    UNIQUE (name, type)
) STRICT;

-- Every name and alias of an entity; `key` is the name without case, accents and punctuation.
CREATE TABLE entity_name (
    key        TEXT NOT NULL,
    entity_id  INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    is_alias   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (key, entity_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_name_by_entity ON entity_name (entity_id);

CREATE TABLE session (
    id             INTEGER PRIMARY KEY,
    name           TEXT NOT NULL UNIQUE,
    channel        TEXT,
    user_id        INTEGER REFERENCES entity(id) ON DELETE SET NULL,
    started_at     INTEGER NOT NULL,
    last_at        INTEGER NOT NULL,
    ended_at       INTEGER,
    summary        TEXT,
    summary_of     INTEGER,  -- the number of turns that it was made from; NULL: the caller wrote it
    summary_by     TEXT,     -- "by rules", "by MODEL", or "nothing" where nothing is to be said
    episode_count  INTEGER NOT NULL DEFAULT 0,
    last_node_id   INTEGER,
    first_seen_at  INTEGER NOT NULL,
    learning       TEXT NOT NULL DEFAULT 'open' CHECK (learning IN ('open', 'pending', 'learned')),
    learned_at     INTEGER,
    learned_upto   INTEGER,
    learn_error    TEXT
) STRICT;

CREATE INDEX session_by_time ON session (last_at);
CREATE INDEX session_pending ON session (last_at) WHERE learning = 'pending';
CREATE INDEX session_open ON session (channel) WHERE ended_at IS NULL;

CREATE TABLE node (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    ulid             TEXT NOT NULL UNIQUE,
    kind             TEXT NOT NULL CHECK (kind IN
        ('episode', 'narrative', 'handoff', 'fact', 'opinion', 'note', 'pattern', 'antipattern',
         'procedure', 'preference', 'skill')),
    text             TEXT NOT NULL,
    summary          TEXT,
    details          TEXT CHECK (details IS NULL OR json_valid(details)),
    attributes       TEXT CHECK (attributes IS NULL OR json_valid(attributes)),
    tags             TEXT CHECK (tags IS NULL OR json_valid(tags)),

    event_at         INTEGER NOT NULL,
    recorded_at      INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    valid_from       INTEGER,
    valid_until      INTEGER,
    expires_at       INTEGER,

    importance       INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
    confidence       REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    score            INTEGER NOT NULL DEFAULT 0,
    access_count     INTEGER NOT NULL DEFAULT 0,
    last_accessed_at INTEGER,
    last_hit_at      INTEGER,
    confirmed_at     INTEGER,
    decay_rate       REAL NOT NULL CHECK (decay_rate >= 0),

    origin           TEXT NOT NULL,
    role             TEXT,
    speaker          TEXT,
    source_type      TEXT NOT NULL,
    session_id       INTEGER REFERENCES session(id) ON DELETE SET NULL,
    narrative_id     INTEGER REFERENCES node(id) ON DELETE SET NULL,
    task_id          TEXT,
    token_count      INTEGER NOT NULL DEFAULT 0,

    sensitive        INTEGER NOT NULL DEFAULT 0,
    audience         TEXT NOT NULL DEFAULT 'private' CHECK (audience IN ('private', 'shared')),
    state            TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'superseded', 'archived', 'withdrawn')),
    state_at         INTEGER NOT NULL,
    stays_since      INTEGER,  -- when maintenance decided that this turn must not be archived; NULL: not decided

    content_hash     BLOB NOT NULL,
    key              BLOB,

    -- What the full-text index stores, where it differs from the text (unspaced scripts, NFKC).
    folded_text      TEXT,
    folded_speaker   TEXT,
    folded_tags      TEXT
) STRICT;

CREATE UNIQUE INDEX node_by_key ON node (key) WHERE key IS NOT NULL;
CREATE INDEX node_by_time ON node (event_at);
CREATE INDEX node_by_session ON node (session_id, id) WHERE session_id IS NOT NULL;
CREATE INDEX node_learned ON node (kind, updated_at) WHERE kind <> 'episode';
CREATE INDEX node_expiring ON node (expires_at)
    WHERE state = 'live' AND expires_at IS NOT NULL AND stays_since IS NULL;
CREATE INDEX node_by_narrative ON node (narrative_id) WHERE narrative_id IS NOT NULL;
CREATE INDEX node_by_task ON node (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX fact_by_subject ON node (attributes ->> 'subject', attributes ->> 'predicate') WHERE kind = 'fact';
CREATE INDEX preference_by_name ON node (coalesce(attributes ->> 'category', 'other'), attributes ->> 'name')
    WHERE kind = 'preference' AND state = 'live' AND attributes ->> 'name' IS NOT NULL;
CREATE INDEX statement_by_matter
    ON node (coalesce(attributes ->> 'matter', attributes ->> 'name', attributes ->> 'about'))
    WHERE kind IN ('fact', 'preference', 'opinion', 'procedure') AND state IN ('live', 'archived');
CREATE INDEX node_states_preference ON node (event_at) WHERE attributes ->> 'states_preference' = 1;
-- A cached answer must not outlive the validity of what it contains.
CREATE INDEX node_ending ON node (valid_until) WHERE valid_until IS NOT NULL;
CREATE INDEX opinion_by_holder ON node (attributes ->> 'holder', attributes ->> 'about') WHERE kind = 'opinion';
CREATE INDEX procedure_by_name ON node (attributes ->> 'name') WHERE kind = 'procedure' AND state = 'live';
CREATE INDEX node_actions ON node (event_at) WHERE kind = 'episode' AND attributes ->> 'type' = 'action';
CREATE INDEX node_trace ON node (event_at)
    WHERE kind = 'episode' AND state = 'live' AND (task_id IS NOT NULL OR attributes ->> 'goal' IS NOT NULL);
CREATE INDEX node_condensed ON node (recorded_at) WHERE kind = 'episode' AND attributes ->> 'compression' IS NOT NULL;
-- Few turns have an outcome; a task briefing asks for successes and failures separately.
CREATE INDEX node_by_outcome ON node (attributes ->> 'outcome', event_at) WHERE attributes ->> 'outcome' IS NOT NULL;
CREATE INDEX handoff_open ON node (event_at) WHERE kind = 'handoff' AND attributes ->> 'accepted_at' IS NULL;
CREATE INDEX skill_by_name ON node (attributes ->> 'name') WHERE kind = 'skill' AND state = 'live';
-- Nodes that a search must check row by row: those that were replaced or withdrawn, have an end, are sensitive, or
-- repeat turns (summaries and narratives). All other nodes, live or archived, pass an ordinary filter without being
-- read.
CREATE INDEX node_needs_check ON node (id)
    WHERE
        state IN ('superseded', 'withdrawn') OR valid_until IS NOT NULL OR sensitive
        OR attributes ->> 'compression' IS NOT NULL OR kind = 'narrative';
CREATE INDEX node_shared ON node (event_at) WHERE audience = 'shared' AND NOT sensitive;
CREATE INDEX node_narratives ON node (event_at, id) WHERE kind = 'narrative';
-- Live turns, for the maintenance jobs: their number stays small however old a file grows.
CREATE INDEX node_turns ON node (event_at, id)
    WHERE kind = 'episode' AND state = 'live' AND attributes ->> 'compression' IS NULL;

CREATE TABLE node_entity (
    node_id    INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    entity_id  INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    PRIMARY KEY (entity_id, node_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX node_entity_by_node ON node_entity (node_id);

-- Times that a node speaks of ("the 26th", "24 to 31 October"), which is not when it was said.
CREATE TABLE mentioned_time (
    node_id  INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    begins   INTEGER NOT NULL,
    ends     INTEGER NOT NULL CHECK (ends > begins),
    words    TEXT NOT NULL,  -- the phrase that names it
    PRIMARY KEY (node_id, begins, ends)
) STRICT, WITHOUT ROWID;

CREATE INDEX mentioned_time_by_time ON mentioned_time (begins, ends);

CREATE TABLE edge (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,  -- increases: readers load what came after the last id they know
    source_id   INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    target_id   INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    type        TEXT NOT NULL CHECK (type IN
        ('temporal', 'causal', 'entity', 'derived_from', 'supersedes', 'related_to', 'contradicts',
         'elaborates', 'example_of', 'recalled_with', 'part_of')),
    predicate   TEXT,
    weight      REAL NOT NULL DEFAULT 1.0,
    confidence  REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    valid_from  INTEGER NOT NULL,
    valid_until INTEGER,
    evidence    TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(evidence)),
    created_at  INTEGER NOT NULL,
    UNIQUE (source_id, type, target_id)
) STRICT;

-- A memory was made from a turn: maintenance decides again whether the turn may be archived.
CREATE TRIGGER turn_carried AFTER INSERT ON edge WHEN new.type = 'derived_from' BEGIN
    UPDATE node SET stays_since = NULL WHERE id = new.target_id AND stays_since IS NOT NULL;
END;
CREATE INDEX edge_by_target ON edge (target_id, type, source_id);  -- covers walking a session backwards

CREATE TABLE relation (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    ulid           TEXT NOT NULL UNIQUE,
    source_id      INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    target_id      INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    type           TEXT NOT NULL,
    properties     TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(properties)),
    confidence     REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0 AND 1),
    source_node_id INTEGER REFERENCES node(id) ON DELETE SET NULL,
    valid_from     INTEGER,
    valid_until    INTEGER,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    UNIQUE (source_id, target_id, type)
) STRICT;

CREATE INDEX relation_by_target ON relation (target_id);
CREATE INDEX relation_by_node ON relation (source_node_id) WHERE source_node_id IS NOT NULL;

-- The latest checkpoint of each agent, the node by which a search finds it, and every checkpoint.
CREATE TABLE ledger (
    agent_id        TEXT PRIMARY KEY,
    last_checkpoint INTEGER NOT NULL,
    tasks_completed INTEGER NOT NULL DEFAULT 0,
    current_task    TEXT,
    state           TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(state)),
    context         TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(context)),
    node_id         INTEGER REFERENCES node(id) ON DELETE SET NULL,
    details         TEXT CHECK (details IS NULL OR json_valid(details))  -- other fields of an imported ledger
) STRICT;

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

-- The history of a node, oldest first. `before` keeps the values that an update replaced.
CREATE TABLE change (
    id       INTEGER PRIMARY KEY,
    node_id  INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    at       INTEGER NOT NULL,
    verb     TEXT NOT NULL,
    before   TEXT CHECK (before IS NULL OR json_valid(before))
) STRICT;

CREATE INDEX change_by_node ON change (node_id);
CREATE INDEX evidence_by_key ON change (before ->> 'key') WHERE verb = 'evidence';
CREATE INDEX change_reworded ON change (at) WHERE verb = 'update';  -- earlier texts, searched by `as_of`

-- The history of an entity, oldest first: created, merged, split, renamed.
CREATE TABLE entity_change (
    id        INTEGER PRIMARY KEY,
    entity_id INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    at        INTEGER NOT NULL,
    verb      TEXT NOT NULL,
    before    TEXT CHECK (before IS NULL OR json_valid(before))
) STRICT;

CREATE INDEX entity_change_by_entity ON entity_change (entity_id);

-- What a merge of two entities moved or left out, so that a split can undo exactly that.
CREATE TABLE merge_move (
    change_id INTEGER NOT NULL REFERENCES entity_change(id) ON DELETE CASCADE,
    kind      TEXT NOT NULL CHECK (kind IN (
        'node', 'shared',      -- a link to a memory that was moved, or that both entities had
        'source', 'target',    -- this end of a relation was moved
        'relation',            -- a relation that would be a duplicate, or relate an entity to itself
        'session', 'change', 'name',
        'contradicts', 'superseded', 'ended'  -- what the merge decided about facts and relations
    )),
    ref       INTEGER NOT NULL,  -- id of the node, relation, session, change or edge
    before    TEXT CHECK (before IS NULL OR json_valid(before))  -- the earlier values, where the id is not enough
) STRICT;

CREATE INDEX merge_move_by_change ON merge_move (change_id, kind);

-- Vectors are derived from the nodes and can be computed again.
CREATE TABLE embedding_model (
    id           INTEGER PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,
    dimensions   INTEGER NOT NULL CHECK (dimensions > 0),
    current      INTEGER NOT NULL DEFAULT 0,
    gives_tokens INTEGER NOT NULL DEFAULT 0,  -- whether the model returns token states
    created_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE vector (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,  -- increases: readers load what came after the last id they know
    node_id  INTEGER NOT NULL UNIQUE REFERENCES node(id) ON DELETE CASCADE,
    model_id INTEGER NOT NULL REFERENCES embedding_model(id),
    data     BLOB NOT NULL                       -- float16, little-endian
) STRICT;

-- Token states of a node (see store/search/embedding.py), written and deleted with its vector.
CREATE TABLE token_state (
    vector_id INTEGER PRIMARY KEY REFERENCES vector(id) ON DELETE CASCADE,
    data      BLOB NOT NULL
) STRICT;

CREATE TABLE entity_vector (
    entity_id INTEGER PRIMARY KEY REFERENCES entity(id) ON DELETE CASCADE,
    model_id  INTEGER NOT NULL REFERENCES embedding_model(id),
    data      BLOB NOT NULL
) STRICT;

CREATE TABLE embedding_queue (
    node_id       INTEGER PRIMARY KEY REFERENCES node(id) ON DELETE CASCADE,
    claimed_until INTEGER NOT NULL DEFAULT 0,
    attempts      INTEGER NOT NULL DEFAULT 0,
    error         TEXT
) STRICT;

-- Counters that processes poll, and the last transaction of each writer (see store/engine/writer.py).
CREATE TABLE counter (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counter VALUES ('entities', 0), ('archived', 0), ('undone', 0);

CREATE TABLE write_mark (
    writer TEXT PRIMARY KEY,
    stamp  INTEGER NOT NULL,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entity_named AFTER INSERT ON entity_name BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'entities';
END;
CREATE TRIGGER entity_unnamed AFTER DELETE ON entity_name BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'entities';
END;

-- Full text over every kind and state. The index stores no text; `indexed_text` is its content, without the text of
-- archived nodes: that is in compressed blocks, which only our function `archived_index_text` can read.
CREATE VIEW indexed_text AS
SELECT
    id,
    coalesce(folded_text, text) AS text,
    coalesce(folded_speaker, speaker) AS speaker,
    coalesce(folded_tags, tags) AS tags
FROM node;

CREATE VIEW indexed_text_with_archive AS
SELECT
    id,
    coalesce(iif(state IN ('archived', 'withdrawn'), archived_index_text(id), NULL), folded_text, text) AS text,
    coalesce(folded_speaker, speaker) AS speaker,
    coalesce(folded_tags, tags) AS tags
FROM node;

CREATE VIRTUAL TABLE nodes_fts USING fts5 (
    text,
    speaker,
    tags,
    content = 'indexed_text',
    content_rowid = 'id',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);

-- New nodes are indexed by `fulltext.index_nodes`, once for each batch: a trigger for each row costs twice as much.
-- `archive.erase_from_archive` removes the words of an archived node from the index before it deletes them.
CREATE TRIGGER node_unindexed BEFORE DELETE ON node
WHEN EXISTS (SELECT 1 FROM nodes_fts_docsize WHERE id = old.id) BEGIN
    INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags)
    SELECT 'delete', id, text, speaker, tags FROM indexed_text_with_archive WHERE id = old.id;
END;
-- Archiving and restoring move the text to a block and back; its words stay in the index.
CREATE TRIGGER node_reindexed
AFTER UPDATE OF text, speaker, tags, folded_text, folded_speaker, folded_tags ON node
WHEN
    (old.state IN ('archived', 'withdrawn')) = (new.state IN ('archived', 'withdrawn'))
    OR NOT EXISTS (SELECT 1 FROM nodes_fts_docsize WHERE id = old.id)
BEGIN
    INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags)
    SELECT
        'delete',
        old.id,
        coalesce(
            iif(old.state IN ('archived', 'withdrawn'), archived_index_text(old.id), NULL),
            old.folded_text,
            old.text
        ),
        coalesce(old.folded_speaker, old.speaker),
        coalesce(old.folded_tags, old.tags)
    WHERE EXISTS (SELECT 1 FROM nodes_fts_docsize WHERE id = old.id);
    INSERT INTO nodes_fts (rowid, text, speaker, tags)
    SELECT id, text, speaker, tags FROM indexed_text_with_archive WHERE id = new.id;
    INSERT INTO cache_invalidation (part, node_id) VALUES ('text', old.id);
END;

-- Processes that cache texts, vectors or columns of nodes read here which of them to drop. Only the latest entries are kept: a process
-- that missed some loads everything again.
CREATE TABLE cache_invalidation (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,  -- a position: readers ask for what came after the last one they know
    part    TEXT NOT NULL CHECK (part IN ('text', 'vector', 'node')),
    node_id INTEGER NOT NULL
) STRICT;

CREATE TRIGGER cache_invalidation_pruned AFTER INSERT ON cache_invalidation BEGIN
    DELETE FROM cache_invalidation WHERE id <= new.id - 10000;
END;
CREATE TRIGGER node_text_deleted AFTER DELETE ON node BEGIN
    INSERT INTO cache_invalidation (part, node_id) VALUES ('text', old.id);
END;
CREATE TRIGGER node_columns_changed
AFTER UPDATE OF kind, session_id, valid_until, sensitive, state, attributes ON node
WHEN
    old.kind <> new.kind OR old.session_id IS NOT new.session_id OR old.valid_until IS NOT new.valid_until
    OR old.sensitive <> new.sensitive OR old.state <> new.state
    OR (old.attributes ->> 'compression') IS NOT (new.attributes ->> 'compression')
BEGIN
    INSERT INTO cache_invalidation (part, node_id) VALUES ('node', old.id);
END;
CREATE TRIGGER turns_unlinked AFTER DELETE ON edge WHEN old.type = 'temporal' BEGIN
    INSERT INTO cache_invalidation (part, node_id) VALUES ('node', old.source_id), ('node', old.target_id);
END;
CREATE TRIGGER vector_deleted AFTER DELETE ON vector
WHEN old.model_id IN (SELECT id FROM embedding_model WHERE current) BEGIN
    INSERT INTO cache_invalidation (part, node_id) VALUES ('vector', old.node_id);
END;

-- The terms of the full-text index; these tables store nothing.
CREATE VIRTUAL TABLE word USING fts5vocab ('nodes_fts', 'row');
CREATE VIRTUAL TABLE word_instance USING fts5vocab ('nodes_fts', 'instance');

-- What an extractor proposed for a part of a session, stored before it is applied: after a crash the same proposal is
-- applied and no model is asked twice. Applying it deletes the row.
CREATE TABLE journal (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
    after_id   INTEGER NOT NULL,  -- the last episode that was learned before
    upto_id    INTEGER NOT NULL,  -- the last episode that the proposal read
    extractor  TEXT NOT NULL,
    proposal   TEXT NOT NULL CHECK (json_valid(proposal)),
    created_at INTEGER NOT NULL,
    UNIQUE (session_id, after_id)
) STRICT;

-- What language models cost by day (UTC), over all processes that use this file.
CREATE TABLE spending (
    day           TEXT PRIMARY KEY,
    calls         INTEGER NOT NULL DEFAULT 0,
    input_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost          REAL NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Texts of archived nodes, several of a session compressed together (see store/ageing/archive_blocks.py for the format).
-- The row of an archived node stays, with ids, times, links, vector and full text.
CREATE TABLE archive_block (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER REFERENCES session(id) ON DELETE SET NULL,
    size       INTEGER NOT NULL,  -- bytes before compression: a full block takes no more
    data       BLOB NOT NULL
) STRICT;

CREATE INDEX archive_block_by_session ON archive_block (session_id, id);

CREATE TABLE archived (
    node_id  INTEGER PRIMARY KEY REFERENCES node(id) ON DELETE CASCADE,
    block_id INTEGER NOT NULL REFERENCES archive_block(id),
    length   INTEGER NOT NULL,  -- characters of the text
    state_at INTEGER NOT NULL,  -- the node's earlier value, for unarchiving
    reason   TEXT NOT NULL
) STRICT;

CREATE INDEX archived_by_block ON archived (block_id);

CREATE TRIGGER archived_more AFTER INSERT ON archived BEGIN
    UPDATE counter SET value = value + 1 WHERE name = 'archived';
END;
CREATE TRIGGER archived_less AFTER DELETE ON archived BEGIN
    UPDATE counter SET value = value - 1 WHERE name = 'archived';
END;

-- Where a maintenance job stopped. A lost row only makes the job start over.
CREATE TABLE cursor (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

-- Erasures: which ids, when, and the receipt. No erased word is stored in any of these tables.
CREATE TABLE erasure (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    finished_at INTEGER,  -- NULL: the rows are deleted, but their bytes may remain in free pages or in the log
    receipt     TEXT NOT NULL CHECK (json_valid(receipt))
) STRICT;

CREATE INDEX erasure_pending ON erasure (id) WHERE finished_at IS NULL;

CREATE TABLE erased (
    node_id    INTEGER PRIMARY KEY,
    erasure_id INTEGER NOT NULL REFERENCES erasure(id)
) STRICT;

CREATE INDEX erased_by_erasure ON erased (erasure_id);

-- Keyed digests of what must not come back through an import or learning. The first erasure of a file creates the key.
CREATE TABLE tombstone (
    digest  BLOB PRIMARY KEY,
    node_id INTEGER NOT NULL,  -- the erased node
    at      INTEGER NOT NULL,  -- what is said after this time is new
    upto_id INTEGER NOT NULL   -- the highest node id at that time
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL
) STRICT;

-- Copies of the file or its contents that Omoide made. An erasure does not reach them, so its receipt names them.
CREATE TABLE known_copy (
    id      INTEGER PRIMARY KEY,
    path    TEXT NOT NULL UNIQUE,
    kind    TEXT NOT NULL CHECK (kind IN ('backup', 'export', 'migration')),
    made_at INTEGER NOT NULL
) STRICT;

-- Which process runs maintenance: one at a time. It renews `until` while it works. The lease of a process that
-- is gone counts no longer; where that cannot be known (another machine), it expires.
CREATE TABLE lease (
    name   TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    mark   TEXT NOT NULL,  -- the process: see store/engine/process.py
    since  INTEGER NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every maintenance run, and one row for each of its jobs.
CREATE TABLE maintenance_run (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    is_full    INTEGER NOT NULL,  -- all nightly jobs, not a selection
    outcome    TEXT NOT NULL DEFAULT 'running' CHECK (outcome IN ('running', 'done', 'failed', 'stopped')),
    undone_at  INTEGER
) STRICT;

-- What the last runs changed, as compressed changesets: see store/engine/night_journal.py.
CREATE TABLE night_change (
    id      INTEGER PRIMARY KEY,
    run_id  INTEGER NOT NULL REFERENCES maintenance_run(id) ON DELETE CASCADE,
    changes BLOB NOT NULL
) STRICT;

CREATE INDEX night_change_by_run ON night_change (run_id);

CREATE TABLE job_run (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id     INTEGER NOT NULL REFERENCES maintenance_run(id) ON DELETE CASCADE,
    job        TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    outcome    TEXT NOT NULL DEFAULT 'running'
        CHECK (outcome IN ('running', 'done', 'skipped', 'failed', 'stopped')),
    counts     TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(counts)),
    why        TEXT
) STRICT;

CREATE INDEX job_run_by_run ON job_run (run_id);

-- What a job failed on: a session, a day or a memory with its error. Tried again after `retry_at`.
CREATE TABLE set_aside (
    job      TEXT NOT NULL,
    item     TEXT NOT NULL,
    error    TEXT NOT NULL,
    failures INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    retry_at INTEGER NOT NULL,
    PRIMARY KEY (job, item)
) STRICT;

-- The board of each live session, replaced after every turn, so that a restarted agent continues where it stopped.
-- It holds ids instead of texts, so erasing a memory also removes it here. `system` is the agent's own system prompt.
CREATE TABLE live_board (
    session    TEXT PRIMARY KEY,
    board      TEXT NOT NULL CHECK (json_valid(board)),
    system     TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tasks. The trace of a task is an episode from its start; this row says whether it is open, and orders ended tasks.
CREATE TABLE task (
    node_id    INTEGER PRIMARY KEY REFERENCES node(id) ON DELETE CASCADE,
    started_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,  -- the last sign of life
    process    TEXT CHECK (process IS NULL OR json_valid(process)),  -- the process that holds it, if any
    number     INTEGER,           -- assigned in order when the task ends: clocks may disagree, numbers do not
    cluster    INTEGER            -- the first of the similar traces; NULL: not learned from yet
) STRICT;

CREATE UNIQUE INDEX task_by_number ON task (number) WHERE number IS NOT NULL;
CREATE INDEX task_open ON task (seen_at) WHERE number IS NULL;
CREATE INDEX task_unlearned ON task (number) WHERE number IS NOT NULL AND cluster IS NULL;
CREATE INDEX task_by_cluster ON task (cluster) WHERE cluster IS NOT NULL;

-- The log of an open task. It is merged into the task's episode when the task ends.
CREATE TABLE task_entry (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL REFERENCES task(node_id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    what    TEXT NOT NULL CHECK (what IN ('action', 'error', 'artifact', 'file')),
    body    TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

CREATE INDEX task_entry_by_task ON task_entry (task_id, id);

-- Memories that a task was given, in order from place 1, and which of them it reported as used.
CREATE TABLE handed_out (
    task_id INTEGER NOT NULL REFERENCES task(node_id) ON DELETE CASCADE,
    node_id INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    place   INTEGER NOT NULL CHECK (place > 0),
    used    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (task_id, node_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX handed_out_by_node ON handed_out (node_id);

-- How tasks ended that were given a memory; lower places count less.
CREATE TABLE credit (
    node_id    INTEGER PRIMARY KEY REFERENCES node(id) ON DELETE CASCADE,
    succeeded  REAL NOT NULL DEFAULT 0,
    failed     REAL NOT NULL DEFAULT 0,
    tasks      INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL
) STRICT;

-- Lessons bound to an action an agent is about to take, or to an error it just met. All given conditions must hold;
-- `key` is the indexed part of the most specific one.
CREATE TABLE binding (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    node_id    INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    tool       TEXT NOT NULL DEFAULT '',  -- '' means no condition, here and below
    path       TEXT NOT NULL DEFAULT '',
    command    TEXT NOT NULL DEFAULT '',
    error      TEXT NOT NULL DEFAULT '',
    key        TEXT NOT NULL,
    weight     INTEGER NOT NULL,  -- how specific it is: the most specific comes first
    created_at INTEGER NOT NULL,
    UNIQUE (node_id, tool, path, command, error),
    CHECK (tool || path || command || error <> '')
) STRICT;

CREATE INDEX binding_by_key ON binding (key);

-- Files of an imported folder that hold no memories, kept so that the folder can be written again.
CREATE TABLE foreign_file (
    path TEXT PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Views with the tables and columns of other memory programs, for any SQLite browser. `rowid` joins with nodes_fts.

CREATE VIEW episodes AS
SELECT
    node.id AS rowid,
    node.ulid AS id,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.event_at / 1e6, 'unixepoch') AS timestamp,
    coalesce(session.name, '') AS session_id,
    coalesce(node.attributes ->> 'type', 'conversation') AS type,
    coalesce(node.role, node.origin) AS actor,
    coalesce(node.summary, node.text) AS summary,
    coalesce(node.details, node.text) AS details,
    node.importance,
    coalesce(node.tags, '[]') AS tags,
    node.attributes ->> 'outcome' AS outcome,
    (
        SELECT parent.ulid
        FROM edge
        JOIN node AS parent ON parent.id = edge.target_id
        WHERE edge.source_id = node.id AND edge.type = 'part_of'
        LIMIT 1
    ) AS parent_id,
    coalesce(node.attributes ->> 'compression', 'raw') AS compression,
    node.token_count,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.recorded_at / 1e6, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.expires_at / 1e6, 'unixepoch') AS expires_at,
    node.speaker,
    node.task_id,
    node.attributes ->> 'duration_seconds' AS duration_seconds,
    node.attributes ->> 'agent' AS agent,
    node.attributes ->> 'phase' AS phase,
    node.attributes ->> 'goal' AS goal,
    node.attributes ->> 'constraints' AS constraints,
    node.attributes ->> 'files_involved' AS files_involved,
    node.attributes ->> 'action_log' AS action_log,
    node.attributes ->> 'errors_encountered' AS errors_encountered,
    node.attributes ->> 'artifacts_produced' AS artifacts_produced,
    node.attributes ->> 'git_commit' AS git_commit
FROM node
LEFT JOIN session ON session.id = node.session_id
WHERE node.kind = 'episode';

CREATE VIEW sessions AS
SELECT
    session.name AS id,
    strftime('%Y-%m-%dT%H:%M:%fZ', session.started_at / 1e6, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', session.ended_at / 1e6, 'unixepoch') AS ended_at,
    session.channel,
    session.summary,
    session.episode_count,
    entity.ulid AS user_id
FROM session
LEFT JOIN entity ON entity.id = session.user_id;

CREATE VIEW sessions_consolidations AS
SELECT
    name AS session_id,
    first_seen_at / 1000000 AS first_seen_at,
    CASE learning WHEN 'learned' THEN learned_at / 1000000 END AS consolidated_at
FROM session;

CREATE VIEW entities AS
SELECT
    entity.id AS rowid,
    entity.ulid AS id,
    entity.name,
    entity.name AS canonical_name,
    entity.type,
    entity.description,
    entity.summary,
    (
        SELECT json_group_array(entity_name.name)
        FROM entity_name
        WHERE entity_name.entity_id = entity.id AND entity_name.is_alias
    ) AS aliases,
    entity.attributes AS metadata,
    entity.attributes,
    strftime('%Y-%m-%dT%H:%M:%fZ', entity.first_seen_at / 1e6, 'unixepoch') AS first_seen,
    strftime('%Y-%m-%dT%H:%M:%fZ', entity.last_referenced_at / 1e6, 'unixepoch') AS last_referenced,
    entity.mention_count,
    entity.importance,
    entity_vector.data AS embedding,
    strftime('%Y-%m-%dT%H:%M:%fZ', entity.created_at / 1e6, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', entity.updated_at / 1e6, 'unixepoch') AS updated_at,
    entity.updated_at / 1000000 AS last_updated
FROM entity
LEFT JOIN entity_vector ON entity_vector.entity_id = entity.id;

CREATE VIEW relationships AS
SELECT
    relation.ulid AS id,
    source.ulid AS source_id,
    target.ulid AS target_id,
    relation.type,
    relation.properties,
    relation.confidence,
    node.ulid AS source_episode,
    strftime('%Y-%m-%dT%H:%M:%fZ', relation.created_at / 1e6, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', relation.updated_at / 1e6, 'unixepoch') AS updated_at
FROM relation
JOIN entity AS source ON source.id = relation.source_id
JOIN entity AS target ON target.id = relation.target_id
LEFT JOIN node ON node.id = relation.source_node_id;

-- Learned nodes with their entity, their sources and their successor.
CREATE VIEW learned AS
SELECT
    node.*,
    (
        SELECT entity.ulid
        FROM node_entity
        JOIN entity ON entity.id = node_entity.entity_id
        WHERE node_entity.node_id = node.id
        ORDER BY entity.name = (node.attributes ->> 'subject') DESC
        LIMIT 1
    ) AS entity_ulid,
    (
        SELECT source.ulid
        FROM edge
        JOIN node AS source ON source.id = edge.target_id
        WHERE edge.source_id = node.id AND edge.type = 'derived_from'
        ORDER BY edge.id
        LIMIT 1
    ) AS source_ulid,
    (
        SELECT json_group_array(source.ulid)
        FROM edge
        JOIN node AS source ON source.id = edge.target_id
        WHERE edge.source_id = node.id AND edge.type = 'derived_from'
    ) AS source_ulids,
    (
        SELECT successor.ulid
        FROM edge
        JOIN node AS successor ON successor.id = edge.source_id
        WHERE edge.target_id = node.id AND edge.type = 'supersedes'
        ORDER BY edge.id DESC
        LIMIT 1
    ) AS successor_ulid,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.recorded_at / 1e6, 'unixepoch') AS recorded_iso,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.updated_at / 1e6, 'unixepoch') AS updated_iso
FROM node
WHERE node.kind <> 'episode';

CREATE VIEW facts AS
SELECT
    id AS rowid,
    ulid AS id,
    entity_ulid AS entity_id,
    attributes ->> 'subject' AS subject,
    attributes ->> 'predicate' AS predicate,
    coalesce(attributes ->> 'object', text) AS object,
    confidence,
    source_ulid AS source_episode,
    source_type,
    strftime('%Y-%m-%dT%H:%M:%fZ', valid_from / 1e6, 'unixepoch') AS valid_from,
    strftime('%Y-%m-%dT%H:%M:%fZ', valid_until / 1e6, 'unixepoch') AS valid_until,
    successor_ulid AS superseded_by,
    recorded_iso AS created_at,
    updated_iso AS updated_at,
    text,
    sensitive
FROM learned
WHERE kind = 'fact';

CREATE VIEW procedures AS
SELECT
    id AS rowid,
    ulid AS id,
    coalesce(attributes ->> 'name', text) AS name,
    coalesce(attributes ->> 'trigger', text) AS trigger,
    coalesce(attributes ->> 'steps', '[]') AS steps,
    attributes ->> 'context' AS context,
    source_ulid AS source_episode,
    coalesce(attributes ->> 'success_count', 0) AS success_count,
    coalesce(attributes ->> 'failure_count', 0) AS failure_count,
    attributes ->> 'last_used' AS last_used,
    attributes ->> 'last_outcome' AS last_outcome,
    confidence,
    successor_ulid AS superseded_by,
    recorded_iso AS created_at,
    updated_iso AS updated_at
FROM learned
WHERE kind = 'procedure';

CREATE VIEW preferences AS
SELECT
    id AS rowid,
    ulid AS id,
    coalesce(attributes ->> 'category', 'other') AS category,
    coalesce(attributes ->> 'name', text) AS key,
    coalesce(attributes ->> 'value', text) AS value,
    coalesce(attributes ->> 'strength', 0.5) AS strength,
    coalesce(attributes ->> 'evidence_count', 1) AS evidence_count,
    source_type,
    source_ulids AS source_episodes,
    recorded_iso AS created_at,
    updated_iso AS updated_at
FROM learned
WHERE kind = 'preference' AND state = 'live';

CREATE VIEW patterns AS
SELECT
    id AS rowid,
    ulid AS id,
    text AS pattern,
    attributes ->> 'category' AS category,
    coalesce(attributes ->> 'conditions', '[]') AS conditions,
    attributes ->> 'correct_approach' AS correct_approach,
    attributes ->> 'incorrect_approach' AS incorrect_approach,
    confidence,
    source_ulids AS source_episodes,
    coalesce(attributes ->> 'usage_count', 0) AS usage_count,
    attributes ->> 'last_used' AS last_used,
    (
        SELECT json_group_array(json_object('to', other.ulid, 'relation', edge.type))
        FROM edge
        JOIN node AS other ON other.id = edge.target_id
        WHERE edge.source_id = learned.id
    ) AS links
FROM learned
WHERE kind = 'pattern';

CREATE VIEW anti_patterns AS
SELECT
    id AS rowid,
    ulid AS id,
    coalesce(attributes ->> 'what_fails', text) AS what_fails,
    attributes ->> 'why' AS why,
    attributes ->> 'prevention' AS prevention,
    coalesce(source_ulid, attributes ->> 'source') AS source,
    attributes ->> 'category' AS category,
    confidence
FROM learned
WHERE kind = 'antipattern';

CREATE VIEW skills AS
SELECT
    id AS rowid,
    ulid AS id,
    coalesce(attributes ->> 'name', text) AS name,
    coalesce(attributes ->> 'prerequisites', '[]') AS prerequisites,
    coalesce(attributes ->> 'steps', '[]') AS steps,
    coalesce(attributes ->> 'common_errors', '[]') AS common_errors,
    coalesce(attributes ->> 'exit_criteria', '[]') AS exit_criteria,
    coalesce(attributes ->> 'success_count', 0) AS success_count,
    coalesce(attributes ->> 'failure_count', 0) AS failure_count
FROM learned
WHERE kind = 'skill';

CREATE VIEW handoffs AS
SELECT
    ulid AS id,
    attributes ->> 'from_agent' AS from_agent,
    attributes ->> 'to_agent' AS to_agent,
    strftime('%Y-%m-%dT%H:%M:%fZ', event_at / 1e6, 'unixepoch') AS timestamp,
    json_object(
        'what_was_done', coalesce(attributes ->> 'what_was_done', text),
        'artifacts', json(coalesce(attributes ->> 'artifacts', '[]')),
        'git_state', attributes ->> 'git_state',
        'needs_testing', json(coalesce(attributes ->> 'needs_testing', '[]')),
        'known_issues', json(coalesce(attributes ->> 'known_issues', '[]')),
        'relevant_patterns', json(coalesce(attributes ->> 'relevant_patterns', '[]'))
    ) AS context,
    attributes ->> 'accepted_at' AS accepted_at
FROM node
WHERE kind = 'handoff';

CREATE VIEW ledgers AS
SELECT
    agent_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_checkpoint / 1e6, 'unixepoch') AS last_checkpoint,
    tasks_completed,
    current_task,
    state,
    context
FROM ledger;

CREATE VIEW narratives AS
SELECT
    node.id,
    node.text AS content,
    node.attributes ->> 'topic' AS topic,
    (
        SELECT edge.source_id
        FROM edge
        WHERE edge.target_id = node.id AND edge.type = 'temporal'
        LIMIT 1
    ) AS previous_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.recorded_at / 1e6, 'unixepoch') AS created_at
FROM node
WHERE node.kind = 'narrative';

CREATE VIEW memories AS
SELECT
    node.id AS rowid,
    node.id,
    node.text AS content,
    node.source_type AS source,
    (SELECT group_concat(json_each.value, ', ') FROM json_each(node.tags)) AS tags,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.recorded_at / 1e6, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(node.last_hit_at, node.last_accessed_at) / 1e6, 'unixepoch') AS last_hit_at,
    node.score,
    session.name AS session_id,
    node.narrative_id,
    node.task_id
FROM node
LEFT JOIN session ON session.id = node.session_id
WHERE node.state = 'live';

CREATE VIEW memories_archive AS
SELECT
    node.id AS rowid,
    node.id,
    node.text AS content,
    node.source_type AS source,
    (SELECT group_concat(json_each.value, ', ') FROM json_each(node.tags)) AS tags,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.recorded_at / 1e6, 'unixepoch') AS created_at,
    node.score,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.state_at / 1e6, 'unixepoch') AS archived_at
FROM node
WHERE node.state = 'archived';

CREATE VIEW memory_links AS
SELECT source_id AS memory_id, target_id AS related_id, weight AS strength
FROM edge
WHERE type = 'recalled_with'
UNION ALL
SELECT target_id, source_id, weight
FROM edge
WHERE type = 'recalled_with';

CREATE VIEW nodes AS
SELECT
    node.id AS rowid,
    node.ulid AS id,
    CASE
        WHEN node.kind IN ('episode', 'narrative', 'handoff') THEN 'episodic'
        WHEN node.kind = 'opinion' THEN 'opinion'
        WHEN node.kind IN ('procedure', 'preference', 'skill') THEN 'procedural'
        ELSE 'semantic'
    END AS type,
    node.kind,
    node.text AS content,
    vector.data AS embedding,
    node.event_at / 1000000 AS event_time,
    node.recorded_at / 1000000 AS created_at,
    coalesce(node.valid_from, node.event_at) / 1000000 AS valid_from,
    coalesce(node.valid_until, CASE WHEN node.state <> 'live' THEN node.state_at END) / 1000000 AS valid_until,
    node.confidence,
    node.access_count,
    node.last_accessed_at / 1000000 AS last_accessed,
    node.decay_rate,
    node.source_type,
    coalesce(node.role, node.origin) AS source_role,
    session.name AS session_id,
    coalesce(node.attributes, '{}') AS attributes
FROM node
LEFT JOIN session ON session.id = node.session_id
LEFT JOIN vector ON vector.node_id = node.id;

CREATE VIEW edges AS
SELECT
    edge.id,
    source.ulid AS source_id,
    target.ulid AS target_id,
    edge.type AS relation_type,
    edge.predicate,
    edge.weight,
    edge.confidence,
    edge.valid_from / 1000000 AS valid_from,
    edge.valid_until / 1000000 AS valid_until,
    edge.evidence,
    edge.created_at / 1000000 AS created_at
FROM edge
JOIN node AS source ON source.id = edge.source_id
JOIN node AS target ON target.id = edge.target_id;

CREATE VIEW node_entities AS
SELECT node.ulid AS node_id, entity.ulid AS entity_id
FROM node_entity
JOIN node ON node.id = node_entity.node_id
JOIN entity ON entity.id = node_entity.entity_id;
