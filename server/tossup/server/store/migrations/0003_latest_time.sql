-- The latest time at which someone was signed in: a clock that is set back revives no session.
CREATE TABLE latest_time (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seconds INTEGER NOT NULL
);
