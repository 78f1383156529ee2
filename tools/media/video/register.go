package video

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"annai/civil"
	"annai/fault"
	"annai/tools"
)

//go:embed descriptions
var descriptions embed.FS

const (
	// name is how the tool is called; veo.create_day_preview is the same.
	name = "veo_create_day_preview"
	// maxEvents bounds the events of an input.
	maxEvents = 100
	// work is how many requests a film counts as: its seconds of one processor.
	work = 4
)

// input is what the tool takes. The first three fields are those of the specification.
type input struct {
	Events   []event `json:"events" jsonschema:"At most 100. The first 8 of the day have a slide each."`
	Date     string  `json:"date" jsonschema:"The day, such as 2026-01-16."`
	Style    Style   `json:"style,omitempty" enum:"cinematic,documentary" jsonschema:"Absent: cinematic."`
	Shape    Shape   `json:"shape,omitempty" enum:"portrait,landscape" jsonschema:"Absent: portrait, 1080 x 1920."`
	Format   Format  `json:"format,omitempty" enum:"mp4,gif" jsonschema:"Absent: mp4. gif is half as large."`
	Language string  `json:"language,omitempty" enum:"ja,en" jsonschema:"Of dates and headlines. Absent: the caller's."`
}

// event is an event as GET /events gives it, which the specification calls canonical.
type event struct {
	ID          string `json:"id,omitempty"`
	Title       string `json:"title"`
	Start       string `json:"start" jsonschema:"RFC 3339, or a date for all of a day."`
	End         string `json:"end,omitempty" jsonschema:"Of the same kind; a date is the last day."`
	AllDay      bool   `json:"allDay,omitempty"`
	Location    string `json:"location,omitempty"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url,omitempty" jsonschema:"Not shown."`
	CalendarID  string `json:"calendarId,omitempty" jsonschema:"Not shown."`
	Status      string `json:"status,omitempty" jsonschema:"What is cancelled is left out."`
}

// output is what the tool answers. The first two fields are those of the specification.
type output struct {
	VideoURL        string    `json:"videoUrl" jsonschema:"Relative to this server; signed, and it expires."`
	DurationSeconds int       `json:"durationSeconds"`
	Format          Format    `json:"format"`
	Language        string    `json:"language"`
	ExpiresAt       time.Time `json:"expiresAt"`
	EventsShown     int       `json:"eventsShown" jsonschema:"How many events have a slide of their own."`
	Backend         string    `json:"backend" jsonschema:"embedded, or a service such as veo, whose film has no words."`
	Note            string    `json:"note,omitempty" jsonschema:"Why it is not what a service would make."`
}

// Options are the settings of the tool that have a default.
type Options struct {
	// Venue is the name of the house by language. Empty: films have none.
	Venue map[string]string
	// Location is where dates and times are read and shown. Nil: UTC.
	Location *time.Location
}

