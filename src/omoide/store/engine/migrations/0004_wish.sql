-- Turns that state a lasting wish are marked when they are observed (layers/wish.py) and found by this index.

CREATE INDEX node_wish ON node (event_at) WHERE attributes ->> 'wish' = 1;

-- What was observed before: is_wish is the same function, lent to SQL while the file is brought up.
UPDATE node
SET attributes = json_set(coalesce(attributes, '{}'), '$.wish', json('true'))
WHERE kind = 'episode' AND role = 'user' AND origin = 'user' AND is_wish(text);
