-- When the user last confirmed a memory. `confirmed_at` also counts what was only stated again.
ALTER TABLE node ADD COLUMN user_confirmed_at INTEGER;

UPDATE node
SET user_confirmed_at = confirmed_at
WHERE
    confirmed_at IS NOT NULL
    AND (
        decay_rate = 0 AND kind NOT IN ('episode', 'narrative', 'handoff')
        OR EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'confirm')
    );
