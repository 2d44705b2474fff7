-- How the embedder reads each word of a node where it stands: recall compares its best candidates word by word.
-- A row belongs to the vector from the same pass and goes with it; see store/tokens.py for what the bytes are.
CREATE TABLE token_state (
    vector_id INTEGER PRIMARY KEY REFERENCES vector(id) ON DELETE CASCADE,  -- grows, so that pages fill up
    data      BLOB NOT NULL
) STRICT;

-- Whether the model gives token states. A file that was embedded before they were kept says 0 here, and what is
-- missing is queued by the first embedder that gives them.
ALTER TABLE embedding_model ADD COLUMN gives_tokens INTEGER NOT NULL DEFAULT 0;
