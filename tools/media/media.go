// Package media keeps the pictures and videos that tools make, and gives each an address that is
// signed and expires.
//
// The idea to hold: a file's name is the hash of its content, so that the same file made twice is
// kept once, and whoever has an address has what its maker gave them, nobody else. The package
// makes no pictures and knows no HTTP.
package media

import (
	"fmt"
	"io"
	"time"

	"annai/fault"
)

// A Kind is the media type of a file. It is a closed set.
type Kind string

// The values of [Kind].
const (
	PNG  Kind = "image/png"
	JPEG Kind = "image/jpeg"
	GIF  Kind = "image/gif"
	SVG  Kind = "image/svg+xml"
	MP4  Kind = "video/mp4"
)

// endings are what names of files end in, by kind.
var endings = map[Kind]string{PNG: "png", JPEG: "jpg", GIF: "gif", SVG: "svg", MP4: "mp4"}

// An Address is where a file can be had for a while.
type Address struct {
	// URL is a reference relative to the server's root:
	// "/media/NAME.png?expires=SECONDS&signature=TEXT".
	URL string
	// Expires is when it ends.
	Expires time.Time
}

// A File is one that is kept, open for reading. The caller closes it.
type File struct {
	io.ReadSeekCloser

	Kind Kind
}

var (
	// ErrExpired says that an address was right and is over. It wraps [fault.ErrNotFound].
	ErrExpired = fmt.Errorf("address of a file has expired: %w", fault.ErrNotFound)
	// errForged says that an address is none of ours. A file that is gone looks the same.
	errForged = fmt.Errorf("no such file, or not with this signature: %w", fault.ErrNotFound)
)
