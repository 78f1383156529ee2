package owner

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/prompts"
	"annai/tools/calendar"
)

// An Answer is what the calendars have to say, written and spoken.
type Answer struct {
	Text string
	// Spoken is said; without it the sentences of Text are said.
	Spoken      []string
	Cards       []display.Card
	Suggestions []string
	// Confirmation is there if a yes is asked for.
	Confirmation *display.Confirmation
	// Range is what the answer is about.
	Range display.Span
	Facts Facts
}

// Facts are what the face and the confidence of an answer follow from.
type Facts struct {
	Calendar Status
	// Events is how many entries are told. Changed says that one of them is cancelled.
	Events  int
	Changed bool
	// Partial says that one of several calendars could not be read, Nothing that nothing was found.
	Partial, Nothing bool
	// Asking says that something is asked, Assumed that the range was assumed.
	Asking, Assumed bool
	// Gesture is what the avatar does, where the face does not say it.
	Gesture string
}

// A dialog answers one turn from the owner's calendars: it looks things up, and words them.
type dialog struct {
	*Calendar
	Turn

	lang    nlu.Language
	now     time.Time
	request Request
	// retried says that what is carried out may have been done before.
	retried bool
	// labels are the names of the calendars, where there are several.
	labels map[string]string
}

// dialog returns what answers this turn.
func (c *Calendar) dialog(t Turn, r Request) dialog {
	mine := &Calendar{agenda: c.agenda.For(t.Owner), opts: c.opts}
	d := dialog{Calendar: mine, Turn: t, lang: t.Language, now: t.Now, request: r, labels: map[string]string{}}
	d.request.Range = r.Range.In(t.Now.Location())
	for _, cal := range d.agenda.Calendars() {
		label := cmp.Or(cal.Label[string(d.lang)], cal.Label[display.InLang(d.lang, "en", "ja")])
		d.labels[cal.ID] = text.OneLine(label, display.MaxTitle)
	}
	return d
}

// say words a prompt in the language of the answer.
func (d dialog) say(p prompts.Prompt) string { return p.In(string(d.lang)) }

// part is what is asked about of the range.
func (d dialog) part() display.Part {
	return display.Part{Range: d.request.Range, Weekdays: d.request.Weekdays, Hours: d.request.Part}
}

func (d dialog) rangeWords() string { return d.part().Words(d.now, d.lang) }

// adverb is what is asked about as it stands in a sentence: in English an adverb.
func (d dialog) adverb() string { return d.part().Adverb(d.now, d.lang) }

// plain is an answer of one sentence about the range.
func (d dialog) plain(status Status, p prompts.Prompt) Answer {
	return Answer{Text: d.say(p), Range: d.request.Range, Facts: Facts{Calendar: status}}
}

func (d dialog) cards(list ...Event) []display.Card {
	entries := make([]display.Entry, 0, len(list))
	for _, o := range list {
		entries = append(entries, o.Entry)
	}
	return display.Cards(entries, d.now.Location(), d.lang)
}

// otherZone is the zone of the owner, if clocks show another time there than at the venue.
func (d dialog) otherZone() string {
	_, here := d.now.Zone()
	if _, there := d.now.In(d.opts.Location).Zone(); here == there {
		return ""
	}
	return text.OneLine(d.now.Location().String(), display.MaxTitle)
}

// warn logs a calendar that failed.
func (d dialog) warn(ctx context.Context, err error) {
	d.opts.Log.LogAttrs(ctx, slog.LevelWarn, "source failed", slog.String("source", "agenda"), slog.Any("err", err))
}

// unread says that the calendar could not be looked at.
func (d dialog) unread(err error) Answer {
	p := prompts.CalendarUnread{Wanted: searchWords(d.request.Words), Kind: string(calendar.Unavailable)}
	if !d.request.Range.IsZero() {
		p.Range = d.rangeWords()
	}
	if kind := calendar.KindOf(err); err != nil {
		p.Kind = string(kind)
		if kind != calendar.Quota { // its words are of writing
			p.Why = kind.Message(string(d.lang))
		}
	}
	out := d.plain(StatusError, p)
	out.Facts.Nothing, out.Suggestions = true, d.kinds("own_today")
	return out
}

// kinds words suggestions.
func (d dialog) kinds(kinds ...string) []string { return display.Suggestions(d.lang, kinds...) }

// note adds sentences behind an answer.
func (d dialog) note(out *Answer, notes ...string) {
	if len(notes) == 0 {
		return
	}
	if out.Spoken == nil {
		out.Spoken = display.Sentences(out.Text)
	}
	out.Text = display.JoinParts(out.Text, strings.Join(notes, "\n"))
	out.Spoken = append(slices.Clone(out.Spoken), notes...)
}

