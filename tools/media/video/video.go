// Package video makes a short film of what is on in a day: a title, a slide for each event, and the
// day at a glance; an MP4 of H.264, or an animated GIF.
//
// The idea to hold: a film is slides that stand still and fade into each other, drawn from the
// events as they are, so that it states nothing that nobody entered. The package knows no calendar
// back end and no HTTP; what makes films elsewhere is a [Service].
package video

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"time"

	"annai/civil"
	"annai/fault"
)

// A Day is what a film is about.
type Day struct {
	Date civil.Date
	// Events are in the order in which they are shown; cancelled ones are not among them.
	Events []Event
	// Venue is the name of the house in the film's language. It may be empty.
	Venue string
	// Language is "ja" or "en".
	Language string
	Style    Style
	Shape    Shape
}

// An Event is something that is on.
type Event struct {
	Title, Location, Description string
	// Span is when, in the location in which it is read.
	Span   civil.TimeRange
	AllDay bool
}

// Style is how a film looks. It is a closed set.
type Style string

// The values of [Style]: light letters on night, slowly fading; ink on paper, at a brisker pace.
const (
	Cinematic   Style = "cinematic"
	Documentary Style = "documentary"
)

// Shape is how a film's picture lies. It is a closed set.
type Shape string

// The values of [Shape], which are 1080 x 1920 and 1920 x 1080.
const (
	Portrait  Shape = "portrait"
	Landscape Shape = "landscape"
)

func (s Shape) size() (width, height int) {
	if s == Landscape {
		return 1920, 1080
	}
	return 1080, 1920
}

// Format is what a film is written as. It is a closed set.
type Format string

// The values of [Format].
const (
	MP4 Format = "mp4"
	GIF Format = "gif"
)

// A Film is a finished one.
type Film struct {
	Data     []byte
	Format   Format
	Duration time.Duration
}

// MaxSlides is how many events have a slide of their own; the last slide says how many more there
// are.
const MaxSlides = 8

// Make makes the film. A day without events is [fault.ErrNotFound]. It stops when ctx is done.
func Make(ctx context.Context, day Day, format Format) (Film, error) {
	if len(day.Events) == 0 {
		return Film{}, fmt.Errorf("film of %s: no events: %w", day.Date, fault.ErrNotFound)
	}
	if format == GIF {
		return makeGIF(ctx, day)
	}
	return makeMP4(ctx, day)
}

// A slide is a picture that is shown for a while: words on what is behind all of a film's slides.
type slide struct {
	words    *page
	backdrop *image.RGBA
	lasts    time.Duration
}

// picture draws the slide.
func (s slide) picture() *image.RGBA {
	out := image.NewRGBA(s.backdrop.Rect)
	copy(out.Pix, s.backdrop.Pix)
	draw.Draw(out, out.Rect, s.words.Image(), image.Point{}, draw.Over)
	return out
}

// slides returns the film, in order.
func slides(day Day) []slide {
	backdrop := newPage(day)
	backdrop.theme.backdrop(backdrop)
	behind := backdrop.Image()
	all := []slide{{titlePage(day), behind, 3 * time.Second}}
	for i := range min(len(day.Events), MaxSlides) {
		all = append(all, slide{eventPage(day, i), behind, 4 * time.Second})
	}
	if len(day.Events) > 1 {
		all = append(all, slide{glancePage(day), behind, 5 * time.Second})
	}
	return all
}
