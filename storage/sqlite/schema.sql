CREATE TABLE records (
  thread    TEXT    NOT NULL,
  namespace TEXT    NOT NULL,
  id        INTEGER NOT NULL,
  parent    INTEGER NOT NULL,
  base      INTEGER NOT NULL,
  at        INTEGER NOT NULL, -- nanoseconds since 1970
  data      BLOB    NOT NULL, -- graph.Record as a row of package row
  PRIMARY KEY (thread, namespace, id)
) STRICT;

CREATE TABLE writes (
  thread    TEXT    NOT NULL,
  namespace TEXT    NOT NULL,
  id        INTEGER NOT NULL, -- of the record
  task      INTEGER NOT NULL,
  data      BLOB    NOT NULL, -- graph.TaskWrites as a row of package row
  PRIMARY KEY (thread, namespace, id, task),
  FOREIGN KEY (thread, namespace, id) REFERENCES records ON DELETE CASCADE
) STRICT;
