package postgres

import (
	"embed"

	"annai/internal/pgdb"
)

//go:embed migrations/*.sql
var migrations embed.FS

// tablesIn are those of this package, in a schema.
func tablesIn(schema string) pgdb.Tables {
	return pgdb.Tables{Migrations: migrations, Versions: "annai_versions", Lock: 0x616e6e6169, Schema: schema} // the lock is annai
}
