-- What each reader of context packs was given, so that no pack repeats it. Rows older than a month are deleted.
CREATE TABLE given (
    reader BLOB    NOT NULL,  -- digest of the reader's name
    item   INTEGER NOT NULL,  -- id of a memory; negative: of an entity. Ids are never used again
    at     INTEGER NOT NULL,
    PRIMARY KEY (reader, item)
) WITHOUT ROWID;
