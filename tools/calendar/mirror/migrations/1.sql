CREATE TABLE annai_mirrors (
  number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  calendar text   COLLATE "C" NOT NULL,
  origin   text   COLLATE "C" NOT NULL,
  -- Grows whenever the copy changes. 0: there is none.
  version  bigint NOT NULL DEFAULT 0,
  state    bytea,            -- the copy as it is in a file
  token    text   NOT NULL DEFAULT '',
  synced   bigint NOT NULL DEFAULT 0, -- nanoseconds since 1970, by the clock of who synced
  -- Who syncs, until when nobody else does, when that began, and when the next may begin.
  claim    text   NOT NULL DEFAULT '',
  claimed  timestamptz NOT NULL DEFAULT '-infinity',
  began    timestamptz NOT NULL DEFAULT '-infinity',
  due      timestamptz NOT NULL DEFAULT '-infinity',
  -- How many syncs failed in a row, and why the last did.
  failures bigint NOT NULL DEFAULT 0,
  kind     text   NOT NULL DEFAULT '',
  failure  text   NOT NULL DEFAULT '',
  UNIQUE (calendar, origin)
);

-- What was written to the calendar since the last sync that began afterwards.
CREATE TABLE annai_mirror_writes (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mirror bigint NOT NULL REFERENCES annai_mirrors ON DELETE CASCADE,
  begun  timestamptz NOT NULL DEFAULT now(),
  -- In which order they were answered. None: it was not answered yet.
  mark   bigint,
  id     text   NOT NULL DEFAULT '',
  kind   text   NOT NULL DEFAULT '', -- written, deleted or unknown
  event  bytea                       -- as it was written, in the form of a state
);
CREATE INDEX annai_mirror_writes_mirror ON annai_mirror_writes (mirror);
CREATE SEQUENCE annai_mirror_marks;
