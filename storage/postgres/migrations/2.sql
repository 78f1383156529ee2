-- What is large in the rows of a thread, once.
CREATE TABLE annai_blobs (
  thread  text  COLLATE "C" NOT NULL,
  address bytea NOT NULL, -- row.Address
  data    bytea NOT NULL, -- the value as a row of package row
  PRIMARY KEY (thread, address)
);
ALTER TABLE annai_blobs ALTER COLUMN data SET STORAGE EXTERNAL;

-- Which rows have the address of which blob. No key keeps the two together, because whoever changes that holds the thread's lock.
CREATE TABLE annai_refs (
  thread    text   COLLATE "C" NOT NULL,
  namespace text   COLLATE "C" NOT NULL,
  id        bigint NOT NULL, -- of the record
  task      bigint NOT NULL, -- -1 for the record itself
  address   bytea  NOT NULL,
  PRIMARY KEY (thread, namespace, id, task, address),
  FOREIGN KEY (thread, namespace, id) REFERENCES annai_records ON DELETE CASCADE
);
