CREATE TABLE annai_keys (
  one     boolean PRIMARY KEY DEFAULT true CHECK (one), -- there is one list
  version bigint  NOT NULL,
  list    bytea   NOT NULL -- what keys.json would have: names, roles and hashes, and no key
);

INSERT INTO annai_keys (version, list) VALUES (0, '{"keys":null}');

CREATE TABLE annai_keys_used (
  name text PRIMARY KEY,
  at   timestamptz NOT NULL
);
