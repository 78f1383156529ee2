package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"annai/internal/config"
	"annai/internal/setup"
	"annai/internal/sqlitefile"
	"annai/server/keys"
)

// files reads all of the databases in the data folder, and looks who else may read or change what
// is in it.
func (d *doctor) files(ctx context.Context, c config.Config) {
	if c.Data == "" {
		return
	}
	databases, err := filepath.Glob(filepath.Join(c.Data, "*.db"))
	if err != nil {
		d.say(false, "files", "%v", err)
		return
	}
	whole := 0
	for _, path := range databases {
		if err := sqlitefile.Check(ctx, path); err != nil {
			d.say(false, "files", "%s: %v", filepath.Base(path), setup.OneLine(err))
			continue
		}
		whole++
	}
	d.say(whole == len(databases), "files", "%d of %d databases are whole", whole, len(databases))
	d.modes(c.Data, databases)
}

// modes says which files others may read or change.
func (d *doctor) modes(data string, databases []string) {
	if runtime.GOOS == "windows" {
		return
	}
	for _, path := range append(databases, keys.In(data).Path(), data) {
		others := fs.FileMode(0o077)
		if path == data { // what is in it may be listed
			others = 0o022
		}
		info, err := os.Stat(path)
		if err == nil && info.Mode().Perm()&others != 0 {
			d.say(false, "files", "others may use %s (%v): chmod go= %s", path, info.Mode().Perm(), path)
		}
	}
}
