CREATE TABLE annai_tasks (
  number    bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner     text    COLLATE "C" NOT NULL,
  -- The key under which it was created.
  id        text    COLLATE "C" NOT NULL,
  title     text    NOT NULL,
  notes     text    NOT NULL,
  -- YYYY-MM-DD, or empty.
  due       text    NOT NULL,
  -- Milliseconds since 1970. completed is none for an open task.
  updated   bigint  NOT NULL,
  completed bigint,
  -- Of one that was deleted only the id is left, which keeps it from being used again.
  deleted   boolean NOT NULL DEFAULT FALSE,
  UNIQUE (owner, id)
);
