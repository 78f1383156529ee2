package local

import (
	"database/sql"
	"strings"
	"testing"
)

// Exec runs statements on the file, which need not be a calendar.
func Exec(t *testing.T, path, statements string) {
	t.Helper()
	db := connect(t, path)
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

// Hold begins to write to the file, as another process may, and returns what ends that.
func Hold(t *testing.T, path string) (release func()) {
	t.Helper()
	db := connect(t, path)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = tx.Rollback()
		_ = db.Close()
	}
}

func connect(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// Plan is how SQLite finds the events of a window.
func (c *Calendar) Plan(t *testing.T) string {
	t.Helper()
	rows, err := c.table.place.(file).Read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+windowQuery, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(detail + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
