package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/api"
	"annai/dialog"
	"annai/internal/text"
	"annai/server/door"
	"annai/server/gate"
)

// maxQuery is in characters.
const maxQuery = 2000

// The names under which fields are accepted, the best first.
var (
	queryNames   = []string{"query", "question", "text", "message"}
	sessionNames = []string{"sessionId", "session_id"}
	// interruptNames are those in resume.
	interruptNames = []string{"interruptId", "interrupt_id"}
)

// A question is the body of POST /query, checked.
type question struct {
	turn   dialog.Turn
	stream bool
	// language is that of the answer, as far as it can be known without understanding: the one asked for, or that of the script.
	language string
}

// parseQuery reads the body of POST /query. It forgives fields that it does not know and null where a field may be absent, and nothing else:
// its error wraps a [door.InputError] that names every field that is wrong.
func parseQuery(body []byte) (question, error) {
	fields, err := object(body)
	if err != nil {
		return question{}, err
	}
	f := form{fields: fields}
	var q question
	query, named := f.text(queryNames...)
	q.turn.Query = trim(query)
	q.language = text.Language(query)
	f.language(&q)
	f.session(&q.turn)
	f.zone(&q.turn)
	f.format(&q.turn)
	q.stream = f.boolean("stream")
	f.resume(&q.turn)
	if q.turn.Resume == nil || q.turn.Query != "" {
		f.query(named, q.turn.Query)
	}
	if len(f.wrong) > 0 {
		return question{}, door.Tell(&door.InputError{Details: f.wrong, Words: f.words}, q.language, "")
	}
	return q, nil
}

// object reads a JSON object, and nothing after it, into its fields.
func object(body []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(body) {
		return nil, door.Invalid("body", "must be UTF-8")
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\uFEFF")), &fields)
	var broken *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return nil, door.Invalid("body", "is empty, want a JSON object")
	case errors.As(err, &broken):
		return nil, door.Invalid("body", "is not JSON: it breaks at byte "+strconv.FormatInt(broken.Offset, 10))
	case err != nil, fields == nil:
		return nil, door.Invalid("body", "must be a JSON object")
	}
	return fields, nil
}

// A form is the fields of a request, and what was found wrong with them.
type form struct {
	fields map[string]json.RawMessage
	wrong  []api.ErrorDetail
	// words names what is said to the visitor; empty: the general words.
	words string
}

func (f *form) refuse(field, message string) {
	f.wrong = append(f.wrong, api.ErrorDetail{Field: field, Message: message})
}

// first returns the first of the names that has a value other than null, and the value.
func (f *form) first(names ...string) (string, json.RawMessage) {
	for _, name := range names {
		if raw, ok := f.fields[name]; ok && string(raw) != "null" {
			return name, raw
		}
	}
	return names[0], nil
}

// text returns the string of the first name that has a value, and that name.
func (f *form) text(names ...string) (text, name string) {
	name, raw := f.first(names...)
	if raw != nil && json.Unmarshal(raw, &text) != nil {
		f.refuse(name, "must be a string")
	}
	return text, name
}

func (f *form) boolean(name string) (value bool) {
	if _, raw := f.first(name); raw != nil && json.Unmarshal(raw, &value) != nil {
		f.refuse(name, "must be true or false")
	}
	return value
}

func (f *form) query(name, query string) {
	switch {
	case f.refused(name):
	case query == "":
		f.refuse(name, "must not be empty")
		f.words = "empty"
	case utf8.RuneCountInString(query) > maxQuery:
		f.refuse(name, "must have at most 2000 characters")
		f.words = "too_long"
	}
}

func (f *form) refused(name string) bool {
	for _, w := range f.wrong {
		if w.Field == name {
			return true
		}
	}
	return false
}

func (f *form) language(q *question) {
	text, name := f.text("language")
	switch text {
	case "":
		return
	case "ja":
		q.turn.Language = "ja"
	case "en":
		q.turn.Language = "en"
	default:
		f.refuse(name, "must be ja or en")
		return
	}
	q.language = text
}

func (f *form) session(turn *dialog.Turn) {
	id, name := f.text(sessionNames...)
	if problem := gate.SessionProblem(id); id != "" && problem != "" {
		f.refuse(name, problem)
	}
	turn.SessionID = id
}

func (f *form) zone(turn *dialog.Turn) {
	text, name := f.text("timezone")
	if text == "" {
		return
	}
	location, ok := zone(text)
	if !ok {
		f.refuse(name, "must be an IANA time zone such as Asia/Tokyo")
	}
	turn.Location = location
}

func (f *form) format(turn *dialog.Turn) {
	text, name := f.text("format")
	switch text {
	case "", "natural":
	case "spec":
		turn.SpecFormat = true
	default:
		f.refuse(name, "must be natural or spec")
	}
}

func (f *form) resume(turn *dialog.Turn) {
	_, raw := f.first("resume")
	if raw == nil {
		return
	}
	turn.Resume = &dialog.Resume{}
	inner := form{}
	if json.Unmarshal(raw, &inner.fields) != nil {
		f.refuse("resume", "must be an object")
		return
	}
	id, name := inner.text(interruptNames...)
	if id == "" && !inner.refused(name) {
		inner.refuse(name, "must not be empty")
	}
	_, value := inner.first("value")
	if value == nil {
		inner.refuse("value", "must not be absent")
	}
	for _, w := range inner.wrong {
		f.refuse("resume."+w.Field, w.Message)
	}
	if turn.SessionID == "" && !f.refused(sessionNames[0]) && !f.refused(sessionNames[1]) {
		f.refuse(sessionNames[0], "must say which session is resumed")
	}
	turn.Resume.InterruptID, turn.Resume.Value = id, value
}

// trim cuts what can't be seen off both ends.
func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r >= '\u200b' && r <= '\u200f' || r == '\u2060' || r == '\ufeff'
	})
}
