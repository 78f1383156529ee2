// Package ocr reads the letters in pictures.
//
// The idea to hold: a picture becomes lines, each with how large its letters are and how sure they
// were read. What reads is a [Reader]; the one here is Tesseract, a program of the system, which runs
// as a bounded child process. The package understands no words.
package ocr

import (
	"context"
	"image"
)

// A Line is one line of letters, from top to bottom and from left to right.
type Line struct {
	Text string
	// Size is how large its letters are, by which lines of one picture compare.
	Size float64
	// Confidence is how sure its letters were read, 0 to 1.
	Confidence float64
}

// A Reader reads pictures. It is safe for concurrent use.
type Reader interface {
	// Name says what reads: "tesseract 5.3.0".
	Name() string
	// Read reads a picture that is upright and clean. No letters are no error. Its errors wrap
	// [fault.ErrUnavailable].
	Read(ctx context.Context, picture *image.Gray) ([]Line, error)
}
