package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"annai/internal/budget"
)

func BenchmarkZY(b *testing.B) {
	path := filepath.Join(b.TempDir(), "annai.db")
	db, _ := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)")
	ctx := context.Background()
	conn, _ := db.Conn(ctx)
	conn.ExecContext(ctx, "create table t(a)")
	n := 0
	var times [8][]float64
	for range 1000 {
		n++
		for i, f := range []func(){
			func() { conn.ExecContext(ctx, "PRAGMA synchronous = FULL") },
			func() { conn.ExecContext(ctx, "PRAGMA synchronous = NORMAL") },
			func() { conn.ExecContext(ctx, "PRAGMA synchronous=1") },
			func() { conn.ExecContext(ctx, "SAVEPOINT x") },
			func() { conn.ExecContext(ctx, "RELEASE x") },
		} {
			began := time.Now()
			f()
			times[i] = append(times[i], float64(time.Since(began))/1000)
		}
	}
	for i := range times[:5] {
		fmt.Printf("%d median %.1f\n", i, budget.Median(times[i]))
	}
}
