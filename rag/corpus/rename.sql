-- The names that the tables have in PostgreSQL, where others are beside them.
ALTER TABLE served RENAME TO annai_knowledge;
ALTER TABLE documents RENAME TO annai_documents;
ALTER TABLE passages RENAME TO annai_passages;
ALTER TABLE embedded RENAME TO annai_embedded;
ALTER TABLE vectors RENAME TO annai_vectors;
