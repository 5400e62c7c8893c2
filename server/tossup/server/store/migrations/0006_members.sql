-- The people who look after surveys on this server. A password is kept as scrypt's output.
CREATE TABLE members (
    number INTEGER PRIMARY KEY AUTOINCREMENT,   -- never reused
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    password TEXT,                  -- NULL until one is chosen by a one-time link
    created_on TEXT NOT NULL
);

-- Keys, links and sessions of before are those of the machine's owner: member NULL.
ALTER TABLE api_keys ADD COLUMN role TEXT NOT NULL DEFAULT 'owner';
ALTER TABLE api_keys ADD COLUMN used_on TEXT;
ALTER TABLE setup_links ADD COLUMN member INTEGER REFERENCES members (number) ON DELETE CASCADE;
ALTER TABLE sessions ADD COLUMN member INTEGER REFERENCES members (number) ON DELETE CASCADE;

-- Attempts to sign in by a password since a time, by the digest of the name: of names that nobody
-- has, too. Rows end with the window; each costs an attempt, so there are few.
CREATE TABLE sign_in_attempts (
    name BLOB PRIMARY KEY,
    since INTEGER NOT NULL,
    attempts INTEGER NOT NULL
) WITHOUT ROWID;

-- Who changed what. Each line's digest covers the line before it; lines are only added.
CREATE TABLE record (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,            -- seconds since 1970
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    subject TEXT NOT NULL,
    digest BLOB NOT NULL
);
CREATE TRIGGER record_is_never_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
CREATE TRIGGER record_is_never_shortened BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
