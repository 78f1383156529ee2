-- The log of threads. A parent that is deleted takes its children with it, so that a record put meanwhile can't be left without it.
CREATE TABLE annai_records (
  thread    text   COLLATE "C" NOT NULL,
  namespace text   COLLATE "C" NOT NULL,
  id        bigint NOT NULL,
  parent    bigint,          -- NULL where the record has none
  base      bigint NOT NULL,
  at        bigint NOT NULL, -- nanoseconds since 1970
  data      bytea  NOT NULL, -- graph.Record as a row of package row
  PRIMARY KEY (thread, namespace, id),
  FOREIGN KEY (thread, namespace, parent) REFERENCES annai_records ON DELETE CASCADE
);
-- For deletes, which look for children. The parent comes first so that nothing else takes this index for that of the primary key.
CREATE INDEX annai_records_parent ON annai_records (parent, thread, namespace);

CREATE TABLE annai_writes (
  thread    text   COLLATE "C" NOT NULL,
  namespace text   COLLATE "C" NOT NULL,
  id        bigint NOT NULL, -- of the record
  task      bigint NOT NULL,
  data      bytea  NOT NULL, -- graph.TaskWrites as a row of package row
  PRIMARY KEY (thread, namespace, id, task),
  FOREIGN KEY (thread, namespace, id) REFERENCES annai_records ON DELETE CASCADE
);

-- Rows are compressed by us or not at all.
ALTER TABLE annai_records ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE annai_writes ALTER COLUMN data SET STORAGE EXTERNAL;
