package emulator

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A method is a line of the table of methods.
type method struct {
	id, pattern string
	// scopes are those of which one is needed, without their common beginning.
	scopes []string
	// serve answers a request while the emulator is locked. Nil is a method that Google has and the emulator has not.
	serve func(*Emulator, *call) (any, error)
}

// base is where the methods are.
const base = "/calendar/v3/"

const scopePrefix = "https://www.googleapis.com/auth/"

// What is needed for what. Scopes that are about calendars the account cannot have here (made by the program, public ones of others)
// are left out.
var (
	readList     = []string{"calendar", "calendar.calendarlist", "calendar.calendarlist.readonly", "calendar.readonly"}
	readCalendar = []string{"calendar", "calendar.calendars", "calendar.calendars.readonly", "calendar.readonly"}
	readEvents   = []string{
		"calendar", "calendar.events", "calendar.events.freebusy", "calendar.events.owned", "calendar.events.owned.readonly",
		"calendar.events.readonly", "calendar.readonly",
	}
	writeEvents = []string{"calendar", "calendar.events", "calendar.events.owned"}
	readBusy    = []string{"calendar", "calendar.events.freebusy", "calendar.freebusy", "calendar.readonly"}
	readSetting = []string{"calendar", "calendar.readonly", "calendar.settings", "calendar.settings.readonly"}
	readColors  = []string{
		"calendar", "calendar.calendarlist", "calendar.calendarlist.readonly", "calendar.events.freebusy", "calendar.events.owned",
		"calendar.events.owned.readonly", "calendar.readonly",
	}
)

func methods() []method {
	const events = "calendars/{calendarId}/events"
	return []method{
		{"calendarList.list", "GET users/me/calendarList", readList, (*Emulator).listCalendars},
		{"calendarList.get", "GET users/me/calendarList/{calendarId}", readList, (*Emulator).getCalendarEntry},
		{"calendars.get", "GET calendars/{calendarId}", readCalendar, (*Emulator).getCalendar},
		{"colors.get", "GET colors", readColors, (*Emulator).getColors},
		{"settings.get", "GET users/me/settings/{setting}", readSetting, (*Emulator).getSetting},
		{"events.list", "GET " + events, readEvents, (*Emulator).listEvents},
		{"events.get", "GET " + events + "/{eventId}", readEvents, (*Emulator).getEvent},
		{"events.instances", "GET " + events + "/{eventId}/instances", readEvents, (*Emulator).listInstances},
		{"events.insert", "POST " + events, writeEvents, (*Emulator).insertEvent},
		{"events.patch", "PATCH " + events + "/{eventId}", writeEvents, (*Emulator).patchEvent},
		{"events.update", "PUT " + events + "/{eventId}", writeEvents, (*Emulator).updateEvent},
		{"events.delete", "DELETE " + events + "/{eventId}", writeEvents, (*Emulator).deleteEvent},
		{"events.move", "POST " + events + "/{eventId}/move", writeEvents, (*Emulator).moveEvent},
		{"events.import", "POST " + events + "/import", writeEvents, nil},
		{"events.quickAdd", "POST " + events + "/quickAdd", writeEvents, nil},
		{"events.watch", "POST " + events + "/watch", readEvents, nil},
		{"freebusy.query", "POST freeBusy", readBusy, (*Emulator).queryFreeBusy},
	}
}

func (e *Emulator) routes() {
	for _, m := range methods() {
		verb, path, _ := strings.Cut(m.pattern, " ")
		e.mux.HandleFunc(verb+" "+base+path, e.faulty(m.id, func(w http.ResponseWriter, r *http.Request) { e.handle(m, w, r) }))
	}
	e.mux.HandleFunc(base, func(w http.ResponseWriter, _ *http.Request) { errNotFound.write(w) })
}

// A call is a request under way.
type call struct {
	method string
	r      *http.Request
	query  url.Values
	body   []byte
	// scopes are those of the request's token that are good for the method.
	scopes []string
}

func (e *Emulator) handle(m method, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		errBadRequest.write(w)
		return
	}
	answer, err := e.answer(m, &call{method: m.id, r: r, query: r.URL.Query(), body: body})
	var f *failure
	switch {
	case errors.As(err, &f):
		f.write(w)
	case err != nil:
		errBackend.write(w)
	case answer == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		send(w, r, answer)
	}
}

// answer lets the method answer, if the request may.
func (e *Emulator) answer(m method, c *call) (any, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	granted, err := e.granted(c.r)
	if err != nil {
		return nil, err
	}
	for _, scope := range m.scopes {
		if slices.Contains(granted, scopePrefix+scope) {
			c.scopes = append(c.scopes, scope)
		}
	}
	if len(c.scopes) == 0 {
		return nil, errScope
	}
	if m.serve == nil {
		return nil, errNotOffered
	}
	return m.serve(e, c)
}

// send writes an answer with its etag, or that it has not changed.
func send(w http.ResponseWriter, r *http.Request, answer any) {
	text, err := json.Marshal(answer)
	var tagged struct {
		ETag string `json:"etag"`
	}
	if err == nil {
		err = json.Unmarshal(text, &tagged)
	}
	if err != nil {
		errBackend.write(w)
		return
	}
	if tagged.ETag != "" {
		w.Header().Set("ETag", tagged.ETag)
		if r.Method == http.MethodGet && r.Header.Get("If-None-Match") == tagged.ETag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if fields := r.URL.Query().Get("fields"); fields != "" {
		answer, err = selectFields(text, fields)
		if err != nil {
			badParameter("fields", fields).write(w)
			return
		}
	}
	writeJSON(w, http.StatusOK, answer)
}

// bearer returns the access token of a request.
func bearer(r *http.Request) string {
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return token
	}
	return r.URL.Query().Get("access_token")
}
