package sqlitefile

import (
	"context"
	"database/sql"
	"fmt"

	"annai/fault"
)

// Check reads all of a file that is there, and changes nothing. A file that is damaged, or no
// database, is [fault.ErrInvalid].
func Check(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", address(path)+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return Fault(err)
	}
	defer func() {
		if closed := db.Close(); err == nil {
			err = Fault(closed)
		}
	}()
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		if code := CodeOf(err); code == Corrupt || code == NoDatabase {
			return fmt.Errorf("%s: %w: %w", Why(err), err, fault.ErrInvalid)
		}
		return Fault(err)
	}
	if found != "ok" {
		return fmt.Errorf("the file is damaged: %s: %w", found, fault.ErrInvalid)
	}
	return nil
}
