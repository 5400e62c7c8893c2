-- When the last copy that was checked was begun. Not moved to another database, which has none yet.
CREATE TABLE last_backup (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seconds INTEGER NOT NULL
);
