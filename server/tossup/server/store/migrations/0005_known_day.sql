-- The latest day that was believed: what the clock says must not be far beyond it before reports
-- are deleted for good. Data of an earlier version has the day of its last report or sign-in.
CREATE TABLE known_day (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    day TEXT NOT NULL
);
INSERT INTO known_day
SELECT 1, day FROM (
    SELECT max(day) AS day FROM (
        SELECT max(day) AS day FROM tallies WHERE n > 0
        UNION ALL SELECT date(max(seconds), 'unixepoch') FROM latest_time
    )
)
WHERE day IS NOT NULL;
