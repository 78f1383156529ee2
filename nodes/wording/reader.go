package wording

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/llm"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nodes/talk"
	"annai/prompts"
)

// An Utterance is what is to be read: what was said, in its talk, when and in which language.
type Utterance struct {
	Text     string
	Talk     talk.Context
	Asked    string // the question before, as a sentence that stands by itself
	Now      time.Time
	Language nlu.Language
}

// A Reader reads with a model where that is valid and in time, and else with another reader.
type Reader struct {
	model    llm.Model
	fallback talk.Reader
	opts     ReaderOptions
}

// ReaderOptions are the settings of a [Reader] that have a default.
type ReaderOptions struct {
	// Deadline is how long the model has. Zero is a second.
	Deadline time.Duration
	// Venue is the name of the place, by language.
	Venue func(lang string) string
	// Today says the day and the time as they are read. Nil says the date in figures.
	Today func(now time.Time, lang nlu.Language) string
}

// NewReader returns a reader. Without a fallback, what the model does not read has no reading: a
// confidence of 0.
func NewReader(m llm.Model, fallback talk.Reader, opts ReaderOptions) *Reader {
	if opts.Deadline == 0 {
		opts.Deadline = time.Second
	}
	if opts.Venue == nil {
		opts.Venue = func(string) string { return "" }
	}
	if opts.Today == nil {
		opts.Today = func(now time.Time, _ nlu.Language) string { return now.Format("2006-01-02 (Mon) 15:04") }
	}
	return &Reader{model: m, fallback: fallback, opts: opts}
}

// ReadTurn reads an utterance. Once ctx ends the model is not waited for. A model that finds nothing
// asked where the other reader is sure of a question is not believed.
func (r *Reader) ReadTurn(ctx context.Context, u Utterance) nlu.Reading {
	reading, err := r.ask(ctx, u)
	if err == nil && (r.fallback == nil || reading.Ask != nlu.AskNone) {
		return reading
	}
	if r.fallback == nil {
		return nlu.Reading{}
	}
	own := r.fallback.Read(u.Text, u.Talk)
	if err == nil && !(own.Act == nlu.ActAsks && own.Confidence >= sureOfQuestion) {
		return reading
	}
	return own
}

// sureOfQuestion is the confidence from which a question is one, whatever a model says.
const sureOfQuestion = 0.8

// maxReading is the longest reading, in the model's tokens.
const maxReading = 240

// ask asks the model.
func (r *Reader) ask(ctx context.Context, u Utterance) (nlu.Reading, error) {
	limited, cancel := context.WithTimeout(ctx, r.opts.Deadline)
	defer cancel()
	lang := string(u.Language)
	answer, err := llm.Collect(r.model.Stream(limited, llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: prompts.ModelReading{Venue: r.opts.Venue(lang)}.In(lang)},
			{Role: llm.User, Text: prompts.ModelUtterance{
				Today: r.opts.Today(u.Now, u.Language), Said: u.Text, Talk: prompts.ModelTalk{
					Said: u.Talk.Said, Question: u.Asked, Subjects: given(u.Talk.Subject, u.Talk.Earlier), InView: u.Talk.InView,
				},
			}.In(lang)},
		},
		Schema: ReadingSchema, MaxTokens: maxReading,
	}))
	if err != nil {
		return nlu.Reading{}, err //nolint:wrapcheck // llm says what it did
	}
	var w written
	if err := answer.Decode(&w); err != nil {
		return nlu.Reading{}, err //nolint:wrapcheck // llm says what it did
	}
	return w.reading(u)
}