// Register adds veo_create_day_preview, which everybody may call.
func Register(r *tools.Registry, maker *Maker, opts Options) error {
	words, err := tools.Descriptions(descriptions, name)
	if err != nil {
		return err
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	backend := embedded
	if maker.service != nil {
		backend = maker.service.Name() + ", embedded"
	}
	return tools.Add(r, tools.Tool[input, output]{
		Spec: tools.Spec{
			Name: name, Description: words, Class: tools.KeyedWrite, Timeout: time.Minute, BackEnd: backend,
			Roles: []tools.Role{tools.Visitor, tools.Owner, tools.Operator}, Requests: work,
		},
		Do: func(ctx context.Context, caller tools.Caller, in input) (output, error) {
			in.Language = cmp.Or(in.Language, caller.Language)
			day, err := opts.day(in)
			if err != nil {
				return output{}, err
			}
			make := maker.Make
			if caller.Role == tools.Visitor { // a film of a service costs money, and minutes
				make = maker.Embedded
			}
			made, err := make(ctx, day, cmp.Or(in.Format, MP4))
			if err != nil {
				return output{}, err
			}
			out := output{
				VideoURL: made.Address.URL, DurationSeconds: int(made.Duration.Round(time.Second) / time.Second),
				Format: made.Format, Language: in.Language, ExpiresAt: made.Address.Expires.In(opts.Location),
				EventsShown: min(len(day.Events), MaxSlides), Backend: made.Backend,
			}
			if made.FellBack {
				out.Note = fellBack(caller.Language)
			} else if made.Backend != embedded {
				out.EventsShown = 0
			}
			return out, nil
		},
	})
}

// day reads the input.
func (o Options) day(in input) (Day, error) {
	date, err := civil.ParseDate(in.Date)
	if err != nil {
		return Day{}, noDate
	}
	if len(in.Events) > maxEvents {
		return Day{}, tooMany
	}
	day := Day{
		Date: date, Venue: o.Venue[in.Language], Language: in.Language,
		Style: cmp.Or(in.Style, Cinematic), Shape: cmp.Or(in.Shape, Portrait),
	}
	whole := civil.Days(date, date.AddDays(1), o.Location)
	for i, e := range in.Events {
		read, err := o.event(e)
		if err != nil {
			return Day{}, wrongEvent(i+1, err)
		}
		if e.Status != "cancelled" && on(read.Span, whole) {
			day.Events = append(day.Events, read)
		}
	}
	if len(day.Events) == 0 {
		return Day{}, nothingOn(date)
	}
	arrange(day.Events)
	return day, nil
}

// on reports whether something is on in a day. What takes no time is on when it begins.
func on(span, day civil.TimeRange) bool {
	return span.Start.Before(day.End) && (day.Start.Before(span.End) || !span.Start.Before(day.Start))
}

// arrange sorts the events of a day: by their starts, and what is on all day last.
func arrange(events []Event) {
	slices.SortStableFunc(events, func(a, b Event) int {
		if a.AllDay != b.AllDay {
			if a.AllDay {
				return 1
			}
			return -1
		}
		return a.Span.Start.Compare(b.Span.Start)
	})
}

// event reads one event. Its errors are of no kind.
func (o Options) event(e event) (Event, error) {
	out := Event{Title: e.Title, Location: e.Location, Description: e.Description}
	first, err := civil.ParseDate(e.Start)
	if err == nil {
		last := first
		if e.End != "" {
			if last, err = civil.ParseDate(e.End); err != nil {
				return Event{}, err
			}
		}
		out.AllDay, out.Span = true, civil.Days(first, last.AddDays(1), o.Location)
		if last.Before(first) {
			return Event{}, errors.New("ends before it starts")
		}
		return out, nil
	}
	start, err := o.moment(e.Start)
	if err != nil {
		return Event{}, err
	}
	end := start
	if e.End != "" {
		if end, err = o.moment(e.End); err != nil {
			return Event{}, err
		}
	}
	if end.Before(start) {
		return Event{}, errors.New("ends before it starts")
	}
	out.Span = civil.TimeRange{Start: start, End: end}
	return out, nil
}

// moment reads a time; one without an offset is meant in the house.
func (o Options) moment(s string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		at, err = time.ParseInLocation("2006-01-02T15:04:05", s, o.Location)
	}
	return at.In(o.Location), err
}

// What people are told where no film can be made.
var (
	noDate = &tools.Refusal{
		Kind: fault.ErrInvalid,
		JA:   "日付は 2026-01-16 の形でご指定ください。", EN: "Please give the date like 2026-01-16.",
	}
	tooMany = &tools.Refusal{
		Kind: fault.ErrInvalid,
		JA:   "イベントは100件まででお願いします。", EN: "No more than 100 events, please.",
	}
)

// fellBack says that a service was asked in vain.
func fellBack(lang string) string {
	return pick(lang, "動画サービスが使えなかったため、内蔵の機能で作りました。",
		"The video service could not be used, so the film was made here.")
}

func nothingOn(date civil.Date) error {
	return &tools.Refusal{
		Kind: fault.ErrInvalid, JA: longDate(date, "ja") + "に紹介できるイベントがありません。",
		EN: "There is no event to show on " + longDate(date, "en") + ".",
	}
}

func wrongEvent(number int, err error) error {
	return fmt.Errorf("event %d: %w: %w", number, err, &tools.Refusal{
		Kind: fault.ErrInvalid,
		JA: fmt.Sprintf("%d番目のイベントの日時が読めません。"+
			"start と end は、2026-01-16T19:00:00+09:00 か 2026-01-16 の形で、"+
			"end が後になるようにご指定ください。", number),
		EN: fmt.Sprintf("I cannot read when event %d is. Please give start and end like "+
			"2026-01-16T19:00:00+09:00 or 2026-01-16, the end after the start.", number),
	})
}
