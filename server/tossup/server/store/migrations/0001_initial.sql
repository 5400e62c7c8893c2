-- Surveys, and every version of them as its publisher signed it.
CREATE TABLE surveys (
    id TEXT PRIMARY KEY,
    manifest INTEGER NOT NULL,      -- the current version
    closed_on TEXT,                 -- the day it was closed by hand
    expired_on TEXT,                -- the day its reports were deleted; counters stay
    reports INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1
) WITHOUT ROWID;

CREATE TABLE manifests (
    number INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    survey TEXT NOT NULL REFERENCES surveys (id) DEFERRABLE INITIALLY DEFERRED,
    version INTEGER NOT NULL,
    envelope BLOB NOT NULL,
    UNIQUE (survey, version)
);

-- Reports, packed: one row for all that were committed together, never one a report.
-- AUTOINCREMENT: numbers only grow, so that other processes find what is new.
CREATE TABLE chunks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    survey TEXT NOT NULL REFERENCES surveys (id),
    manifest INTEGER NOT NULL REFERENCES manifests (number),
    question TEXT,                  -- NULL: each report answers all questions
    day TEXT NOT NULL,
    ids BLOB NOT NULL,              -- 16 bytes a report, ascending
    columns BLOB NOT NULL,
    attributes BLOB NOT NULL
);
CREATE INDEX chunks_by_survey ON chunks (survey);

-- Counters, changed in the transaction that changes chunks.
CREATE TABLE tallies (
    manifest INTEGER NOT NULL REFERENCES manifests (number),
    question TEXT NOT NULL,
    day TEXT NOT NULL,
    stratum INTEGER NOT NULL,
    value INTEGER NOT NULL,
    n INTEGER NOT NULL CHECK (n >= 0),
    PRIMARY KEY (manifest, question, day, stratum, value)
) WITHOUT ROWID;

-- Ids whose reports were taken back: a late copy must not be counted.
CREATE TABLE withdrawals (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    survey TEXT NOT NULL REFERENCES surveys (id),
    ids BLOB NOT NULL
);
CREATE INDEX withdrawals_by_survey ON withdrawals (survey);

-- Who may look. Only digests of secrets are kept; times are those of researchers at work.
CREATE TABLE api_keys (
    number INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_on TEXT NOT NULL,
    revoked INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE setup_links (
    digest BLOB PRIMARY KEY,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
    digest BLOB PRIMARY KEY,
    began INTEGER NOT NULL,
    seen INTEGER NOT NULL
) WITHOUT ROWID;
