CREATE TABLE annai_calendar_events (
  number   bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  calendar text    COLLATE "C" NOT NULL,
  id       text    COLLATE "C" NOT NULL,
  revision bigint  NOT NULL,
  -- Seconds since 1970: before first and from until on there is no instance of it, wherever days are meant. Without end: 1 << 62.
  first    bigint,
  until    bigint,
  -- Whether it is a series, or reaches over a longer time than reads want to look back.
  long     boolean NOT NULL,
  -- The event as JSON, or encrypted. None: it was deleted, and what is left keeps the id from being used again.
  data     text,
  UNIQUE (calendar, id)
);

CREATE INDEX annai_calendar_events_short ON annai_calendar_events (calendar, first, until, revision, number) WHERE NOT long;
CREATE INDEX annai_calendar_events_long ON annai_calendar_events (calendar, until, first, revision, number) WHERE long;
