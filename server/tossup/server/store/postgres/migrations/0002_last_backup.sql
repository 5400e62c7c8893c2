-- When the last copy was made, as `tossup backup --made` was told.
CREATE TABLE last_backup (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    seconds BIGINT NOT NULL
);
