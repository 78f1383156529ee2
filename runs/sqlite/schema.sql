CREATE TABLE annai_seal (
  id   INTEGER PRIMARY KEY,
  data BLOB NOT NULL -- a row of package row that only the store's key opens
) STRICT;

-- Times are milliseconds since 1970, 0 where there is none.
CREATE TABLE annai_threads (
  id        TEXT    NOT NULL PRIMARY KEY,
  created   INTEGER NOT NULL,
  updated   INTEGER NOT NULL,
  status    TEXT    NOT NULL,
  graph     TEXT    NOT NULL,
  temporary INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  stated    INTEGER NOT NULL, -- when the state was written
  asks      INTEGER NOT NULL, -- how many tasks have questions
  events    INTEGER NOT NULL, -- the id of the last event
  doc       BLOB    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX annai_threads_created ON annai_threads (created, id) WHERE temporary = 0;
CREATE INDEX annai_threads_expires ON annai_threads (expires) WHERE expires > 0;

CREATE TABLE annai_states (
  thread  TEXT NOT NULL PRIMARY KEY,
  content BLOB NOT NULL, -- the values
  doc     BLOB NOT NULL
) STRICT;

CREATE TABLE annai_labels (
  label  BLOB NOT NULL,
  thread TEXT NOT NULL,
  PRIMARY KEY (label, thread)
) STRICT, WITHOUT ROWID;
CREATE INDEX annai_labels_thread ON annai_labels (thread);

CREATE TABLE annai_runs (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of creation
  id      TEXT    NOT NULL UNIQUE,
  thread  TEXT    NOT NULL,
  status  TEXT    NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  due     INTEGER NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  owner   TEXT    NOT NULL,
  lease   INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  cancel  TEXT    NOT NULL,
  events  INTEGER NOT NULL, -- the id of the last event of the thread when it was created
  failure BLOB    NOT NULL,
  doc     BLOB    NOT NULL
) STRICT;
CREATE INDEX annai_runs_thread ON annai_runs (thread, seq);
CREATE INDEX annai_runs_open ON annai_runs (thread, seq) WHERE status IN ('pending', 'running');

CREATE TABLE annai_events (
  thread    TEXT    NOT NULL,
  id        INTEGER NOT NULL,
  run       TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  kind      TEXT    NOT NULL,
  namespace TEXT    NOT NULL,
  node      TEXT    NOT NULL,
  step      INTEGER NOT NULL,
  data      BLOB    NOT NULL,
  PRIMARY KEY (thread, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX annai_events_at ON annai_events (at);

CREATE TABLE annai_assistants (
  id      TEXT    NOT NULL,
  version INTEGER NOT NULL,
  latest  INTEGER NOT NULL,
  doc     BLOB    NOT NULL,
  PRIMARY KEY (id, version)
) STRICT;

CREATE TABLE annai_items (
  path    BLOB    NOT NULL PRIMARY KEY, -- the namespace and the key
  depth   INTEGER NOT NULL,             -- how many labels the namespace has
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  doc     BLOB    NOT NULL
) STRICT;
CREATE INDEX annai_items_expires ON annai_items (expires) WHERE expires > 0;

CREATE TABLE annai_crons (
  id     TEXT    NOT NULL PRIMARY KEY,
  thread TEXT    NOT NULL, -- empty: each run has one of its own
  next   INTEGER NOT NULL, -- 0 while it is not enabled
  doc    BLOB    NOT NULL
) STRICT;
CREATE INDEX annai_crons_next ON annai_crons (next) WHERE next > 0;
CREATE INDEX annai_crons_thread ON annai_crons (thread);
