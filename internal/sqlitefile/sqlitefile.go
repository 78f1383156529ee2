// Package sqlitefile opens SQLite files: modernc.org/sqlite has its home here.
//
// Its one idea: a file belongs to one kind of data and has a version, and opening it brings it to the version that this annai knows, all of the
// way or not at all. One connection writes, and a commit waits for the disk; several read, in WAL mode, and never wait for it. Who writes much has a
// [Writer], by which many changes share a commit. What the library says becomes kinds of package fault, in words that say what can be done. The
// package knows no table.
package sqlitefile

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver named sqlite

	"annai/fault"
)

// Options are the settings of a [File] that have a default.
type Options struct {
	// Application is the number by which files of this kind are told from others; it must not be that of another kind. Zero is none: then a file
	// with tables and without a version is one of something else.
	Application int32
	// Migrations lead from one version to the next, in order: the first makes a file of version 1. They are only ever added to.
	Migrations []Migration
	// Readers is how many connections read; 0 is 4.
	Readers int
	// Busy is how long SQLite waits by itself while another process has the file, which nobody can cut short; 0 is five seconds.
	Busy time.Duration
	// Relaxed commits do not wait for the disk: the last ones may be lost with the power, none with the process, and the file is whole.
	Relaxed bool
}

// A File is an open SQLite file. It is safe for concurrent use.
type File struct {
	// Write has one connection, and its transactions begin by taking the file. Read has several; in memory it is the same as Write.
	Write, Read *sql.DB
	// Path is the whole path of the file; empty in memory.
	Path string

	forgetter forgetter
}

// Open opens the file, or makes it with its folder, for nobody else to read, and migrates it. An empty path is a database in memory, which is
// forgotten when it is closed. A file that is no database, one of something else and one that a newer annai wrote are [fault.ErrInvalid]; one
// that can't be opened or written is [fault.ErrUnavailable]. The error does not name the file.
func Open(ctx context.Context, path string, opts Options) (*File, error) {
	f, err := connectBoth(path, opts)
	if err != nil {
		return nil, err
	}
	if err := f.migrate(ctx, opts); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func connectBoth(path string, opts Options) (f *File, err error) {
	f = new(File)
	if path != "" {
		if f.Path, err = touch(path); err != nil {
			return nil, err
		}
	}
	if f.Write, err = connect(f.Path, 1, "immediate", opts); err != nil {
		return nil, err
	}
	f.Read = f.Write
	if f.Path != "" {
		if f.Read, err = connect(f.Path, cmp.Or(opts.Readers, 4), "deferred", opts); err != nil {
			return nil, errors.Join(err, f.Write.Close())
		}
	}
	return f, nil
}

// touch makes the file and its folder, for nobody else to read, and returns the whole path. SQLite gives the files that it keeps beside the
// same mode.
func touch(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	var file *os.File
	if err == nil {
		file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return "", fmt.Errorf("the file or its folder can't be written: %w: %w", err, fault.ErrUnavailable)
	}
	return path, nil
}

// connect does not open the file yet: the first use of a connection does.
func connect(path string, connections int, begin string, opts Options) (*sql.DB, error) {
	synchronous := "synchronous(FULL)"
	if opts.Relaxed {
		synchronous = "synchronous(NORMAL)"
	}
	busy := fmt.Sprintf("busy_timeout(%d)", cmp.Or(opts.Busy, 5*time.Second).Milliseconds())
	pragmas := []string{busy, "journal_mode(WAL)", "secure_delete(ON)", synchronous, "foreign_keys(ON)"}
	query := url.Values{"_pragma": pragmas, "_txlock": {begin}}
	db, err := sql.Open("sqlite", address(path)+"?"+query.Encode())
	if err != nil {
		return nil, Fault(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// address is a path as SQLite wants it, whatever signs are in it.
func address(path string) string {
	if path == "" {
		return "file::memory:"
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}).String()
}

// Close lets go of the file. Later calls find it closed: [fault.ErrUnavailable].
func (f *File) Close() error {
	f.forgetter.stop()
	errs := []error{f.Write.Close()}
	if f.Read != f.Write {
		errs = append(errs, f.Read.Close())
	}
	return Fault(errors.Join(errs...))
}
