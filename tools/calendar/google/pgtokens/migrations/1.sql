CREATE TABLE annai_google_tokens (
  account text COLLATE "C" PRIMARY KEY,
  version text NOT NULL,
  token   text NOT NULL -- encrypted
);
