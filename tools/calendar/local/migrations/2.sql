-- How often each calendar was changed, so that who has read it need not read it again to know.
CREATE TABLE annai_calendar_changes (
  calendar text   COLLATE "C" PRIMARY KEY,
  changes  bigint NOT NULL
);

CREATE FUNCTION annai_calendar_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO annai_calendar_changes AS c (calendar, changes) VALUES (NEW.calendar, 1)
  ON CONFLICT (calendar) DO UPDATE SET changes = c.changes + 1;
  RETURN NULL;
END
$$;

CREATE TRIGGER annai_calendar_events_changed AFTER INSERT OR UPDATE ON annai_calendar_events
  FOR EACH ROW EXECUTE FUNCTION annai_calendar_changed();
