package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"annai/fault"
)

// A File is a file that an operator wants read.
type File struct {
	// Path is the whole path by which it is known, Root that of the file or folder that was named,
	// Name what passages call it.
	Path, Root, Name string
	Size             int64
	open             func() (*os.File, error)
}

// Read returns what is in the file, [MaxFile] bytes and one more at most.
func (f File) Read() (data []byte, err error) {
	opened, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	info, err := opened.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is no file: %w", fault.ErrInvalid)
	}
	return io.ReadAll(io.LimitReader(opened, MaxFile+1))
}

// A Listing is what paths mean.
type Listing struct {
	Files []File
	// Whole are the whole paths of the files and folders that were named and looked through to the end.
	Whole []string
	// Hidden are the whole paths of files that are there and can't be looked at.
	Hidden []string
	// Problems are paths that can't be looked at, and links that lead out of their folder.
	Problems []Problem
}

// maxFiles is how many files a listing has.
const maxFiles = 1_000_000

// List returns the files that the paths mean: a file is itself, whatever its ending; a folder is
// all the files below it that can be read, without those whose name begins with a dot. A link to a
// file in the folder is that file; links to folders are not followed, so that none leads in a
// circle. A file that is named twice is there once.
func List(ctx context.Context, paths []string) (Listing, error) {
	l := lister{seen: map[string]bool{}}
	for _, p := range paths {
		whole, err := filepath.Abs(p)
		if err != nil {
			return Listing{}, fmt.Errorf("find %s: %w: %w", p, err, fault.ErrUnavailable)
		}
		if err := l.add(ctx, p, whole); err != nil {
			return Listing{}, err
		}
	}
	return l.Listing, nil
}

type lister struct {
	Listing

	seen map[string]bool
}

func (l *lister) add(ctx context.Context, shown, whole string) error {
	info, err := os.Stat(whole)
	switch {
	case err != nil:
		l.complain(shown, err)
	case info.IsDir():
		return l.folder(ctx, shown, whole)
	case !info.Mode().IsRegular():
		l.Problems = append(l.Problems, Problem{
			File: shown, Reason: "it is neither a file nor a folder",
			kind: fault.ErrInvalid,
		})
	default:
		l.Whole = append(l.Whole, whole)
		l.file(File{
			Path: whole, Root: whole, Name: filepath.Base(whole), Size: info.Size(),
			open: func() (*os.File, error) { return os.Open(whole) },
		})
	}
	return nil
}

func (l *lister) folder(ctx context.Context, shown, whole string) error {
	root, err := os.OpenRoot(whole)
	if err != nil {
		l.complain(shown, err)
		return nil
	}
	defer func() { _ = root.Close() }() // nothing was written
	seen := true
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			l.complain(path.Join(shown, name), err)
			seen = false
			return nil
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() || !Known(name):
			return nil
		case len(l.Files) >= maxFiles:
			return fmt.Errorf("more than %d files: %w", maxFiles, fault.ErrInvalid)
		}
		l.inFolder(root, shown, whole, name)
		return nil
	})
	if err == nil && seen {
		l.Whole = append(l.Whole, whole)
	}
	return err
}

// inFolder adds a file of a folder. It is opened through the folder, so that no link leads out of it.
func (l *lister) inFolder(root *os.Root, shown, whole, name string) {
	info, err := root.Stat(name)
	switch {
	case err != nil:
		l.complain(path.Join(shown, name), err)
		l.Hidden = append(l.Hidden, filepath.Join(whole, filepath.FromSlash(name)))
	case info.Mode().IsRegular():
		l.file(File{
			Path: filepath.Join(whole, filepath.FromSlash(name)), Root: whole,
			Name: path.Join(filepath.Base(whole), name), Size: info.Size(),
			open: func() (*os.File, error) { return openIn(whole, name) },
		})
	}
}

func openIn(folder, name string) (f *os.File, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return root.Open(name)
}

func (l *lister) file(f File) {
	if !l.seen[f.Path] {
		l.seen[f.Path] = true
		l.Files = append(l.Files, f)
	}
}

func (l *lister) complain(shown string, err error) {
	l.Problems = append(l.Problems, Unreadable(shown, err))
}

// Unreadable is the problem of a file that the system refuses.
func Unreadable(file string, err error) Problem {
	p := Problem{File: file, Reason: err.Error(), kind: fault.ErrUnavailable}
	var at *fs.PathError
	if errors.As(err, &at) {
		p.Reason = at.Err.Error()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Reason, p.kind = "it is not there", fault.ErrNotFound
	case errors.Is(err, fs.ErrPermission):
		p.Reason, p.kind = "annai may not read it", fault.ErrDenied
	case strings.Contains(p.Reason, "path escapes"):
		p.Reason, p.kind = "it is a link that leads out of the folder", fault.ErrInvalid
	}
	return p
}
