CREATE TABLE annai_seal (
  id   bigint PRIMARY KEY,
  data bytea NOT NULL -- a row of package row that only the store's key opens
);

-- Times are milliseconds since 1970, 0 where there is none.
CREATE TABLE annai_threads (
  id        text COLLATE "C" NOT NULL PRIMARY KEY,
  created   bigint NOT NULL,
  updated   bigint NOT NULL,
  status    text COLLATE "C" NOT NULL,
  graph     text COLLATE "C" NOT NULL,
  temporary bigint NOT NULL,
  expires   bigint NOT NULL,
  stated    bigint NOT NULL, -- when the state was written
  asks      bigint NOT NULL, -- how many tasks have questions
  events    bigint NOT NULL, -- the id of the last event
  doc       bytea  NOT NULL
);
CREATE INDEX annai_threads_created ON annai_threads (created, id) WHERE temporary = 0;
CREATE INDEX annai_threads_expires ON annai_threads (expires) WHERE expires > 0;

CREATE TABLE annai_states (
  thread  text COLLATE "C" NOT NULL PRIMARY KEY,
  content bytea NOT NULL, -- the values
  doc     bytea NOT NULL
);

CREATE TABLE annai_labels (
  label  bytea NOT NULL,
  thread text COLLATE "C" NOT NULL,
  PRIMARY KEY (label, thread)
);
CREATE INDEX annai_labels_thread ON annai_labels (thread);

CREATE TABLE annai_runs (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- the order of creation
  id      text COLLATE "C" NOT NULL UNIQUE,
  thread  text COLLATE "C" NOT NULL,
  status  text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  due     bigint NOT NULL,
  started bigint NOT NULL,
  ended   bigint NOT NULL,
  owner   text COLLATE "C" NOT NULL,
  lease   bigint NOT NULL,
  attempt bigint NOT NULL,
  cancel  text COLLATE "C" NOT NULL,
  events  bigint NOT NULL, -- the id of the last event of the thread when it was created
  failure bytea  NOT NULL,
  doc     bytea  NOT NULL
);
CREATE INDEX annai_runs_thread ON annai_runs (thread, seq);
CREATE INDEX annai_runs_open ON annai_runs (thread, seq) WHERE status IN ('pending', 'running');

CREATE TABLE annai_events (
  thread    text COLLATE "C" NOT NULL,
  id        bigint NOT NULL,
  run       text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  node      text COLLATE "C" NOT NULL,
  step      bigint NOT NULL,
  data      bytea  NOT NULL,
  PRIMARY KEY (thread, id)
);
CREATE INDEX annai_events_at ON annai_events (at);

CREATE TABLE annai_assistants (
  id      text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  latest  bigint NOT NULL,
  doc     bytea  NOT NULL,
  PRIMARY KEY (id, version)
);

CREATE TABLE annai_items (
  path    bytea  NOT NULL PRIMARY KEY, -- the namespace and the key
  depth   bigint NOT NULL,             -- how many labels the namespace has
  created bigint NOT NULL,
  updated bigint NOT NULL,
  expires bigint NOT NULL,
  doc     bytea  NOT NULL
);
CREATE INDEX annai_items_expires ON annai_items (expires) WHERE expires > 0;

CREATE TABLE annai_crons (
  id     text COLLATE "C" NOT NULL PRIMARY KEY,
  thread text COLLATE "C" NOT NULL, -- empty: each run has one of its own
  next   bigint NOT NULL, -- 0 while it is not enabled
  doc    bytea  NOT NULL
);
CREATE INDEX annai_crons_next ON annai_crons (next) WHERE next > 0;
CREATE INDEX annai_crons_thread ON annai_crons (thread);
