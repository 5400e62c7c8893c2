-- Surveys that are being written: the survey file as text. The trial is a secret address where
-- anyone who knows it can try the draft. A draft that was published stays, so that the next
-- version begins with what its author wrote.
CREATE TABLE drafts (
    number INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    trial TEXT NOT NULL UNIQUE,
    edited_on TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    published TEXT
);
