-- Rows that were committed and are not in `rows` yet, in parts of one size: a part takes a page and is written over
-- in place, so that a commit changes one page here instead of one in every index of `rows`.
CREATE TABLE late_rows (
  slot INTEGER PRIMARY KEY,
  part BLOB NOT NULL
) STRICT;

-- The last record of late rows that `rows` has.
ALTER TABLE positions ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
