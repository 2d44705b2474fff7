-- How far this file is a copy of its space in a fleet: see store/fleet/. Empty for a file that is alone.
CREATE TABLE fleet_position (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    space    TEXT NOT NULL,     -- the uid of the space
    sequence INTEGER NOT NULL   -- the last transaction of the space that this file holds
) STRICT;
