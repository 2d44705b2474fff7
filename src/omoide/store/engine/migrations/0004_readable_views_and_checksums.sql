-- Views that SQLite from 3.37 on can read, and checksums of what is stored as bytes.

-- Until SQLite 3.41, a view over this view could not see `node` in the ORDER BY of a subquery.
DROP VIEW learned;

CREATE VIEW learned AS
SELECT
    node.*,
    coalesce(
        (
            SELECT entity.ulid
            FROM node_entity
            JOIN entity ON entity.id = node_entity.entity_id
            WHERE node_entity.node_id = node.id AND entity.name = (node.attributes ->> 'subject')
            LIMIT 1
        ),
        (
            SELECT entity.ulid
            FROM node_entity
            JOIN entity ON entity.id = node_entity.entity_id
            WHERE node_entity.node_id = node.id
            LIMIT 1
        )
    ) AS entity_ulid,
    (
        SELECT source.ulid
        FROM edge
        JOIN node AS source ON source.id = edge.target_id
        WHERE edge.source_id = node.id AND edge.type = 'derived_from'
        ORDER BY edge.id
        LIMIT 1
    ) AS source_ulid,
    (
        SELECT json_group_array(source.ulid)
        FROM edge
        JOIN node AS source ON source.id = edge.target_id
        WHERE edge.source_id = node.id AND edge.type = 'derived_from'
    ) AS source_ulids,
    (
        SELECT successor.ulid
        FROM edge
        JOIN node AS successor ON successor.id = edge.source_id
        WHERE edge.target_id = node.id AND edge.type = 'supersedes'
        ORDER BY edge.id DESC
        LIMIT 1
    ) AS successor_ulid,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.recorded_at / 1e6, 'unixepoch') AS recorded_iso,
    strftime('%Y-%m-%dT%H:%M:%fZ', node.updated_at / 1e6, 'unixepoch') AS updated_iso
FROM node
WHERE node.kind <> 'episode';

-- CRC-32 of the bytes. Archive blocks and night changes are zlib streams, which carry one of their own.
ALTER TABLE vector ADD COLUMN checksum INTEGER;
ALTER TABLE token_state ADD COLUMN checksum INTEGER;

UPDATE vector SET checksum = bytes_checksum(data);
UPDATE token_state SET checksum = bytes_checksum(data);
