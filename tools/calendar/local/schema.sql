CREATE TABLE events (
  number   INTEGER PRIMARY KEY,
  id       TEXT    NOT NULL UNIQUE,
  revision INTEGER NOT NULL,
  -- Seconds since 1970: before first and from until on there is no instance of it, wherever days are meant. Without end: 1 << 62.
  first    INTEGER,
  until    INTEGER,
  -- Whether it is a series, or reaches over a longer time than reads want to look back.
  long     INTEGER NOT NULL,
  -- The event as JSON. None: it was deleted, and what is left keeps the id from being used again.
  data     TEXT
) STRICT;

CREATE INDEX short_events ON events (first, until, revision, long) WHERE NOT long;
CREATE INDEX long_events ON events (until, first, revision, long) WHERE long;
