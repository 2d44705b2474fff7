-- For operators: count, audit and export with SQL.
CREATE OR REPLACE VIEW omoide.spaces_overview AS
SELECT
    space.name,
    space.created_at,
    space.written_at,
    CASE WHEN space.expires_at > clock_timestamp() THEN space.holder END AS holder,
    space.sequence,
    space.bytes,
    (SELECT count(*) FROM omoide.node WHERE node.space = space.name) AS memories,
    (SELECT count(*) FROM omoide.session WHERE session.space = space.name) AS sessions
FROM omoide.space;

CREATE OR REPLACE VIEW omoide.memories_overview AS
SELECT
    node.space,
    node.ulid AS id,
    node.kind,
    node.state,
    node.text,
    node.origin,
    node.confidence,
    node.sensitive <> 0 AS sensitive,
    node.audience,
    to_timestamp(node.event_at / 1e6) AS event_at,
    to_timestamp(node.recorded_at / 1e6) AS recorded_at,
    session.name AS session
FROM omoide.node
LEFT JOIN omoide.session ON session.space = node.space AND session.id = node.session_id;

CREATE OR REPLACE VIEW omoide.erasures_overview AS
SELECT space, id, to_timestamp(at / 1e6) AS at, to_timestamp(finished_at / 1e6) AS finished_at, receipt
FROM omoide.erasure;
