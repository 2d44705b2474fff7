-- What an agent wants to change in the user's words: it waits for the user.
CREATE TABLE proposal (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    node_id    INTEGER NOT NULL REFERENCES node(id) ON DELETE CASCADE,
    verb       TEXT NOT NULL CHECK (verb IN ('correct', 'update')),
    text       TEXT,  -- NULL: the text stays
    attributes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(attributes)),
    since      INTEGER,  -- when a correction became true
    origin     TEXT NOT NULL,
    at         INTEGER NOT NULL,
    outcome    TEXT NOT NULL DEFAULT 'open' CHECK (outcome IN ('open', 'accepted', 'refused')),
    decided_at INTEGER
) STRICT;
CREATE INDEX proposal_node ON proposal (node_id);

-- Who may see sensitive memories in which session, why, and until when.
CREATE TABLE consent (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    granted_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE INDEX consent_session ON consent (session);

-- Which memories a transaction changed, and through which door. It holds ids and no words, so erasing changes nothing.
CREATE TABLE audit (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at        INTEGER NOT NULL,
    door      TEXT NOT NULL,
    actor     TEXT NOT NULL,
    operation TEXT NOT NULL,
    changes   TEXT NOT NULL CHECK (json_valid(changes)),
    digest    BLOB NOT NULL  -- of this row and the digest before
) STRICT;
