// Package family is the calendar tools: list_events and its five siblings, create_calendar_event and list_calendar_events, calendar_read and
// calendar_write. Each is the same agenda under the names and shapes that its callers know.
//
// The idea to hold: a tool reads its input, asks the [agenda.Agenda], and words the answer; it computes nothing. Inside, the end of an all-day
// event is the day after; what tools take and show is its last day, and when.go alone converts. The package knows no back end and no HTTP.
package family

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// Options are the settings of [Register] that have a default.
type Options struct {
	// Off says for the operator why no calendar tool can be offered, ReadOnly why none that writes,
	// PluginOff why neither create_calendar_event nor list_calendar_events. Empty: they can.
	Off, ReadOnly, PluginOff string
	// BackEnd names what keeps the calendar that is written to. Empty: "calendar".
	BackEnd string
	// AttendeeDomains are those of mail addresses that may be invited. Empty: nobody may.
	AttendeeDomains []string
}

// The scopes of Google that the tools need.
const (
	scopeRead  = "https://www.googleapis.com/auth/calendar.events.readonly"
	scopeWrite = "https://www.googleapis.com/auth/calendar.events"
)

//go:embed descriptions
var descriptions embed.FS

// Register adds the calendar tools, which only owners may call, and their family "calendar". A nil agenda, and one without a calendar that can
// be written to, switch off what needs it.
func Register(r *tools.Registry, a *agenda.Agenda, opts Options) error {
	opts.BackEnd = cmp.Or(opts.BackEnd, "calendar")
	if a == nil {
		opts.Off = cmp.Or(opts.Off, "no calendar of the owner is configured")
	} else if _, ok := a.Writable(); !ok {
		opts.ReadOnly = cmp.Or(opts.ReadOnly, "no calendar of the owner can be written to")
	}
	f := &family{agenda: a, opts: opts}
	r.AddFamily(tools.Family{Name: "calendar", Tools: chosen, Roles: owners, Choose: choose})
	return errors.Join(
		add(r, f, f.reads("list_events"), (*family).listEvents, nil),
		add(r, f, f.writes("create_event"), (*family).createEvent, nil),
		add(r, f, destroys(f.writes("update_event")), (*family).updateEvent, nil),
		add(r, f, destroys(f.writes("delete_event")), (*family).deleteEvent, nil),
		add(r, f, f.reads("check_availability"), (*family).checkAvailability, nil),
		add(r, f, f.reads("suggest_schedule"), (*family).suggestSchedule, nil),
		add(r, f, f.plugin(f.writes("create_calendar_event")), (*family).createCalendarEvent, nil),
		add(r, f, f.plugin(f.reads("list_calendar_events")), (*family).listCalendarEvents, nil),
		add(r, f, within(f.reads("calendar_read"), 5*time.Second, 1), (*family).calendarRead, degradedRead),
		add(r, f, within(f.writes("calendar_write"), 10*time.Second, 2), (*family).calendarWrite, nil),
	)
}

type family struct {
	agenda *agenda.Agenda
	opts   Options
}

var owners = []tools.Role{tools.Owner}

// reads returns the spec of a tool that changes nothing.
func (f *family) reads(name string) tools.Spec {
	return tools.Spec{
		Name: name, Class: tools.Read, Roles: owners, Timeout: 10 * time.Second, Retries: 1,
		BackEnd: f.opts.BackEnd, Scopes: []string{scopeRead}, Unconfigured: f.opts.Off,
	}
}

// writes returns the spec of a tool that changes something, once for each request.
func (f *family) writes(name string) tools.Spec {
	return tools.Spec{
		Name: name, Class: tools.KeyedWrite, Roles: owners, Timeout: 10 * time.Second, Retries: 2,
		BackEnd: f.opts.BackEnd, Scopes: []string{scopeWrite}, Unconfigured: cmp.Or(f.opts.Off, f.opts.ReadOnly),
	}
}

func destroys(s tools.Spec) tools.Spec {
	s.Destructive = true
	return s
}

// plugin returns the spec of a tool of GoogleCalendarPlugin, which takes JSON in a string too.
func (f *family) plugin(s tools.Spec) tools.Spec {
	s.TextInput = true
	s.Unconfigured = cmp.Or(s.Unconfigured, f.opts.PluginOff)
	return s
}

func within(s tools.Spec, timeout time.Duration, retries int) tools.Spec {
	s.Timeout, s.Retries = timeout, retries
	return s
}

type do[In, Out any] = func(f *family, ctx context.Context, caller tools.Caller, in In) (Out, error)

// add adds a tool, whose calls see what is the caller's.
func add[In, Out any](
	r *tools.Registry, f *family, s tools.Spec, call do[In, Out], degraded func(tools.Caller, error) (Out, bool),
) error {
	words, err := tools.Descriptions(descriptions, s.Name)
	if err != nil {
		return err
	}
	s.Description = words
	own := func(ctx context.Context, caller tools.Caller, in In) (Out, error) {
		return call(&family{agenda: f.agenda.For(caller.Owner), opts: f.opts}, ctx, caller, in)
	}
	return tools.Add(r, tools.Tool[In, Out]{Spec: s, Do: own, Degraded: degraded, Retry: retry})
}

// retry says which failures of a calendar may be over soon. A quota is not, though it is a kind of being unavailable.
func retry(err error) (time.Duration, bool) {
	var f *calendar.Failure
	if errors.As(err, &f) {
		return f.RetryAfter, f.Kind == calendar.Unavailable || f.Kind == calendar.RateLimited || f.Kind == calendar.Ambiguous
	}
	return 0, errors.Is(err, fault.ErrUnavailable)
}

// keyed is the part of an input that makes sure that a write is done once.
type keyed struct {
	IdempotencyKey string `json:"idempotency_key,omitempty" jsonschema:"Any text of your own: the same key again writes nothing new. Absent: made from the request."`
}

// key returns the id of the event that this call is to create: the same when the call is tried again. It depends on the input too, since some
// callers name everything that they ask for by one request id.
func key[In any](caller tools.Caller, tool string, given keyed, in In) (string, error) {
	if given.IdempotencyKey != "" {
		return agenda.KeyFor("key", tool, given.IdempotencyKey), nil
	}
	text, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("name the event of a request: %w", err)
	}
	return agenda.KeyFor("request", tool, caller.SessionID, caller.RequestID, string(text)), nil
}

// chosen are the tools that an input to the family may mean.
var chosen = []string{"list_events", "create_event", "update_event", "delete_event", "check_availability", "suggest_schedule"}

// choose tells from the fields which tool is meant. An event_id alone would delete, so it must come with confirm.
func choose(fields tools.Fields) (string, error) {
	switch {
	case fields.Any("event_id"):
		confirmed := fields["confirm"] == true
		delete(fields, "confirm")
		if len(fields) > 1 {
			return "update_event", nil
		}
		if !confirmed {
			return "", &tools.Refusal{
				Kind: fault.ErrInvalid, JA: "event_id だけでは削除しません。削除する場合は confirm を true にしてください。",
				EN: "An event_id alone deletes nothing. To delete the event, set confirm to true.",
			}
		}
		return "delete_event", nil
	case fields.Any("title", "start"):
		return "create_event", nil
	case fields.Any("duration_minutes"):
		return "suggest_schedule", nil
	case fields.Any("time_from", "time_to", "freeDayPolicy"):
		return "check_availability", nil
	default:
		return "list_events", nil
	}
}
