package nodes

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"annai/api"
	"annai/internal/civil"
	"annai/nlu"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// A diary answers one turn from the owner's calendars: it looks things up, and words them.
type diary struct {
	telling

	agenda *agenda.Agenda
	// twice says that what is carried out may have been done before.
	twice bool
	wish  calendarWish
	log   *slog.Logger
	// labels are the names of the calendars, where there are several.
	labels map[string]string
}

// diary returns what answers this turn.
func (c *Concierge) diary(s State) diary {
	now := s.Turn.At.In(c.location(s.Turn))
	d := diary{
		telling: telling{venue: c.parts.Venue, lang: s.Language, now: now, before: s.Topic},
		agenda:  c.parts.Agenda, wish: s.Route.Calendar, log: c.opts.Log, labels: map[string]string{},
	}
	d.wish.Range = d.wish.Range.in(now.Location())
	d.aboutIt()
	all := d.agenda.Calendars()
	for _, cal := range all {
		label := cal.Label[string(s.Language)]
		if label == "" {
			label = cal.Label[inLang(s.Language, "en", "ja")]
		}
		d.labels[cal.ID] = noBrackets(oneLine(label, maxTitle))
	}
	return d
}

// aboutIt has the range that is wished for named in words.
func (d *diary) aboutIt() {
	d.telling.wish.Range, d.telling.wish.Weekdays, d.telling.wish.Hours = d.wish.Range, d.wish.Weekdays, d.wish.Part
}

// adverb is the range that is wished for as it stands in a sentence: in English an adverb.
func (d diary) adverb() string {
	switch {
	case d.lang != nlu.English:
		return d.rangeWords()
	case d.wish.Weekdays != 0:
		return "on " + d.rangeWords()
	}
	return d.atHours(d.wish.Range.adverb(d.now, d.lang))
}

// oldAnswer is how old an answer may be that is not said to be.
const oldAnswer = 15 * time.Minute

// warn logs a calendar that failed.
func (d diary) warn(ctx context.Context, err error) {
	d.log.LogAttrs(ctx, slog.LevelWarn, "source failed", slog.String("source", "agenda"), slog.Any("err", err))
}

func (d diary) warnAll(ctx context.Context, l calendar.Listing) {
	for _, p := range l.Problems {
		d.log.LogAttrs(ctx, slog.LevelWarn, "calendar incomplete", slog.String("calendar", p.CalendarID), slog.Any("err", p.Err))
	}
}

// unread says that the calendar could not be looked at.
func (d diary) unread(err error) draft {
	p := prompts.CalendarUnread{Wanted: quote(d.wish.Words), Kind: string(calendar.Unavailable)}
	if !d.wish.Range.isZero() {
		p.Range = d.rangeWords()
	}
	if kind := calendar.KindOf(err); err != nil {
		p.Kind = string(kind)
		if kind != calendar.Quota { // its words are of writing
			p.Why = kind.Message(string(d.lang))
		}
	}
	return draft{Text: d.say(p), Facts: facts{Calendar: statusError, Nothing: true}, Range: d.rangeOnWire(), Suggestions: d.kinds("own_today")}
}

// whyNot is why a listing is not complete, if its calendars say so.
func whyNot(l calendar.Listing) error {
	for _, p := range l.Problems {
		if p.Err != nil {
			return p.Err
		}
	}
	return nil
}

func (d diary) rangeOnWire() *api.TimeRange {
	if d.wish.Range.isZero() {
		return nil
	}
	return d.wish.Range.wire()
}

// kinds words suggestions.
func (d diary) kinds(kinds ...string) []string { return suggestions(d.lang, kinds...) }

// note adds sentences behind an answer.
func (d diary) note(out *draft, notes ...string) {
	for i, n := range notes {
		if i == 0 {
			*out = out.with(n)
			continue
		}
		out.Text, out.Spoken = out.Text+"\n"+n, append(out.Spoken, n)
	}
}

// notes says what an answer lacks: a calendar that could not be read, its age, and the zone of its times.
func (d diary) notes(out *draft, complete bool, asOf time.Time, told bool) {
	var notes []string
	if !complete {
		out.Facts.Partial = true
		notes = append(notes, d.say(prompts.NoteOwnPartial{}))
	}
	if !asOf.IsZero() && d.now.Sub(asOf) > oldAnswer {
		at := asOf.In(d.now.Location())
		notes = append(notes, d.say(prompts.NoteAsOf{At: d.instant(at)}))
	}
	if told && d.otherZone() {
		notes = append(notes, d.say(prompts.NoteZone{Zone: d.zone()}))
	}
	d.note(out, notes...)
}

