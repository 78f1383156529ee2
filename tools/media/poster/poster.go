// Package poster draws a poster of an event: its title, when and where it is, what it is about, and
// a QR code of its address.
//
// The idea to hold: a style says how things look, and the size of the page where they stand. The
// same event in the same style and size is always the same picture. The package knows no calendar
// and no HTTP.
package poster

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/text"
	"annai/tools/media/canvas"
)

// A Style is a way to look. It is a closed set.
type Style string

// The values of [Style].
const (
	// Modern is geometry on paper, with large figures.
	Modern Style = "modern"
	// Classic is centered, in a serif face, with a traditional pattern around it.
	Classic Style = "classic"
	// Vibrant is large white letters on strong colors.
	Vibrant Style = "vibrant"
)

// An Event is what a poster tells. Only Title is required.
type Event struct {
	Title, Description string
	// Start and End are in the zone in which they are shown. A zero End is unknown.
	Start, End time.Time
	// AllDay says that only the days of Start and End count, End's included.
	AllDay bool
	// Place is the room or address, Venue the name of the house.
	Place, Venue string
	// URL is an http or https address, for the QR code.
	URL string
}

// The bounds of a poster.
const (
	MinSide = 200
	MaxSide = 4096
	// MaxPixels is a little more than A4 at 300 dots an inch.
	MaxPixels = 9_000_000
	// MaxTitle and MaxDescription are in characters; so is MaxLine, of a place and a venue.
	MaxTitle       = 160
	MaxLine        = 120
	MaxDescription = 1200
	// MaxURL is in bytes. A longer address makes a QR code too fine for a phone.
	MaxURL = 300
)

// A Poster is a drawing and what it lacks.
type Poster struct {
	Canvas *canvas.Canvas
	// Missing are the characters that the typefaces lack and that were left out, as pictures are.
	Missing []string
	// Omitted names what had no room: "description", "qr".
	Omitted []string
}

// Draw draws a poster in language "ja" or "en". A size out of bounds and an address that is none
// are [fault.ErrInvalid].
func Draw(e Event, style Style, width, height int, language string) (Poster, error) {
	if min(width, height) < MinSide || max(width, height) > MaxSide || width*height > MaxPixels {
		return Poster{}, fmt.Errorf("poster of %d x %d pixels: %w", width, height, fault.ErrInvalid)
	}
	if e.URL != "" && !isWebAddress(e.URL) {
		return Poster{}, fmt.Errorf("address of the event: %w", fault.ErrInvalid)
	}
	p := &page{
		Canvas: canvas.New(width, height), event: e, language: language,
		w: float64(width), h: float64(height),
	}
	p.clean()
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(p.event.Title)) // it never fails
	p.random = rand.New(rand.NewPCG(seed.Sum64(), 0))
	switch style {
	case Modern:
		p.modern()
	case Classic:
		p.classic()
	case Vibrant:
		p.vibrant()
	default:
		return Poster{}, fmt.Errorf("style %.20q: %w", style, fault.ErrInvalid)
	}
	return Poster{Canvas: p.Canvas, Missing: p.missing, Omitted: p.omitted}, nil
}

func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || len(address) > MaxURL {
		return false
	}
	return (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// clean makes the event's words ones that can be drawn.
func (p *page) clean() {
	e := &p.event
	e.Title = p.drawable(text.OneLine(e.Title, MaxTitle))
	e.Place = p.drawable(text.OneLine(e.Place, MaxLine))
	e.Venue = p.drawable(text.OneLine(e.Venue, MaxLine))
	var paragraphs []string
	for paragraph := range strings.Lines(e.Description) {
		if line := text.OneLine(paragraph, MaxDescription); line != "" {
			paragraphs = append(paragraphs, line)
		}
	}
	e.Description = p.drawable(strings.Join(paragraphs, "\n"))
	if letters := []rune(e.Description); len(letters) > MaxDescription {
		e.Description = string(letters[:MaxDescription])
	}
}

// drawsAny says whether anything of a title can be drawn.
func drawsAny(title string) bool {
	rest, _ := canvas.Sans.Drawable(text.Compose(text.OneLine(title, MaxTitle)))
	return strings.TrimSpace(rest) != ""
}

// drawable returns what of a text the faces can draw, and notes the rest. They all have the same
// characters.
func (p *page) drawable(words string) string {
	rest, missing := canvas.Sans.Drawable(text.Compose(words))
	for _, r := range missing {
		p.missing = note(p.missing, string(r))
	}
	return strings.TrimSpace(rest)
}

// note adds a word to a list that does not have it.
func note(list []string, word string) []string {
	for _, w := range list {
		if w == word {
			return list
		}
	}
	return append(list, word)
}
