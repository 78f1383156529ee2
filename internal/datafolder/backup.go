package datafolder

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"annai/fault"
	"annai/internal/privatefile"
	"annai/internal/sqlitefile"
)

const (
	// formatVersion is raised when an older annai could not read a backup any more.
	formatVersion = 1
	manifestName  = "manifest.json"
)

// A Manifest says what is in a backup. It is the first in the file.
type Manifest struct {
	Format int `json:"format"`
	// Annai is the version that made it, At when.
	Annai string    `json:"annai"`
	At    time.Time `json:"at"`
	Files []File    `json:"files"`
}

// A File is one of a backup, by its slashed path in the folder.
type File struct {
	Path     string `json:"path"`
	Size     int64  `json:"size"`
	SHA256   string `json:"sha256"`
	Database bool   `json:"database,omitempty"`
}

// Backup writes everything in the folder into a new file, for nobody else to read, whole or not at
// all, while others may use the folder. The databases are as they were at one moment, at which
// nobody wrote in any of them; other files are as they were then if they are replaced and not
// changed, as all of annai's are, but for those that only grow, which end where they ended then.
// Each database is read through before the backup is in its place. A folder that is not there is
// [fault.ErrNotFound], a path at which there is something [fault.ErrConflict].
func Backup(ctx context.Context, dir, to, version string, at time.Time) (m Manifest, err error) {
	if _, err := os.Lstat(to); err == nil {
		return m, fmt.Errorf("%s is there already: %w", to, fault.ErrConflict)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return m, fmt.Errorf("there is no folder %s: %w", dir, fault.ErrNotFound)
	}
	release, err := Use(dir)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := checkOutside(dir, to); err != nil {
		return m, err
	}
	stage, err := os.MkdirTemp(filepath.Dir(to), filepath.Base(to)+".*.tmp") // of mode 0700
	if err != nil {
		return m, fmt.Errorf("backup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	m = Manifest{Format: formatVersion, Annai: version, At: at.UTC().Truncate(time.Second)}
	if m.Files, err = copyFolder(ctx, dir, stage); err != nil {
		return m, err
	}
	return m, pack(ctx, m, stage, to)
}

// checkOutside refuses a backup in the folder that it is of.
func checkOutside(dir, to string) error {
	inner, err := filepath.EvalSymlinks(filepath.Dir(to))
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	outer, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	inner, inErr := filepath.Abs(inner)
	outer, outErr := filepath.Abs(outer)
	if err := errors.Join(inErr, outErr); err != nil {
		return err
	}
	if name, err := filepath.Rel(outer, inner); err == nil && filepath.IsLocal(name) {
		return fmt.Errorf("a backup can't be in the data folder itself: %w", fault.ErrInvalid)
	}
	return nil
}

// An opened file is one that was opened at the moment of a backup.
type opened struct {
	*os.File

	name string
	size int64
}

// copyFolder puts what is in the folder at one moment into another.
func copyFolder(ctx context.Context, dir, stage string) ([]File, error) {
	names, err := list(ctx, dir)
	if err != nil {
		return nil, err
	}
	var databases, paths []string
	for _, name := range names {
		if isDatabase(name) {
			databases, paths = append(databases, name), append(paths, filepath.Join(dir, name))
		}
	}
	var others []opened
	defer func() {
		for _, f := range others {
			_ = f.Close() // it was only read
		}
	}()
	snapshot, err := sqlitefile.TakeSnapshot(ctx, paths, func() (err error) {
		others, err = openOthers(ctx, dir)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	defer func() { _ = snapshot.Close() }() // it was only read
	var files []File
	for i, name := range databases {
		path := filepath.Join(stage, name)
		if err := errors.Join(snapshot.Copy(ctx, i, path), sqlitefile.Check(ctx, path)); err != nil {
			return nil, fmt.Errorf("backup of %s: %w", name, err)
		}
		file, err := describe(stage, name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	for _, f := range others {
		if err := copyTo(filepath.Join(stage, f.name), io.LimitReader(f, f.size)); err != nil {
			return nil, fmt.Errorf("backup of %s: %w", f.name, err)
		}
		file, err := describe(stage, f.name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// openOthers opens what is no database. Whoever replaces a file later leaves the opened one as it is.
func openOthers(ctx context.Context, dir string) (others []opened, err error) {
	names, err := list(ctx, dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if isDatabase(name) {
			continue
		}
		f, err := os.Open(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) { // it was removed since
			continue
		}
		var info fs.FileInfo
		if err == nil {
			others = append(others, opened{File: f, name: name})
			info, err = f.Stat()
		}
		if err != nil {
			return others, err
		}
		others[len(others)-1].size = info.Size()
	}
	return others, nil
}

// copyTo writes a file for nobody else to read.
func copyTo(path string, from io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// describe reads a file that was copied.
func describe(stage, name string) (file File, err error) {
	f, err := os.Open(filepath.Join(stage, name))
	if err != nil {
		return file, fmt.Errorf("backup: %w", err)
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return file, fmt.Errorf("backup: %w", err)
	}
	return File{Path: name, Size: size, SHA256: hex.EncodeToString(sum.Sum(nil)), Database: isDatabase(name)}, nil
}

// pack makes one file of a folder and its manifest, and puts it in its place.
func pack(ctx context.Context, m Manifest, stage, to string) (err error) {
	packed := stage + ".packed.tmp"
	f, err := os.OpenFile(packed, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	placed := false
	defer func() {
		if !placed {
			err = errors.Join(err, os.Remove(packed))
		}
	}()
	err = writeArchive(ctx, f, m, stage)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if err := os.Rename(packed, to); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	placed = true
	return privatefile.SyncFolder(filepath.Dir(to))
}

func writeArchive(ctx context.Context, to io.Writer, m Manifest, stage string) error {
	zipped, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(header(manifestName, int64(len(text)), m.At)); err != nil {
		return err
	}
	if _, err := archive.Write(text); err != nil {
		return err
	}
	for _, file := range m.Files {
		if err := errors.Join(ctx.Err(), writeFile(archive, file, m.At, stage)); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), zipped.Close())
}

func writeFile(archive *tar.Writer, file File, at time.Time, stage string) error {
	if err := archive.WriteHeader(header(file.Path, file.Size, at)); err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(stage, file.Path))
	if err != nil {
		return err
	}
	_, err = io.Copy(archive, f)
	return errors.Join(err, f.Close())
}

func header(name string, size int64, at time.Time) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: at}
}
