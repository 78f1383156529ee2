-- One row: what is served has this version.
CREATE TABLE served (
  version INTEGER NOT NULL
) STRICT;
INSERT INTO served VALUES (0);

CREATE TABLE documents (
  number   INTEGER PRIMARY KEY,
  path     TEXT    NOT NULL, -- where the file is, from the root of its file system
  root     TEXT    NOT NULL, -- the path that was ingested: the file's, or a folder's above it
  name     TEXT    NOT NULL, -- what its passages call it
  hash     BLOB    NOT NULL, -- of the file, and of what was said to read it with
  pair     TEXT    NOT NULL,
  sections INTEGER NOT NULL,
  staged   INTEGER NOT NULL, -- 1: read, and not served yet
  UNIQUE (path, staged)
) STRICT;
CREATE INDEX documents_by_name ON documents (name);
CREATE INDEX documents_by_root ON documents (root, staged);

CREATE TABLE passages (
  document    INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  place       INTEGER NOT NULL, -- in the document, from 0
  id          TEXT    NOT NULL,
  title       TEXT    NOT NULL,
  text        TEXT    NOT NULL,
  lang        TEXT    NOT NULL,
  category    TEXT    NOT NULL,
  source      TEXT    NOT NULL,
  updated     TEXT    NOT NULL, -- days as 2006-01-02, or empty
  valid_from  TEXT    NOT NULL,
  valid_until TEXT    NOT NULL,
  section     TEXT    NOT NULL, -- the pair of its section
  part        INTEGER NOT NULL, -- in the section, from 0
  parts       INTEGER NOT NULL,
  pair        TEXT    NOT NULL, -- as it is served
  PRIMARY KEY (document, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX passages_by_section ON passages (section) WHERE section <> '';

-- The texts that an embedder was asked for on behalf of a document.
CREATE TABLE embedded (
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  hash     BLOB    NOT NULL,
  PRIMARY KEY (document, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX embedded_by_hash ON embedded (hash);

CREATE TABLE vectors (
  fingerprint TEXT NOT NULL,
  hash        BLOB NOT NULL,
  vector      BLOB NOT NULL, -- little-endian float32
  PRIMARY KEY (fingerprint, hash)
) STRICT, WITHOUT ROWID;
