-- A condensed episode (a summary of turns) is left out of what is found while all of its turns are live: its row must be
-- looked at, like those that ended or are sensitive.
DROP INDEX node_odd;

CREATE INDEX node_odd ON node (id)
WHERE state <> 'live' OR valid_until IS NOT NULL OR sensitive OR attributes ->> 'compression' IS NOT NULL;

CREATE INDEX node_condensed ON node (recorded_at)
WHERE kind = 'episode' AND attributes ->> 'compression' IS NOT NULL;
