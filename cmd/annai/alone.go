package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"annai/internal/config"
)

// alone says in words what each of several servers has for itself though they share a PostgreSQL.
// Empty without one.
func (a *assembly) alone(c config.Config) []string {
	if c.Postgres == "" {
		return nil
	}
	own := []string{
		"limits of what is open count for each server",
		"pictures and films that tools make can be fetched from the server that made them",
	}
	if c.Google.Redirect != "" {
		own = append(own, "who connects Google in a browser must come back to the same server")
	}
	if c.Google.ClientID != "" && c.Google.TokenStore == "file" {
		own = append(own,
			"tokens of Google are in the data folder of each server (google-token-store postgres shares them)")
	}
	if unread := unread(c.Data); len(unread) > 0 {
		own = append(own, "nothing is read of "+strings.Join(unread, ", ")+" in the data folder, whose place "+
			"PostgreSQL has (calendars and tasks were copied where it had none; documents are to be ingested again)")
	}
	return own
}

// unread are the databases in a data folder that are not opened where a PostgreSQL is.
func unread(data string) (names []string) {
	if data == "" {
		return nil
	}
	for _, pattern := range []string{"annai.db", "runs.db", "threads.db", "tasks.db", knowledgeFile, "calendar-*.db"} {
		found, _ := filepath.Glob(filepath.Join(data, pattern)) // the patterns are right
		for _, path := range found {
			if isFile(path) {
				names = append(names, filepath.Base(path))
			}
		}
	}
	return names
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// warnAlone says so in the log, once.
func (a *assembly) warnAlone(c config.Config, log *slog.Logger) {
	if own := a.alone(c); len(own) > 0 {
		log.Warn("not shared with other servers on this PostgreSQL", "what", strings.Join(own, "; "))
	}
}

// alone says what is not shared.
func (d *doctor) alone(a *assembly, c config.Config) {
	for _, what := range a.alone(c) {
		d.note("servers", "not shared: %s", what)
	}
}
