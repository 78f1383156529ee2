package grounding

import (
	"time"

	"annai/civil"
)

// Kind says what sort of evidence an item is.
type Kind string

// The values of Kind. Title, time, place and price of an Event belong together, and only events are
// counted ("three events today"); a Passage is a text, whatever it is about.
const (
	Event   Kind = "event"
	Passage Kind = "passage"
)

// An Item is one thing that an answer may speak of. Empty fields say nothing.
type Item struct {
	// ID is unique in the evidence; a [Verdict] names items by it.
	ID   string
	Kind Kind
	// Title names it, in one language or both ("もくもく会 (Mokumoku Night)"). Of a passage it is
	// the headings it stands under.
	Title string
	// Start and End are when an event is, unless AllDay; a zero End is not known.
	Start, End time.Time
	// FirstDay and EndDay are the days of an AllDay event, half-open.
	AllDay           bool
	FirstDay, EndDay civil.Date
	Place, Price     string
	// Text is what else is said of it, in any language, in several if there are lines of both.
	Text string
	URL  string
	// Lang is "ja" or "en", or "" where both are in it. The checker reads both all the same.
	Lang string
}

// Evidence is all that an answer may be made of.
type Evidence struct {
	Items []Item
	// Others are events that nothing may be said of: a sentence that names one of them, or its place,
	// names what is not in the evidence.
	Others []Item
	// Now is the instant of the question, in the location of the venue: 今日 is its day, and times
	// are in its location.
	Now time.Time
	// Venue are the names of the venue itself, in any language. A sentence may always use them.
	Venue []string
	// Names are other proper names: each group holds the spellings of one ({"天神", "Tenjin"}), so
	// that evidence in one language supports a sentence in the other.
	Names [][]string
}
