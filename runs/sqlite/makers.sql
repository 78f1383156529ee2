-- Who made a thread and from where, as digests, and about how many bytes were written to it.
ALTER TABLE annai_threads ADD COLUMN bytes   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE annai_threads ADD COLUMN maker   BLOB    NOT NULL DEFAULT x'';
ALTER TABLE annai_threads ADD COLUMN network BLOB    NOT NULL DEFAULT x'';
-- What a maker has is summed out of these, without a look at the rows, which may be large.
CREATE INDEX annai_threads_maker ON annai_threads (maker, bytes);
CREATE INDEX annai_threads_network ON annai_threads (network, bytes);
