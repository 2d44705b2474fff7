-- Who holds words or vectors in memory learns here which of them no longer hold, instead of reading all of them again.
-- Only ids, and only the last of them: whoever was away for longer starts over.

CREATE TABLE stale (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,  -- a position: a reader asks for what came after its last
    what    TEXT NOT NULL CHECK (what IN ('words', 'vector')),
    node_id INTEGER NOT NULL
) STRICT;

CREATE TRIGGER stale_pruned AFTER INSERT ON stale BEGIN
    DELETE FROM stale WHERE id <= new.id - 10000;
END;
CREATE TRIGGER node_words_changed
AFTER UPDATE OF text, speaker, tags, folded_text, folded_speaker, folded_tags ON node BEGIN
    INSERT INTO stale (what, node_id) VALUES ('words', old.id);
END;
CREATE TRIGGER node_words_gone AFTER DELETE ON node BEGIN
    INSERT INTO stale (what, node_id) VALUES ('words', old.id);
END;

DROP TRIGGER vector_removed;
DELETE FROM counter WHERE name = 'vectors_removed';

CREATE TRIGGER vector_removed AFTER DELETE ON vector
WHEN old.model_id IN (SELECT id FROM embedding_model WHERE current) BEGIN
    INSERT INTO stale (what, node_id) VALUES ('vector', old.node_id);
END;

-- Most nodes are live, for ever and not sensitive. These few are not: asking only for them answers for the others.
CREATE INDEX node_odd ON node (id) WHERE state <> 'live' OR valid_until IS NOT NULL OR sensitive;

-- With the source in it, the way back in a talk needs no row.
DROP INDEX edge_by_target;
CREATE INDEX edge_by_target ON edge (target_id, type, source_id);

-- The full-text index seen by its words. They hold nothing of their own.
CREATE VIRTUAL TABLE word USING fts5vocab ('nodes_fts', 'row');
CREATE VIRTUAL TABLE word_instance USING fts5vocab ('nodes_fts', 'instance');
