package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"annai/civil"
	"annai/internal/holiday"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/rag"
	"annai/rag/embedded"
)

var errNoText = errors.New(`there is no "text"`)

// text returns the words of a request and the instant at which they are said.
func (r *reader) text(q request) (string, time.Time, error) {
	if q.Text == nil {
		return "", time.Time{}, errNoText
	}
	at, err := r.instant(q)
	return *q.Text, at, err
}

// instant is the reference time of a request, in its zone.
func (r *reader) instant(q request) (time.Time, error) {
	loc := r.venue.Location
	if q.Timezone != "" {
		var err error
		if loc, err = time.LoadLocation(q.Timezone); err != nil {
			return time.Time{}, fmt.Errorf(`"timezone": there is no zone %q`, q.Timezone)
		}
	}
	if q.ReferenceTime == "" {
		return r.now().In(loc), nil
	}
	if at, err := time.Parse(time.RFC3339, q.ReferenceTime); err == nil {
		return at.In(loc), nil
	}
	for _, layout := range [...]string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, q.ReferenceTime, loc); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf(`"reference_time": %q is no time such as 2025-01-15T10:00:00`, q.ReferenceTime)
}

type routeAnswer struct {
	ID         json.RawMessage `json:"id"`
	Agent      string          `json:"agent"`
	Confidence float64         `json:"confidence"`
}

func (r *reader) route(_ context.Context, q request) (any, error) {
	text, at, err := r.text(q)
	if err != nil {
		return nil, err
	}
	u := r.understander.Understand(text, at)
	if r.explains {
		r.explainRoute(r.understander.Explain(text, at))
	}
	return routeAnswer{q.ID, u.Intent.Agent(), math.Round(u.AgentConfidence*1e4) / 1e4}, nil
}

type datetimeAnswer struct {
	ID      json.RawMessage `json:"id"`
	Results []result        `json:"results"`
}

func (r *reader) datetime(_ context.Context, q request) (any, error) {
	text, at, err := r.text(q)
	if err != nil {
		return nil, err
	}
	a := datetimeAnswer{q.ID, []result{}}
	for _, e := range datetime.Parse(text, at) {
		if !e.Invalid {
			a.Results = append(a.Results, resultOf(e))
		}
	}
	if r.explains {
		r.explainTimes(text, at)
	}
	return a, nil
}

// A result is a temporal expression on the wire. Which fields it has depends on its kind; times are local, without an offset.
type result struct {
	Kind    string   `json:"kind"`
	Start   string   `json:"start,omitempty"`
	End     string   `json:"end,omitempty"` // not part of it
	Seconds int64    `json:"seconds,omitempty"`
	Text    string   `json:"text,omitempty"`
	Assumed bool     `json:"assumed,omitempty"`
	Alts    []result `json:"alts,omitempty"`
}

func resultOf(e datetime.Expression) result {
	r := result{Text: e.Text, Assumed: e.Assumed, Seconds: e.Seconds}
	switch e.Kind {
	case datetime.KindDuration:
		r.Kind = "duration"
		return r
	case datetime.KindSet:
		r.Kind = "set"
		return r
	case datetime.KindDay, datetime.KindDays, datetime.KindTime:
	}
	r.Kind, r.Start, r.End = onWire(e.Kind, e.TimeRange)
	if e.OpenStart && e.Kind != datetime.KindTime {
		r.Start = ""
	}
	if e.OpenEnd {
		r.End = ""
	}
	for _, other := range e.Alternatives {
		alt := result{}
		alt.Kind, alt.Start, alt.End = onWire(e.Kind, other)
		r.Alts = append(r.Alts, alt)
	}
	return r
}

// onWire is the kind and the ends of a range in the words of the protocol. A day or an instant has no end.
func onWire(kind datetime.Kind, t civil.TimeRange) (name, start, end string) {
	layout, name, single := time.DateOnly, "daterange", kind == datetime.KindDay
	if kind == datetime.KindTime {
		layout, name, single = "2006-01-02T15:04:05", "datetimerange", t.Start.Equal(t.End)
	}
	if start = t.Start.Format(layout); single {
		return strings.TrimSuffix(name, "range"), start, ""
	}
	return name, start, t.End.Format(layout)
}