// oldAnswer is how old an answer may be that is not said to be.
const oldAnswer = 15 * time.Minute

// notes says what an answer lacks: a calendar that could not be read, its age, and where entries
// were told the zone of their times.
func (d dialog) notes(out *Answer, complete bool, asOf time.Time, told bool) {
	var notes []string
	if !complete {
		out.Facts.Partial = true
		notes = append(notes, d.say(prompts.NoteOwnPartial{}))
	}
	if !asOf.IsZero() && d.now.Sub(asOf) > oldAnswer {
		at := asOf.In(d.now.Location())
		notes = append(notes, d.say(prompts.NoteAsOf{At: display.WrittenInstant(at, d.now, d.lang)}))
	}
	if zone := d.otherZone(); told && zone != "" {
		notes = append(notes, d.say(prompts.NoteZone{Zone: zone}))
	}
	d.note(out, notes...)
}

// when is when an entry is, as it is read: the year only if it is another one.
func (d dialog) when(o Event) string {
	return display.WrittenNear(o.Entry, d.now, d.lang)
}

// day is a day as it is read.
func (d dialog) day(day civil.Date) string {
	return display.WrittenDate(day, display.Nearby(day, civil.DateOf(d.now)), d.lang)
}

// label is the name of the calendar that an entry is in, where there is more than one.
func (d dialog) label(o Event) string {
	if len(d.labels) < 2 {
		return ""
	}
	return d.labels[o.Ref.CalendarID]
}

// title is the title of an entry as it stands in a sentence.
func (d dialog) title(o Event) string { return display.NoBrackets(display.Title(o.Entry, d.lang)) }

// maxNote is how many runes of a note stand in a list.
const maxNote = 80

// list tells entries, after an introduction.
func (d dialog) list(intro string, list []Event, numbered bool) Answer {
	out := Answer{
		Cards: d.cards(list...), Range: d.request.Range, Spoken: d.spoken(intro, list),
		Facts: Facts{Calendar: StatusOK, Events: len(list), Changed: slices.ContainsFunc(list, Event.cancelled)},
	}
	parts := []string{intro}
	for i, o := range list {
		span := o.Span(d.now.Location())
		p := prompts.CalendarItem{
			Title: d.title(o), When: d.when(o), Place: o.Location, Calendar: d.label(o), Repeats: o.Series != "",
			Cancelled: o.Cancelled(), Over: display.Ended(span, d.now), Tentative: o.Status == calendar.Tentative,
			Ongoing: !o.AllDay && span.Contains(d.now), Note: text.OneLine(o.Description, maxNote),
		}
		if numbered {
			p.Number = i + 1
		}
		parts = append(parts, d.say(p))
	}
	out.Text = strings.Join(parts, "\n\n")
	return out
}

// spoken is a list of entries as it is said: the first few of those that are not over, if any.
func (d dialog) spoken(intro string, list []Event) []string {
	out := []string{intro}
	ahead := narrow(list, func(o Event) bool { return !display.Ended(o.Span(d.now.Location()), d.now) })
	for _, o := range ahead[:min(len(ahead), maxSpoken)] {
		out = append(out, d.say(display.Spoken(o.Entry, d.now, d.request.Range.OneDay(), false, d.lang)))
	}
	if rest := len(ahead) - maxSpoken; rest > 0 {
		out = append(out, d.say(prompts.EventsMore{Count: rest}))
	}
	return out
}

// remember is what to remember of a list.
func (d dialog) remember(list []Event) Memory {
	m := Memory{Events: list, Request: d.request, Range: d.request.Range, Total: len(list)}
	if len(list) == 1 {
		m.Focus = 1
	}
	return m
}

// failed reports whether err is the end of the whole turn.
func failed(ctx context.Context, err error) bool { return err != nil && ctx.Err() != nil }

// length is a length of time as it is read; empty for none.
func (d dialog) length(l time.Duration) string {
	if l <= 0 {
		return ""
	}
	return d.say(prompts.CalendarLength{Hours: int(l / time.Hour), Minutes: int(l % time.Hour / time.Minute)})
}

// days are n days from first on.
func (d dialog) days(first civil.Date, n int) civil.TimeRange {
	return civil.Days(first, first.AddDays(n), d.now.Location())
}

const (
	// maxItems is how many entries are listed, and remembered, at a time; maxSpoken how many are
	// spoken one by one.
	maxItems  = 10
	maxSpoken = 3
	// MaxSaid is how many runes are taken of what shall be written.
	MaxSaid = 2000
)

// searchWords are words that entries are searched by, bounded.
func searchWords(said string) string { return text.OneLine(said, display.MaxWords) }

// valueOf is what somebody wants written, bounded.
func valueOf(said string) string { return text.OneLine(said, MaxSaid) }
