package emulator

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// An Event is an event in Google's form: what is sent and answered.
type Event struct {
	Kind                    string              `json:"kind,omitempty"`
	ETag                    string              `json:"etag,omitempty"`
	ID                      string              `json:"id,omitempty"`
	Status                  string              `json:"status,omitempty"`
	HTMLLink                string              `json:"htmlLink,omitempty"`
	Created                 string              `json:"created,omitempty"`
	Updated                 string              `json:"updated,omitempty"`
	Summary                 string              `json:"summary,omitempty"`
	Description             string              `json:"description,omitempty"`
	Location                string              `json:"location,omitempty"`
	ColorID                 string              `json:"colorId,omitempty"`
	Creator                 *Person             `json:"creator,omitempty"`
	Organizer               *Person             `json:"organizer,omitempty"`
	Start                   *Time               `json:"start,omitempty"`
	End                     *Time               `json:"end,omitempty"`
	EndTimeUnspecified      bool                `json:"endTimeUnspecified,omitempty"`
	Recurrence              []string            `json:"recurrence,omitempty"`
	RecurringEventID        string              `json:"recurringEventId,omitempty"`
	OriginalStartTime       *Time               `json:"originalStartTime,omitempty"`
	Transparency            string              `json:"transparency,omitempty"`
	Visibility              string              `json:"visibility,omitempty"`
	ICalUID                 string              `json:"iCalUID,omitempty"`
	Sequence                int                 `json:"sequence,omitempty"`
	Attendees               []Attendee          `json:"attendees,omitempty"`
	AttendeesOmitted        bool                `json:"attendeesOmitted,omitempty"`
	ExtendedProperties      *ExtendedProperties `json:"extendedProperties,omitempty"`
	ConferenceData          json.RawMessage     `json:"conferenceData,omitempty"`
	AnyoneCanAddSelf        bool                `json:"anyoneCanAddSelf,omitempty"`
	GuestsCanInviteOthers   *bool               `json:"guestsCanInviteOthers,omitempty"`
	GuestsCanModify         bool                `json:"guestsCanModify,omitempty"`
	GuestsCanSeeOtherGuests *bool               `json:"guestsCanSeeOtherGuests,omitempty"`
	Reminders               *Reminders          `json:"reminders,omitempty"`
	Source                  *Link               `json:"source,omitempty"`
	Attachments             json.RawMessage     `json:"attachments,omitempty"`
	EventType               string              `json:"eventType,omitempty"`
	FocusTime               json.RawMessage     `json:"focusTimeProperties,omitempty"`
	OutOfOffice             json.RawMessage     `json:"outOfOfficeProperties,omitempty"`
	WorkingLocation         json.RawMessage     `json:"workingLocationProperties,omitempty"`
}

// A Time is a day ("2026-01-15"), or an instant with the zone it was entered in.
type Time struct {
	Date     string `json:"date,omitempty"`
	DateTime string `json:"dateTime,omitempty"`
	TimeZone string `json:"timeZone,omitempty"`
}

// A Person is who made an event or looks after it.
type Person struct {
	Email       string `json:"email,omitempty"`
	DisplayName string `json:"displayName,omitempty"`
	Self        bool   `json:"self,omitempty"`
}

// An Attendee is a guest of an event.
type Attendee struct {
	ID               string `json:"id,omitempty"`
	Email            string `json:"email,omitempty"`
	DisplayName      string `json:"displayName,omitempty"`
	Organizer        bool   `json:"organizer,omitempty"`
	Self             bool   `json:"self,omitempty"`
	Resource         bool   `json:"resource,omitempty"`
	Optional         bool   `json:"optional,omitempty"`
	ResponseStatus   string `json:"responseStatus,omitempty"`
	Comment          string `json:"comment,omitempty"`
	AdditionalGuests int    `json:"additionalGuests,omitempty"`
}

// ExtendedProperties are what programs keep with an event.
type ExtendedProperties struct {
	Private map[string]string `json:"private,omitempty"`
	Shared  map[string]string `json:"shared,omitempty"`
}

