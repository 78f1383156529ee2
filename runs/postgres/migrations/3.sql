-- Which writing of an item this is, and an index that says so without a look at the rows, which may be large.
ALTER TABLE annai_items ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE INDEX annai_items_versions ON annai_items (path, depth, expires, version);
