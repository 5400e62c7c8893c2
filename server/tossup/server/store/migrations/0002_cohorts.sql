-- Whether a chunk may still grow: at most one for each manifest, question and day.
ALTER TABLE chunks ADD COLUMN growing INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX growing_chunks ON chunks (manifest, coalesce(question, ''), day)
    WHERE growing = 1;
