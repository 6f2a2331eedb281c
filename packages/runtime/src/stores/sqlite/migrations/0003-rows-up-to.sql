-- Rows are made of events after these were committed: no record of them is needed beside the events any more, only
-- the position up to which that has happened. Until now it was part of every commit.
DROP TABLE late_rows;
ALTER TABLE positions DROP COLUMN settled;
ALTER TABLE positions ADD COLUMN rows_up_to INTEGER NOT NULL DEFAULT 0;
UPDATE positions SET rows_up_to = max(last, coalesce((SELECT max(pos) FROM events), 0));
