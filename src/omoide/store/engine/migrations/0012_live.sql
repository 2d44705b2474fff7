-- The blackboard of each live session, replaced after every turn, so that an agent that was killed goes on where it was.
-- Ids and not words: what is forgotten is gone from here too. The system prompt is the agent's own and is kept as it is.
CREATE TABLE live (
    session    TEXT PRIMARY KEY,
    board      TEXT NOT NULL CHECK (json_valid(board)),
    system     TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