// given are those of some words that are not empty.
func given(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// written is a reading as a model writes it.
type written struct {
	Act     nlu.Act   `json:"act"`
	Ask     nlu.Ask   `json:"ask"`
	Second  nlu.Ask   `json:"second"`
	About   nlu.About `json:"about"`
	Ref     nlu.Ref   `json:"ref"`
	When    nlu.Carry `json:"when"`
	Negated bool      `json:"negated"`
	Subject string    `json:"subject"`
	Full    string    `json:"full"`
}

// The closed sets of a reading. An order is none that a visitor's words are read as.
var (
	acts = []nlu.Act{
		nlu.ActAsks, nlu.ActAdds, nlu.ActChanges, nlu.ActAnswers, nlu.ActDoubts, nlu.ActRepeats, nlu.ActTranslates, nlu.ActReports,
		nlu.ActGreets, nlu.ActThanks, nlu.ActLeaves, nlu.ActChats,
	}
	asks = []nlu.Ask{
		nlu.AskNone, nlu.AskEvents, nlu.AskWhen, nlu.AskUntilWhen, nlu.AskWhere, nlu.AskHowToGet, nlu.AskHowMuch, nlu.AskHowMany, nlu.AskHowLong,
		nlu.AskMayI, nlu.AskIsThere, nlu.AskIsOpen, nlu.AskNeedI, nlu.AskHowDoI, nlu.AskWho, nlu.AskWhatIs, nlu.AskWhichLanguage, nlu.AskForWhom,
		nlu.AskAvailability, nlu.AskCompare, nlu.AskWhich, nlu.AskStillOn, nlu.AskHowOften, nlu.AskContact, nlu.AskNext, nlu.AskCount, nlu.AskDate,
		nlu.AskConfirm, nlu.AskRepeat, nlu.AskTranslate,
	}
	abouts = []nlu.About{
		nlu.AboutNone, nlu.AboutSubject, nlu.AboutVenue, nlu.AboutEvents, nlu.AboutDate, nlu.AboutConcierge, nlu.AboutStaff, nlu.AboutVisitor,
		nlu.AboutUnknown,
	}
	refs    = []nlu.Ref{nlu.RefNone, nlu.RefNamed, nlu.RefLast, nlu.RefEarlier, nlu.RefItem}
	carries = []nlu.Carry{nlu.CarryNone, nlu.CarrySaid, nlu.CarryKept}
)

// ReadingSchema is the JSON schema of a reading.
var ReadingSchema = readingSchema()

func readingSchema() json.RawMessage {
	type property struct {
		Type string `json:"type"`
		Enum any    `json:"enum,omitempty"`
	}
	properties := map[string]property{
		"act": {"string", acts}, "ask": {"string", asks}, "second": {"string", append([]nlu.Ask{""}, asks...)}, "about": {"string", abouts},
		"ref": {"string", refs}, "when": {"string", carries}, "negated": {Type: "boolean"}, "subject": {Type: "string"}, "full": {Type: "string"},
	}
	schema, _ := json.Marshal(struct { // strings always encode
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
		Additional bool                `json:"additionalProperties"`
	}{"object", properties, []string{"act", "ask", "second", "about", "ref", "when", "negated", "subject", "full"}, false})
	return schema
}

// maxFull is how many runes a sentence that stands by itself has at most.
const maxFull = 300

// reading is what a model wrote, where it is valid.
func (w written) reading(u Utterance) (nlu.Reading, error) {
	full := strings.Join(strings.Fields(w.Full), " ")
	switch {
	case !slices.Contains(acts, w.Act), !slices.Contains(asks, w.Ask), w.Second != "" && !slices.Contains(asks, w.Second),
		!slices.Contains(abouts, w.About), !slices.Contains(refs, w.Ref), !slices.Contains(carries, w.When):
		return nlu.Reading{}, fmt.Errorf("a reading of no known kind")
	case !u.pointsWell(w.Ref, w.Subject):
		return nlu.Reading{}, fmt.Errorf("a reading points at what is not in view")
	case utf8.RuneCountInString(full) > maxFull || hasMarkup(full) || full == "" && w.Ask != nlu.AskNone:
		return nlu.Reading{}, fmt.Errorf("a reading without a sentence that stands by itself")
	case full != "" && !inLanguage(full, u.Language, &Evidence{}) && u.Language == nlu.Japanese:
		return nlu.Reading{}, fmt.Errorf("a reading in another language")
	case !u.said(full):
		return nlu.Reading{}, fmt.Errorf("a reading names a time that nobody said")
	}
	r := nlu.Reading{
		Act: w.Act, Ask: w.Ask, Alone: w.Ask, Second: w.Second, About: w.About, Ref: w.Ref, When: w.When, Negated: w.Negated,
		Subject: w.Subject, Confidence: 1,
	}
	if w.Ask != nlu.AskNone || w.Act == nlu.ActAdds || w.Act == nlu.ActChanges {
		r.Full = full
	}
	if r.Second == nlu.AskNone {
		r.Second = ""
	}
	if r.Ref == nlu.RefNamed {
		r.Named = 1
	}
	return r, nil
}

// pointsWell reports whether a reference into the talk names what is there.
func (u Utterance) pointsWell(ref nlu.Ref, subject string) bool {
	switch ref {
	case nlu.RefLast:
		return subject == u.Talk.Subject || slices.Contains(u.Talk.InView, subject)
	case nlu.RefEarlier, nlu.RefItem:
		return slices.Contains(append(given(u.Talk.Subject, u.Talk.Earlier), u.Talk.InView...), subject)
	case nlu.RefNone, nlu.RefNamed:
	}
	return true
}

// said reports whether every day and time of a sentence is one that was said: in the utterance, or
// before it in the talk.
func (u Utterance) said(full string) bool {
	known := datetime.Parse(u.Text, u.Now)
	for _, before := range append([]string{u.Talk.Said, u.Asked, u.Talk.Subject, u.Talk.Earlier}, u.Talk.InView...) {
		known = append(known, datetime.Parse(before, u.Now)...)
	}
	for _, e := range datetime.Parse(full, u.Now) {
		if e.Kind == datetime.KindDuration || e.Kind == datetime.KindSet {
			continue
		}
		if e.Invalid || !slices.ContainsFunc(known, func(k datetime.Expression) bool { return agrees(e, k) }) {
			return false
		}
	}
	return true
}

// agrees reports whether a time of a sentence is one that was said, or a part of it: the evening of
// that day.
func agrees(e, k datetime.Expression) bool {
	if e.Text == k.Text {
		return true
	}
	return !k.Invalid && !e.TimeRange.Start.Before(k.TimeRange.Start) && !e.TimeRange.End.After(k.TimeRange.End)
}
