-- What an entity is worth follows from what was said: how often, and how much the turns that speak of it matter.
ALTER TABLE entity ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0;           -- mentions that are no episode: it was told to us
ALTER TABLE entity ADD COLUMN episode_weight INTEGER NOT NULL DEFAULT 0;    -- the importance of those episodes, summed up
ALTER TABLE entity ADD COLUMN importance_given INTEGER NOT NULL DEFAULT 0;  -- somebody said how much it matters

CREATE TEMP TABLE spoken AS
SELECT
    node_entity.entity_id,
    count(*) AS episodes,
    sum(node.importance) AS weight,
    min(node.event_at) AS first,
    max(node.event_at) AS last
FROM node_entity
JOIN node ON node.id = node_entity.node_id
WHERE node.kind = 'episode'
GROUP BY node_entity.entity_id;

UPDATE entity
SET importance_given = importance <> 5, by_hand = id NOT IN (SELECT entity_id FROM spoken);
UPDATE entity
SET
    mention_count = spoken.episodes,
    episode_weight = spoken.weight,
    first_seen_at = spoken.first,
    last_referenced_at = spoken.last,
    importance = iif(  -- the same function as layers/worth.py, lent to SQL while the file is brought up
        importance_given, importance, notability(spoken.episodes, spoken.weight * 1.0 / spoken.episodes)
    )
FROM spoken
WHERE spoken.entity_id = entity.id;
DROP TABLE temp.spoken;

-- What a merge moved or left out, so that a split undoes just that. A row belongs to the line of history of its merge.
CREATE TABLE moved (
    change_id INTEGER NOT NULL REFERENCES entity_change(id) ON DELETE CASCADE,
    what      TEXT NOT NULL CHECK (what IN (
        'node', 'shared',      -- a link to a memory: it went over, or both had it
        'source', 'target',    -- this end of a relation went over
        'relation',            -- a relation that would stand twice, or between one and the same
        'session', 'change', 'name',
        'contradicts', 'superseded', 'ended'  -- what the merge decided about facts and relations
    )),
    ref       INTEGER NOT NULL,  -- the number of the node, relation, session, change or edge
    was       TEXT CHECK (was IS NULL OR json_valid(was))  -- what stood there, where that is not the number alone
) STRICT;

CREATE INDEX moved_by_change ON moved (change_id, what);

-- Earlier wordings, which `as_of` searches.
CREATE INDEX change_reworded ON change (at) WHERE verb = 'update';

-- What language models were paid, by day (UTC), by all processes that use this file.
CREATE TABLE spending (
    day           TEXT PRIMARY KEY,
    calls         INTEGER NOT NULL DEFAULT 0,
    input_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost          REAL NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