func (d diary) zone() string { return oneLine(d.now.Location().String(), maxTitle) }

// instant is a day and a time of day as they are read.
func (d diary) instant(t time.Time) string {
	day := civil.DateOf(t)
	return writtenDate(day, nearby(day, civil.DateOf(d.now)), d.lang) + inLang(d.lang, " ", ", ") + writtenClock(t, d.lang)
}

// when is when an entry is, as it is read: the year only if it is another one.
func (d diary) when(e entry) string {
	today := civil.DateOf(d.now)
	span := e.span(d.now.Location())
	if e.AllDay {
		parts := max(nearby(e.FirstDay, today), nearby(e.lastDay(), today))
		days := writtenDays(e.FirstDay, e.lastDay(), parts, d.lang)
		if e.FirstDay != e.lastDay() {
			return days
		}
		return days + inLang(d.lang, " 終日", ", all day")
	}
	return writtenSpan(span.Start, span.End, !e.EndInferred, nearby(civil.DateOf(span.Start), today), d.lang)
}

// label is the name of the calendar that an entry is in, where there is more than one.
func (d diary) label(id string) string {
	if len(d.labels) < 2 {
		return ""
	}
	return d.labels[id]
}

// named is the title of an entry as it stands in a sentence.
func (d diary) named(e entry) string { return noBrackets(d.title(e)) }

// listed is an entry of a written list; number is 0 where it has none.
func (d diary) listed(o own, number int) string {
	span := o.span(d.now.Location())
	return d.say(prompts.CalendarItem{
		Number: number, Title: d.named(o.entry), When: d.when(o.entry), Place: noBrackets(o.Location), Calendar: d.label(o.Ref.CalendarID),
		Repeats: o.Series != "", Cancelled: o.cancelled(), Over: ended(span, d.now), Tentative: o.Status == calendar.Tentative,
		Ongoing: !o.AllDay && span.Contains(d.now), Note: noBrackets(oneLine(o.Description, maxNote)),
	})
}

// maxNote is how many runes of a note stand in a list.
const maxNote = 80

// list tells entries, after an introduction.
func (d diary) list(intro string, list []own, numbered bool) draft {
	out := draft{Cards: d.cards(entriesOf(list)), Range: d.rangeOnWire(), Facts: facts{Calendar: statusOK, Events: len(list)}}
	parts := []string{intro}
	for i, o := range list {
		number := 0
		if numbered {
			number = i + 1
		}
		parts = append(parts, d.listed(o, number))
		out.Facts.Changed = out.Facts.Changed || o.cancelled()
	}
	out.Text = strings.Join(parts, "\n\n")
	out.Spoken = d.spoken(intro, list)
	return out
}

// spoken is a list of entries as it is said: of those that are not over, if there are others, the first few.
func (d diary) spoken(intro string, list []own) []string {
	out := []string{intro}
	var ahead []own
	for _, o := range list {
		if !ended(o.span(d.now.Location()), d.now) {
			ahead = append(ahead, o)
		}
	}
	if len(ahead) == 0 {
		ahead = list
	}
	for i, o := range ahead {
		if i == maxSpokenEvents {
			out = append(out, d.say(prompts.EventsMore{Count: len(ahead) - i}))
			break
		}
		p := d.spokenItem(o.entry)
		p.Ongoing, p.Until = false, ""
		out = append(out, d.say(p))
	}
	return out
}

// topic is what to remember of a list.
func (d diary) topic(list []own) topic {
	t := topic{Node: nodeCalendar, Own: list, Look: d.wish, Range: d.wish.Range, Total: len(list)}
	if len(list) == 1 {
		t.Focus = 1
	}
	return t
}

// failed reports whether err is the end of the whole turn.
func failed(ctx context.Context, err error) bool { return err != nil && ctx.Err() != nil }

// quote is the words of a visitor, to be said back.
func quote(words string) string { return noBrackets(oneLine(words, maxWords)) }

// length is a length of time as it is read.
func (d diary) length(l time.Duration) string {
	return d.say(prompts.CalendarLength{Hours: int(l / time.Hour), Minutes: int(l % time.Hour / time.Minute)})
}

// days are the days from first up to until.
func (d diary) days(first civil.Date, n int) civil.TimeRange {
	return civil.Days(first, first.AddDays(n), d.now.Location())
}
