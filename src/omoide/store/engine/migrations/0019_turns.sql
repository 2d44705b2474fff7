-- Live turns, which stay few however old a file grows: the nights ask for them, and need not look at what was condensed.
CREATE INDEX node_turns ON node (event_at, id)
WHERE kind = 'episode' AND state = 'live' AND attributes ->> 'compression' IS NULL;
