package datafolder

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"annai/fault"
	"annai/internal/privatefile"
	"annai/internal/sqlitefile"
)

// What a manifest may have at most, and how large it may be.
const (
	maxFiles    = 1 << 20
	maxManifest = 256 << 20
)

// RestoreOptions are the settings of [Restore] that have a default.
type RestoreOptions struct {
	// Replace allows that there is something in the folder, which is gone afterwards.
	Replace bool
	// Keep begins the names of files in the folder that stay all the same, and go before those of the
	// backup. Empty: none does.
	Keep string
}

// Restore puts what Backup wrote into the folder, which must have nothing in it unless the options
// allow it. Everything is read through and checked before anything in the folder is touched. If it
// is broken off while files are moved to their places, [Use] refuses the folder until it is restored
// again.
//
// A file that is no backup, or is damaged, is [fault.ErrInvalid]; one of a newer annai too. A folder
// that somebody uses, or that has something in it, is [fault.ErrConflict].
func Restore(ctx context.Context, from, dir string, opts RestoreOptions) (m Manifest, err error) {
	f, err := os.Open(from)
	if err != nil {
		return m, fmt.Errorf("backup: %w", err)
	}
	defer func() { _ = f.Close() }()
	release, err := lock(dir, privatefile.TryLock, "somebody uses the data folder: stop annai first")
	if errors.Is(err, errUnfinished) && opts.Replace {
		if err := os.RemoveAll(filepath.Join(dir, restoring)); err != nil {
			return m, fmt.Errorf("restore: %w", err)
		}
		release, err = lock(dir, privatefile.TryLock, "somebody uses the data folder: stop annai first")
	}
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := checkEmpty(dir, opts.Replace); err != nil {
		return m, err
	}
	stage := filepath.Join(dir, restoring)
	if err := errors.Join(os.RemoveAll(stage), os.Mkdir(stage, 0o700)); err != nil {
		return m, fmt.Errorf("restore: %w", err)
	}
	fresh := filepath.Join(stage, "new")
	if m, err = unpack(ctx, f, fresh); err != nil {
		return m, errors.Join(err, os.RemoveAll(stage))
	}
	return m, exchange(dir, stage, fresh, opts.Keep)
}

func checkEmpty(dir string, replace bool) error {
	if replace {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	for _, e := range entries {
		if e.Name() != lockName && e.Name() != serverName && e.Name() != restoring {
			const says = "there is something in %s already: add --replace to have it deleted: %w"
			return fmt.Errorf(says, dir, fault.ErrConflict)
		}
	}
	return nil
}

// unpack puts what is in a backup into a new folder, all of it checked.
func unpack(ctx context.Context, from io.Reader, dir string) (m Manifest, err error) {
	zipped := bufio.NewReader(from)
	unzipped, err := gzip.NewReader(zipped)
	if err != nil {
		return m, damaged("the file is no backup", err)
	}
	unzipped.Multistream(false)
	archive := tar.NewReader(unzipped)
	if m, err = readManifest(archive); err != nil {
		return m, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return m, fmt.Errorf("restore: %w", err)
	}
	for _, file := range m.Files {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		if err := unpackFile(ctx, archive, file, dir); err != nil {
			return m, fmt.Errorf("%s: %w", file.Path, err)
		}
	}
	if _, err := archive.Next(); !errors.Is(err, io.EOF) {
		return m, damaged("the backup has more in it than it says", err)
	}
	if _, err := io.Copy(io.Discard, unzipped); err != nil { // the sum of the whole stands at the end
		return m, damaged("the backup is damaged", err)
	}
	if _, err := zipped.ReadByte(); !errors.Is(err, io.EOF) {
		return m, damaged("there is something behind the backup's end", err)
	}
	return m, nil
}

func readManifest(archive *tar.Reader) (m Manifest, err error) {
	head, err := archive.Next()
	if err != nil || head.Name != manifestName || head.Size > maxManifest {
		return m, damaged("the file is no backup", err)
	}
	if err := json.NewDecoder(archive).Decode(&m); err != nil {
		return m, damaged("the backup's manifest can't be read", err)
	}
	if m.Format != formatVersion {
		const says = "the backup has format %d, of annai %s; this annai knows %d: %w"
		return m, fmt.Errorf(says, m.Format, m.Annai, formatVersion, fault.ErrInvalid)
	}
	if len(m.Files) > maxFiles {
		return m, damaged("the backup has too many files", nil)
	}
	seen := map[string]bool{}
	for _, file := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(file.Path)) || path.Clean(file.Path) != file.Path || seen[file.Path] {
			return m, damaged("the backup has a path that can't be", nil)
		}
		seen[file.Path] = true
	}
	return m, nil
}

// damaged is an error of a backup.
func damaged(what string, err error) error {
	if err == nil {
		return fmt.Errorf("%s: %w", what, fault.ErrInvalid)
	}
	return fmt.Errorf("%s: %w: %w", what, err, fault.ErrInvalid)
}

func unpackFile(ctx context.Context, archive *tar.Reader, file File, dir string) error {
	head, err := archive.Next()
	if err != nil {
		return damaged("the backup ends too early", err)
	}
	if head.Name != file.Path || head.Typeflag != tar.TypeReg || head.Size != file.Size {
		return damaged("the backup has something else there than it says", nil)
	}
	to, sum := filepath.Join(dir, filepath.FromSlash(file.Path)), sha256.New()
	if err := copyTo(to, io.TeeReader(archive, sum)); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != file.SHA256 {
		return damaged("the backup is damaged", nil)
	}
	if !file.Database {
		return nil
	}
	if err := sqlitefile.Check(ctx, to); err != nil {
		return err
	}
	for _, ending := range []string{"-wal", "-shm"} { // what looking at it left
		if err := os.RemoveAll(to + ending); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
	}
	return nil
}

// exchange puts what is new in the place of what is there. With the first rename it is decided.
func exchange(dir, stage, fresh, keep string) error {
	ready := filepath.Join(stage, decided)
	err := errors.Join(os.Rename(fresh, ready), privatefile.SyncFolder(stage), privatefile.SyncFolder(dir))
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	for _, e := range there {
		if e.Name() == lockName || e.Name() == restoring {
			continue
		}
		if keep != "" && strings.HasPrefix(e.Name(), keep) {
			if err := os.RemoveAll(filepath.Join(ready, e.Name())); err != nil {
				return fmt.Errorf("restore: %w", err)
			}
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
	}
	entries, err := os.ReadDir(ready)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(ready, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
	}
	err = errors.Join(privatefile.SyncFolder(dir), os.RemoveAll(stage), privatefile.SyncFolder(dir))
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return nil
}
