CREATE TABLE streams (
  no           INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  root         TEXT NOT NULL,
  parent       TEXT,
  rev          INTEGER NOT NULL,
  owner        TEXT NOT NULL,
  kind         TEXT NOT NULL,
  project      TEXT,
  broadcast    INTEGER NOT NULL,
  created_by   TEXT,
  created_at   TEXT NOT NULL,
  base_seq     INTEGER NOT NULL,
  base_hash    BLOB NOT NULL,
  floor_seq    INTEGER NOT NULL,
  floor_hash   BLOB NOT NULL,
  head_seq     INTEGER NOT NULL,
  head_hash    BLOB NOT NULL,
  epoch        INTEGER NOT NULL,
  state        TEXT NOT NULL
) STRICT;
CREATE INDEX streams_by_root ON streams (root);

-- The last position given. One row, written once a commit: a position is never given twice, not even
-- after a purge of the newest events. (AUTOINCREMENT does the same for every row, at a cost.)
CREATE TABLE positions (
  last INTEGER NOT NULL
) STRICT;
INSERT INTO positions (last) VALUES (0);

CREATE TABLE events (
  pos    INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL,
  seq    INTEGER NOT NULL,
  id     TEXT NOT NULL UNIQUE,
  type   TEXT NOT NULL,
  body   TEXT NOT NULL,
  hash   BLOB NOT NULL,
  UNIQUE (stream, seq)
) STRICT;

CREATE TABLE keys (
  key    TEXT PRIMARY KEY,
  stream TEXT NOT NULL,
  seq    INTEGER NOT NULL
) STRICT;

CREATE TABLE rows (
  kind   TEXT NOT NULL,
  id     TEXT NOT NULL,
  stream TEXT NOT NULL,
  state  TEXT NOT NULL,
  at     INTEGER NOT NULL,
  doc    TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX rows_by_time ON rows (kind, at DESC, id DESC);
CREATE INDEX rows_by_state ON rows (kind, state, at DESC, id DESC);
CREATE INDEX rows_by_stream ON rows (stream, kind, at DESC, id DESC);

CREATE TABLE blobs (
  sha256 TEXT PRIMARY KEY,
  bytes  BLOB NOT NULL
) STRICT;
CREATE TABLE blob_refs (
  sha256 TEXT NOT NULL,
  stream TEXT NOT NULL,
  seq    INTEGER NOT NULL,
  PRIMARY KEY (stream, seq, sha256)
) STRICT;
CREATE INDEX blob_refs_by_hash ON blob_refs (sha256);

CREATE TABLE seals (
  stream TEXT NOT NULL,
  seq    INTEGER NOT NULL,
  box    BLOB NOT NULL,
  PRIMARY KEY (stream, seq)
) STRICT;