// Reminders say whether the calendar's reminders apply, or which others.
type Reminders struct {
	UseDefault bool       `json:"useDefault"`
	Overrides  []Reminder `json:"overrides,omitempty"`
}

// A Reminder is a message some minutes before an event.
type Reminder struct {
	Method  string `json:"method"`
	Minutes int    `json:"minutes"`
}

// A Link is a page an event is from.
type Link struct {
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// stored is an event as the account has it. Its times are in UTC with the zone beside them.
type stored struct {
	Event
	// revision is the change that it is of, made the one it began with.
	revision, made int64
	// series is nil where the event does not recur.
	series *series
	// ghosts are what was there in the place of this event, or of its instances, and is no more: those who sync are told.
	ghosts []stored
	// lost says that it is cancelled because its series does not have it any more.
	lost bool
}

// bare is what is left of a cancelled event in lists.
func (s stored) bare() Event {
	return Event{
		Kind: s.Kind, ETag: s.ETag, ID: s.ID, Status: "cancelled",
		RecurringEventID: s.RecurringEventID, OriginalStartTime: s.OriginalStartTime,
	}
}

func (s stored) cancelled() bool { return s.Status == "cancelled" }

// mark stamps the event with a change.
func (e *Emulator) mark(s *stored, revision int64) {
	s.revision, s.ETag, s.Updated = revision, etag(revision), e.stamp()
}

func etag(revision int64) string { return fmt.Sprintf("\"3%015d\"", 2*revision) }

// merge applies patch to the JSON object of v as PATCH does: objects are merged, everything else is replaced, null takes away.
func merge(v Event, patch map[string]any) (Event, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return Event{}, err
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return Event{}, err
	}
	if text, err = json.Marshal(mergeObject(object, patch)); err != nil {
		return Event{}, err
	}
	var merged Event
	if err := json.Unmarshal(text, &merged); err != nil {
		return Event{}, errParse
	}
	return merged, nil
}

func mergeObject(object, patch map[string]any) map[string]any {
	object = maps.Clone(object)
	for name, value := range patch {
		inner, isObject := value.(map[string]any)
		old, wasObject := object[name].(map[string]any)
		switch {
		case value == nil:
			delete(object, name)
		case isObject && wasObject:
			object[name] = mergeObject(old, inner)
		case isObject:
			object[name] = mergeObject(map[string]any{}, inner)
		default:
			object[name] = value
		}
	}
	return object
}

// readOnly are the fields that only the server writes; what a request says of them is not heard.
var readOnly = []string{
	"kind", "etag", "htmlLink", "created", "updated", "creator", "organizer", "recurringEventId", "originalStartTime", "attendeesOmitted",
}

// settle completes and checks an event that a request wrote. before is what was there, or nil.
func (e *Emulator) settle(ev *Event, cal *calendarState, before *Event) error {
	if ev.Start == nil {
		return required("Missing start time.")
	}
	if ev.End == nil {
		return required("Missing end time.")
	}
	if err := ev.Start.settle(cal.zone, "start", len(ev.Recurrence) > 0); err != nil {
		return err
	}
	if err := ev.End.settle(cal.zone, "end", len(ev.Recurrence) > 0); err != nil {
		return err
	}
	if (ev.Start.Date == "") != (ev.End.Date == "") {
		return invalid("Start and end times must either both be date or both be dateTime.")
	}
	if ev.Start.Date != "" && ev.End.Date <= ev.Start.Date || ev.Start.Date == "" && ev.End.DateTime < ev.Start.DateTime {
		return errEmptyRange
	}
	if err := ev.settleWords(before); err != nil {
		return err
	}
	return e.settleGuests(ev)
}

