// Package capture reads what an owner gives to be added to a calendar: the photograph of a flyer, the
// address of a page, or a text.
//
// The idea to hold: what was given becomes lines, the lines an announcement (package flyer), and the
// announcement gets what the tools know of its place: the time zone and the way. Nothing is written here,
// and what can't be read is said. The package knows no calendar and no talk.
package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/geo"
	"annai/nlu/flyer"
	"annai/nodes/owner"
	"annai/prompts"
	"annai/tools"
	"annai/tools/media/clean"
	"annai/tools/media/ocr"
)

// A Source is what was given. One of its fields is set.
type Source struct {
	// Picture is in PNG, JPEG, WebP or GIF, at most [clean.MaxBytes].
	Picture []byte
	// Link is the address of a page.
	Link string
	Text string
}

// maxText is how many bytes of a text are read.
const maxText = 20_000

// How long it may take to read what was given. A talk waits for a page, and not as long.
const (
	pictureTime = 50 * time.Second
	// LinkTime is for a page, or a text.
	LinkTime = 20 * time.Second
	// atOnce is how many pictures are cleaned at a time.
	atOnce = 2
)

// Options are what a [Reader] may do without.
type Options struct {
	// Letters read pictures: the first that can. None: Nothing does.
	Letters []ocr.Reader
	// Home is where ways begin. Nil: no way is looked up.
	Home *geo.Point
	// Log receives what could not be looked up. Nil discards it.
	Log *slog.Logger
}

// A Reader reads what is given. It is safe for concurrent use.
type Reader struct {
	tools *tools.Registry
	opts  Options
	slots chan struct{}
}

// New returns a reader that looks things up with the tools.
func New(r *tools.Registry, opts Options) *Reader {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &Reader{tools: r, opts: opts, slots: make(chan struct{}, atOnce)}
}

