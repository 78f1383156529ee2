-- One row: what is served has this version.
CREATE TABLE annai_knowledge (
  version bigint NOT NULL
);
INSERT INTO annai_knowledge VALUES (0);

CREATE TABLE annai_documents (
  number   bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  path     text    COLLATE "C" NOT NULL, -- where the file is, from the root of its file system
  root     text    COLLATE "C" NOT NULL, -- the path that was ingested: the file's, or a folder's above it
  name     text    COLLATE "C" NOT NULL, -- what its passages call it
  hash     bytea   NOT NULL, -- of the file, and of what was said to read it with
  pair     text    COLLATE "C" NOT NULL,
  sections bigint  NOT NULL,
  staged   boolean NOT NULL, -- read, and not served yet
  UNIQUE (path, staged)
);
CREATE INDEX annai_documents_name ON annai_documents (name);
CREATE INDEX annai_documents_root ON annai_documents (root, staged);

CREATE TABLE annai_passages (
  document    bigint NOT NULL REFERENCES annai_documents ON DELETE CASCADE,
  place       bigint NOT NULL, -- in the document, from 0
  id          text   NOT NULL,
  title       text   NOT NULL,
  text        text   NOT NULL,
  lang        text   NOT NULL,
  category    text   NOT NULL,
  source      text   NOT NULL,
  updated     text   NOT NULL, -- days as 2006-01-02, or empty
  valid_from  text   NOT NULL,
  valid_until text   NOT NULL,
  section     text   COLLATE "C" NOT NULL, -- the pair of its section
  part        bigint NOT NULL, -- in the section, from 0
  parts       bigint NOT NULL,
  pair        text   NOT NULL, -- as it is served
  PRIMARY KEY (document, place)
);
CREATE INDEX annai_passages_section ON annai_passages (section) WHERE section <> '';

-- The texts that an embedder was asked for on behalf of a document.
CREATE TABLE annai_embedded (
  document bigint NOT NULL REFERENCES annai_documents ON DELETE CASCADE,
  hash     bytea  NOT NULL,
  PRIMARY KEY (document, hash)
);
CREATE INDEX annai_embedded_hash ON annai_embedded (hash);

CREATE TABLE annai_vectors (
  fingerprint text  COLLATE "C" NOT NULL,
  hash        bytea NOT NULL,
  vector      bytea NOT NULL, -- little-endian float32
  PRIMARY KEY (fingerprint, hash)
);
ALTER TABLE annai_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
