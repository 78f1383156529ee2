package postgres

import (
	"embed"

	"annai/internal/pgdb"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ours are the tables of this package.
var ours = pgdb.Tables{Migrations: migrations, Versions: "annai_run_versions", Lock: 0x616e7275} // the lock is anru
