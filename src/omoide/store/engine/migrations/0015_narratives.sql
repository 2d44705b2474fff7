-- A narrative that was made from turns says what they say: like a condensed episode it is left out of what is found while
-- all of them are live, so its row must be looked at.
DROP INDEX node_odd;

CREATE INDEX node_odd ON node (id)
WHERE
    state <> 'live' OR valid_until IS NOT NULL OR sensitive OR attributes ->> 'compression' IS NOT NULL
    OR kind = 'narrative';

CREATE INDEX node_narratives ON node (event_at, id) WHERE kind = 'narrative';
