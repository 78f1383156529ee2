-- What is large in the rows of a thread, once: version 3.
CREATE TABLE blobs (
  thread  TEXT NOT NULL,
  address BLOB NOT NULL, -- row.Address
  data    BLOB NOT NULL, -- the value as a row of package row
  PRIMARY KEY (thread, address)
) STRICT;

-- Which rows have the address of which blob.
CREATE TABLE refs (
  thread    TEXT    NOT NULL,
  namespace TEXT    NOT NULL,
  id        INTEGER NOT NULL, -- of the record
  task      INTEGER NOT NULL, -- -1 for the record itself
  address   BLOB    NOT NULL,
  PRIMARY KEY (thread, namespace, id, task, address),
  FOREIGN KEY (thread, namespace, id) REFERENCES records ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX refs_address ON refs (thread, address);

-- A blob goes with the last row that has its address, whatever takes that away.
CREATE TRIGGER refs_forget AFTER DELETE ON refs
WHEN NOT EXISTS (SELECT 1 FROM refs WHERE thread = old.thread AND address = old.address)
BEGIN
  DELETE FROM blobs WHERE thread = old.thread AND address = old.address;
END;

-- What replaces a task's writes has addresses of its own, which are said afterwards.
CREATE TRIGGER writes_replaced AFTER UPDATE ON writes
BEGIN
  DELETE FROM refs WHERE thread = old.thread AND namespace = old.namespace AND id = old.id AND task = old.task;
END;