type slotsAnswer struct {
	ID    json.RawMessage `json:"id"`
	Op    string          `json:"op"`
	Slots []slot          `json:"slots"`
}

type slot struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (r *reader) slots(_ context.Context, q request) (any, error) {
	text, at, err := r.text(q)
	if err != nil {
		return nil, err
	}
	u := r.understander.Understand(text, at)
	lang := cmp.Or(q.Lang, string(u.Language))
	c := slots.Extract(u.Text, lang, u.Times)
	a := slotsAnswer{ID: q.ID, Op: string(c.Operation), Slots: []slot{}}
	if c.Operation == slots.Update {
		a.Op = string(slots.Create) // of three words this is the one for putting something down
	}
	for _, s := range c.Slots {
		a.Slots = append(a.Slots, slot{string(s.Type), s.Text})
	}
	if r.explains {
		r.explainUnderstanding(u)
		r.explainCommand(slots.Explain(u.Text, lang, u.Times))
	}
	return a, nil
}

type holidayAnswer struct {
	ID      json.RawMessage `json:"id"`
	Holiday string          `json:"holiday"`
}

func (r *reader) holiday(_ context.Context, q request) (any, error) {
	date, err := civil.ParseDate(q.Date)
	if err != nil {
		return nil, fmt.Errorf(`"date": %q is no date such as 2025-01-15`, q.Date)
	}
	name := holiday.Japan(date)
	switch {
	case name == "":
		r.because("  %s, a %s, is no public holiday of Japan", date, date.Weekday())
	default:
		r.because("  %s, a %s, is %s (%s)", date, date.Weekday(), name, holiday.English(name))
	}
	return holidayAnswer{q.ID, name}, nil
}

// load reads the passages to be ranked.
func (r *reader) load(ctx context.Context, name string) (err error) {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	passages, err := r.readPassages(bufio.NewReader(file))
	if err != nil {
		return fmt.Errorf("passages: %s, line %d: %w", name, len(passages)+1, err)
	}
	embedder, err := embedded.New()
	if err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	r.passages, err = rag.New(ctx, passages, embedder, rag.NewFlat, rag.Options{Threshold: -1, Pieces: pieces})
	if err != nil {
		return fmt.Errorf("passages: %s: %w", name, err)
	}
	return nil
}

func (r *reader) readPassages(in *bufio.Reader) ([]rag.Passage, error) {
	var passages []rag.Passage
	for {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return passages, nil
		}
		if err != nil {
			return passages, err
		}
		var p struct{ PID, Title, Text, Lang string }
		if err := json.Unmarshal(bytes.TrimPrefix(line, byteOrderMark), &p); err != nil || p.PID == "" || p.Text == "" {
			return passages, errors.New(`want a JSON object with "pid", "title" and "text"`)
		}
		if p.Lang == "" {
			p.Lang = string(r.language(p.Text))
		}
		passages = append(passages, rag.Passage{ID: p.PID, Title: p.Title, Text: p.Text, Lang: p.Lang})
	}
}

// language is that of the beginning of a text.
func (r *reader) language(text string) nlu.Language {
	const enough = 200
	for n := range text {
		if n >= enough {
			text = text[:n]
			break
		}
	}
	return r.understander.Understand(text, r.now()).Language
}

type retrieveAnswer struct {
	ID     json.RawMessage `json:"id"`
	Ranked []string        `json:"ranked"`
}

// ranked is how many passages are returned.
const ranked = 20

func (r *reader) retrieve(ctx context.Context, q request) (any, error) {
	if q.Text == nil {
		return nil, errNoText
	}
	u := r.understander.Understand(*q.Text, r.now())
	query := rag.Query{Text: u.Text, Lang: string(u.Language), Limit: ranked}
	a := retrieveAnswer{q.ID, []string{}}
	if strings.TrimSpace(u.Text) == "" {
		return a, nil
	}
	hits, err := r.passages.Search(ctx, query)
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		a.Ranked = append(a.Ranked, h.Passage.ID)
	}
	if r.explains {
		return a, r.explainSearch(ctx, query)
	}
	return a, nil
}
