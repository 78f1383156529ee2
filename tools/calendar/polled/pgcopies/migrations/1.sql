CREATE TABLE annai_feeds (
  calendar text COLLATE "C" NOT NULL,
  address  text COLLATE "C" NOT NULL, -- a sum of it
  -- The copy: its digest, '' for none, what it is with what the source said of it, and of when it is known to be.
  version  text   NOT NULL DEFAULT '',
  copy     bytea,
  read     bigint NOT NULL DEFAULT 0, -- nanoseconds since 1970, by the clock of who asked; 0: never
  -- Who asks the source, until when nobody else does, and when the next may.
  claim    text   NOT NULL DEFAULT '',
  claimed  timestamptz NOT NULL DEFAULT '-infinity',
  due      timestamptz NOT NULL DEFAULT '-infinity',
  used     timestamptz NOT NULL DEFAULT now(),
  -- Why the last one did not get it; '' if it did.
  failure  text   NOT NULL DEFAULT '',
  PRIMARY KEY (calendar, address)
);
