package documents

import (
	"bytes"
	"io/fs"
	"time"
)

// oneName is the name of the only file of a [oneFile].
const oneName = "part.md"

// A oneFile is a file system with one file in it.
type oneFile []byte

// Open implements [fs.FS].
func (f oneFile) Open(name string) (fs.File, error) {
	if name != oneName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return opened{bytes.NewReader(f)}, nil
}

// ReadFile implements [fs.ReadFileFS].
func (f oneFile) ReadFile(name string) ([]byte, error) {
	if name != oneName {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return f, nil
}

type opened struct{ *bytes.Reader }

func (o opened) Stat() (fs.FileInfo, error) { return info{o.Reader.Size()}, nil }
func (opened) Close() error                 { return nil }

type info struct{ size int64 }

func (info) Name() string       { return oneName }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o400 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