// Read reads what was given, at the instant now in the location of its owner. Its errors are [*Failure]
// unless ctx has ended.
func (r *Reader) Read(ctx context.Context, caller tools.Caller, s Source, now time.Time) (owner.Capture, error) {
	limit := LinkTime
	if len(s.Picture) > 0 {
		limit = pictureTime
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err := r.read(limited, caller, s, now)
	if err == nil && !found(c.Read) {
		err = &Failure{Kind: Nothing, Err: fault.ErrInvalid}
	}
	switch {
	case ctx.Err() != nil:
		return owner.Capture{}, fmt.Errorf("read what was given: %w", ctx.Err())
	case err != nil && limited.Err() != nil:
		return owner.Capture{}, &Failure{Kind: Slow, Err: fmt.Errorf("%w: %w", fault.ErrUnavailable, err)}
	case err != nil:
		return owner.Capture{}, err
	}
	r.locate(limited, caller, &c, now)
	return c, nil
}

func (r *Reader) read(ctx context.Context, caller tools.Caller, s Source, now time.Time) (owner.Capture, error) {
	switch {
	case len(s.Picture) > 0:
		return r.picture(ctx, s.Picture, now)
	case s.Link != "":
		return r.page(ctx, caller, s.Link, now)
	}
	lines := flyer.Lines(s.Text[:min(len(s.Text), maxText)])
	return owner.Capture{From: owner.FromText, Reader: embedded, Read: flyer.Read(lines, now)}, nil
}

// embedded is the name of what reads texts: this program.
const embedded = "embedded"

// found reports whether anything was read that an entry can be made of.
func found(a flyer.Announcement) bool {
	return a.Title.Text != "" || !a.When.Day.IsZero()
}

// picture reads a photograph.
func (r *Reader) picture(ctx context.Context, data []byte, now time.Time) (owner.Capture, error) {
	if len(r.opts.Letters) == 0 {
		return owner.Capture{}, &Failure{Kind: NoReader, Err: fault.ErrUnavailable}
	}
	cleaned, err := r.clean(ctx, data)
	if err != nil {
		return owner.Capture{}, err
	}
	read, by, err := r.letters(ctx, cleaned)
	switch {
	case err != nil:
		return owner.Capture{}, err
	case len(read) == 0:
		return owner.Capture{}, &Failure{Kind: NoText, Err: fault.ErrInvalid}
	}
	lines := make([]flyer.Line, 0, len(read))
	for _, l := range read {
		lines = append(lines, flyer.Line{Text: l.Text, Size: l.Size})
	}
	return owner.Capture{From: owner.FromPicture, Reader: by, Read: flyer.Read(lines, now)}, nil
}

// letters reads a picture by the first reader that can, and says by which. Where none can, the first that is there
// says why.
func (r *Reader) letters(ctx context.Context, picture *image.Gray) (lines []ocr.Line, by string, err error) {
	failure := &Failure{Kind: NoReader, Err: ocr.ErrMissing}
	for _, reader := range r.opts.Letters {
		lines, err := reader.Read(ctx, picture)
		if err == nil {
			return lines, reader.Name(), nil
		}
		if errors.Is(err, ocr.ErrMissing) {
			continue
		}
		r.opts.Log.WarnContext(ctx, "a picture was not read", "reader", reader.Name(), "err", err)
		if failure.Kind == NoReader {
			failure = &Failure{Kind: Unread, Err: err}
			if errors.Is(err, context.DeadlineExceeded) {
				failure.Kind = Slow
			}
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, "", failure
}

// clean takes noise and shade out of a photograph.
func (r *Reader) clean(ctx context.Context, data []byte) (*image.Gray, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return nil, &Failure{Kind: Slow, Err: fmt.Errorf("%w: %w", fault.ErrUnavailable, ctx.Err())}
	}
	if len(data) > clean.MaxBytes {
		return nil, &Failure{Kind: TooLarge, Err: fault.ErrInvalid}
	}
	cleaned, err := clean.Gray(ctx, data)
	switch {
	case err == nil:
		return cleaned, nil
	case errors.Is(err, clean.ErrPixels):
		return nil, &Failure{Kind: TooLarge, Err: err}
	case errors.Is(err, fault.ErrInvalid):
		return nil, &Failure{Kind: NoPicture, Err: err}
	}
	return nil, &Failure{Kind: Slow, Err: err}
}

// call asks a tool, and decodes its answer. ok is false where it has none: that is in the log.
func (r *Reader) call(ctx context.Context, caller tools.Caller, name string, in, out any) (ok bool, err error) {
	input, err := json.Marshal(in)
	if err != nil {
		return false, fmt.Errorf("ask %s: %w", name, err)
	}
	answer, err := r.tools.Call(ctx, caller, name, input)
	if err != nil {
		return false, fmt.Errorf("ask %s: %w", name, err)
	}
	if strings.TrimSpace(string(answer)) == "null" {
		return false, nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return false, fmt.Errorf("answer of %s: %w", name, err)
	}
	return true, nil
}

// A Failure is why Nothing was read.
type Failure struct {
	Kind Kind
	// Why is the reason in the language of the caller, where a tool gave one.
	Why string
	Err error
}

// A Kind says what failed. It is a closed set.
type Kind string

// The values of [Kind].
const (
	NoReader  Kind = "no_reader"  // nothing here reads pictures
	NoPicture Kind = "no_picture" // it is no picture
	TooLarge  Kind = "too_large"
	Unread    Kind = "unread"  // what reads pictures failed
	NoText    Kind = "no_text" // there are no letters in the picture
	Nothing   Kind = "nothing" // neither a title nor a date was found
	Slow      Kind = "slow"
	BadLink   Kind = "link" // the page could not be read
)

func (f *Failure) Error() string { return "capture, " + string(f.Kind) + ": " + f.Err.Error() }

func (f *Failure) Unwrap() error { return f.Err }

// Message says it in a language, "ja" or "en".
func (f *Failure) Message(lang string) string {
	return prompts.CaptureFailed{Kind: string(f.Kind), Why: f.Why}.In(lang)
}

// Reason is the kind as a word.
func (f *Failure) Reason() string { return string(f.Kind) }
