-- What learning found in a turn and did not keep, and why. The user may still want it.
CREATE TABLE refusal (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    node_id INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,
    text    TEXT NOT NULL,
    reason  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    UNIQUE (node_id, text)
) STRICT;
