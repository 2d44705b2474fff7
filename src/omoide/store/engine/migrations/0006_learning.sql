-- What an extractor proposed for a stretch of a session, written down before anything of it is applied: after a crash
-- the same proposal is applied, and no model is asked twice. A row goes away with its application.
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

-- What became of an entity, in the order it happened: created, merged, split.
CREATE TABLE entity_change (
    id        INTEGER PRIMARY KEY,
    entity_id INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    at        INTEGER NOT NULL,
    verb      TEXT NOT NULL,
    before    TEXT CHECK (before IS NULL OR json_valid(before))
) STRICT;

CREATE INDEX entity_change_by_entity ON entity_change (entity_id);
CREATE INDEX opinion_by_holder ON node (attributes ->> 'holder', attributes ->> 'about') WHERE kind = 'opinion';
CREATE INDEX procedure_by_name ON node (attributes ->> 'name') WHERE kind = 'procedure' AND state = 'live';
CREATE INDEX node_actions ON node (event_at) WHERE kind = 'episode' AND attributes ->> 'type' = 'action';
