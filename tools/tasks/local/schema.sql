CREATE TABLE tasks (
  number    INTEGER PRIMARY KEY,
  owner     TEXT    NOT NULL,
  -- The key under which it was created.
  id        TEXT    NOT NULL,
  title     TEXT    NOT NULL,
  notes     TEXT    NOT NULL,
  -- YYYY-MM-DD, or empty.
  due       TEXT    NOT NULL,
  -- Milliseconds since 1970. completed is none for an open task.
  updated   INTEGER NOT NULL,
  completed INTEGER,
  -- Of one that was deleted only the id is left, which keeps it from being used again.
  deleted   INTEGER NOT NULL DEFAULT FALSE,
  UNIQUE (owner, id)
) STRICT;