// settle checks a time and brings it into the form in which it is kept.
func (t *Time) settle(zone *time.Location, name string, recurs bool) error {
	if (t.Date == "") == (t.DateTime == "") {
		return invalid("Invalid " + name + " time.")
	}
	if t.Date != "" {
		if _, err := time.Parse(time.DateOnly, t.Date); err != nil {
			return invalid("Invalid " + name + " time.")
		}
		return nil
	}
	if t.TimeZone == "" && recurs {
		return required("Missing time zone definition for " + name + " time.")
	}
	if t.TimeZone != "" {
		var err error
		if zone, err = time.LoadLocation(t.TimeZone); err != nil || t.TimeZone == "Local" {
			return invalid("Invalid time zone definition for " + name + " time.")
		}
	}
	at, err := time.Parse(time.RFC3339, t.DateTime)
	if err != nil && t.TimeZone != "" {
		at, err = time.ParseInLocation("2006-01-02T15:04:05", t.DateTime, zone)
	}
	if err != nil && t.TimeZone == "" {
		if _, local := time.Parse("2006-01-02T15:04:05", t.DateTime); local == nil {
			return required("Missing time zone definition for " + name + " time.")
		}
	}
	if err != nil {
		return invalid("Invalid value for: Invalid format: \"" + t.DateTime + "\"")
	}
	t.DateTime, t.TimeZone = at.UTC().Truncate(time.Second).Format(time.RFC3339), zone.String()
	return nil
}

// settleWords fills in defaults and checks the fields that have a closed set of values.
func (ev *Event) settleWords(before *Event) error {
	for _, field := range []struct {
		name    string
		value   *string
		allowed []string
	}{
		{"status", &ev.Status, []string{"confirmed", "tentative", "cancelled"}},
		{"transparency", &ev.Transparency, []string{"", "opaque", "transparent"}},
		{"visibility", &ev.Visibility, []string{"", "default", "public", "private", "confidential"}},
		{"eventType", &ev.EventType, []string{"default", "birthday", "focusTime", "fromGmail", "outOfOffice", "workingLocation"}},
	} {
		if *field.value == "" {
			*field.value = field.allowed[0]
		}
		if !slices.Contains(field.allowed, *field.value) {
			return invalid("Invalid value for: " + field.name)
		}
	}
	if ev.Reminders == nil {
		ev.Reminders = &Reminders{UseDefault: true}
	}
	if ev.Reminders.UseDefault && len(ev.Reminders.Overrides) > 0 {
		return &failure{
			code: 400, domain: "calendar", reason: "cannotUseDefaultRemindersAndSpecifyOverride",
			message: "Cannot specify both default reminders and overrides at the same time.",
		}
	}
	if before != nil && ev.Sequence < before.Sequence {
		return invalid("Invalid sequence value. The specified sequence number is below the current sequence number of the resource.")
	}
	return nil
}

// settleGuests fills in what Google knows of guests.
func (e *Emulator) settleGuests(ev *Event) error {
	for i := range ev.Attendees {
		a := &ev.Attendees[i]
		if a.Email == "" {
			return required("Missing attendee email.")
		}
		a.Self = a.Email == e.opts.Email
		a.Organizer = ev.Organizer != nil && a.Email == ev.Organizer.Email
		if a.ResponseStatus == "" {
			a.ResponseStatus = "needsAction"
		}
		if !slices.Contains([]string{"needsAction", "declined", "tentative", "accepted"}, a.ResponseStatus) {
			return invalid("Invalid value for: attendee response status")
		}
	}
	return nil
}

// link is the address of an event's page.
func link(id, calendarID string) string {
	return "https://www.google.com/calendar/event?eid=" + base64.RawStdEncoding.EncodeToString([]byte(id+" "+calendarID))
}

// in returns the time as it is answered: its instant in zone.
func (t *Time) in(zone *time.Location) *Time {
	if t == nil || t.Date != "" {
		return t
	}
	return &Time{DateTime: t.at(zone).In(zone).Format(time.RFC3339), TimeZone: t.TimeZone}
}

// at is the instant of a time that is kept: a day begins at midnight in zone.
func (t *Time) at(zone *time.Location) time.Time {
	if t.Date != "" {
		at, _ := time.ParseInLocation(time.DateOnly, t.Date, zone) // it was parsed when it came
		return at
	}
	at, _ := time.Parse(time.RFC3339, t.DateTime) // likewise
	return at
}
