package main

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"annai/evals/talks"
	"annai/internal/config"
	"annai/nlu"
	"annai/nlu/network"
	"annai/nodes"
	"annai/nodes/talk"
)

var (
	optionsOf = flag.String("places",
		"../../scripts/learn/talks/a3/theatre.json,../../scripts/learn/talks/a8/onsen.json",
		"places with annotated talks, with commas: folders of a venue, or files as those of scripts/learn/talks")
	optionsReader = flag.String("reader", "", "file of a reader that learnt nothing of these places")
	optionsOwn    = flag.Float64("own", 0, "share of turns remembered as they were understood, not as annotated")
	optionsFile   = flag.String("options", "", "file to write to what each turn may be about")
)

// anExample is a turn with what it may be about; Gold is the index of what it is about, and Pick of what was chosen.
type anExample struct {
	Place string               `json:"place"`
	First bool                 `json:"first"`
	Gold  int                  `json:"gold"`
	Pick  int                  `json:"pick"`
	Names []string             `json:"names"`
	X     []map[string]float64 `json:"x"`
}

// TestOptions chooses what each turn of annotated talks is about, after a talk that was understood as annotated, or
// with -own as it was. What it is about must be among the options, and mostly chosen. With -options it writes what
// scripts/learn/options.py learns from.
func TestOptions(t *testing.T) {
	var dirs []string
	for places := range strings.SplitSeq(*optionsOf, ",") {
		some, err := filepath.Glob(places)
		if err != nil || len(some) == 0 {
			t.Fatalf("no places %q: %v", places, err)
		}
		dirs = append(dirs, some...)
	}
	l := lesson{t: t, rng: rand.New(rand.NewPCG(1, 2)), reader: readerOf(t)}
	for _, dir := range dirs {
		if filepath.Ext(dir) == ".json" {
			dir = venueOf(t, dir)
		}
		l.place(dir)
	}
	later, right := 0, 0
	for _, e := range l.examples {
		if !e.First {
			later++
			right += flagOf(e.Pick == e.Gold)
		}
	}
	t.Logf("%d examples, %v; of %d later ones %d are chosen right", len(l.examples), l.lost, later, right)
	if lost := len(l.lost); lost*10 > len(l.examples) {
		t.Errorf("of %d turns what they are about is no option: %v", lost, l.lost)
	}
	if right*10 < later*6 {
		t.Errorf("of %d turns only %d are chosen right", later, right)
	}
	if *optionsFile == "" {
		return
	}
	data, err := json.Marshal(l.examples)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*optionsFile, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func flagOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readerOf is the reader of -reader, or nil.
func readerOf(t *testing.T) talk.Reader {
	if *optionsReader == "" {
		return nil
	}
	data, err := os.ReadFile(*optionsReader)
	if err != nil {
		t.Fatal(err)
	}
	n, err := network.New(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return talk.NewReader(n)
}

type lesson struct {
	t         *testing.T
	reader    talk.Reader
	dir       string
	concierge *nodes.Concierge
	subjects  map[string]talk.Subject // by title
	rng       *rand.Rand
	examples  []anExample
	lost      []string
}

func (l *lesson) place(dir string) {
	place, err := talks.Load(os.DirFS(dir))
	if err != nil {
		l.t.Fatal(err)
	}
	settings := config.Config{Venue: filepath.Join(dir, "venue.yaml"), Now: talks.Now}
	a, err := assemble(l.t.Context(), settings, wants{forgetful: true, reader: l.reader}, discard)
	if err != nil {
		l.t.Fatal(dir, err)
	}
	l.dir, l.concierge, l.subjects = dir, a.concierge, map[string]talk.Subject{}
	for _, talk := range place.Talks {
		l.hold(talk)
	}
	for _, s := range place.Singles {
		l.hold(talks.Talk{Lang: s.Lang, Turns: []talks.Turn{s.Turn}})
	}
	if err := a.close(); err != nil {
		l.t.Fatal(err)
	}
}

var wholeOf = map[string]nlu.About{
	"venue": nlu.AboutVenue, "events": nlu.AboutEvents, "date": nlu.AboutDate, "concierge": nlu.AboutConcierge,
	"staff": nlu.AboutStaff, "visitor": nlu.AboutVisitor, "unknown": nlu.AboutUnknown, "none": nlu.AboutNone,
	"": nlu.AboutNone,
}

// aboutOf is what a turn is about, as one of the wholes, or empty for a subject.
func aboutOf(turn talks.Turn) nlu.About {
	if turn.Unknown && wholeOf[turn.About] == nlu.AboutNone && turn.Ask != "none" {
		return nlu.AboutUnknown
	}
	return wholeOf[turn.About]
}

func (l *lesson) hold(t talks.Talk) {
	var m talk.Memory
	for i, turn := range t.Turns {
		choice, err := l.concierge.Choose(l.t.Context(), turn.Say, m)
		if err != nil {
			l.t.Fatal(err)
		}
		whole := aboutOf(turn)
		var subject talk.Subject
		if whole == "" {
			subject = l.subject(turn.About)
		}
		e := exampleOf(choice, func(o talk.Option) bool {
			if whole != "" {
				return o.About == whole
			}
			return o.About == nlu.AboutSubject && o.Subject.Title == subject.Title
		})
		if e.Place, e.First = filepath.Base(l.dir), i == 0; e.Gold < 0 {
			l.lost = append(l.lost, turn.About)
		} else {
			l.examples = append(l.examples, e)
		}
		if l.rng.Float64() < *optionsOwn {
			m = l.asUnderstood(turn.Say, choice.Question, m, t.Turns, i)
			continue
		}
		if whole == nlu.AboutNone && turn.Ask == "none" {
			m = m.Next(turn.Say, talk.Question{Ask: nlu.AskNone}, nil)
			continue
		}
		q := talk.Question{Ask: nlu.Ask(turn.Ask), About: whole, Subject: subject, Text: turn.Full}
		if q.Ask == nlu.AskRepeat || q.Ask == nlu.AskTranslate {
			q = talk.Question{Ask: nlu.AskNone}
		}
		for _, e := range choice.Reading.Times {
			q.When = e.Text
		}
		var answered []talk.Subject
		if subject.Title != "" {
			q.About, answered = nlu.AboutSubject, []talk.Subject{subject}
		}
		if q.Ask == nlu.AskEvents || q.Ask == nlu.AskCompare || whole == nlu.AboutEvents {
			answered = l.listed(t.Turns, i, subject)
		}
		m = m.Next(turn.Say, q, answered)
	}
}

// asUnderstood is what is remembered of a turn that was understood as a question, rightly or not.
func (l *lesson) asUnderstood(say string, q talk.Question, m talk.Memory, turns []talks.Turn, at int) talk.Memory {
	var answered []talk.Subject
	switch {
	case q.About == nlu.AboutSubject && q.Subject.Title != "":
		answered = []talk.Subject{q.Subject}
	case q.About == nlu.AboutEvents || q.Ask == nlu.AskEvents:
		answered = l.listed(turns, at, talk.Subject{})
	}
	return m.Next(say, q, answered)
}

// listed are subjects that the answer to a turn may have listed: often what is asked about next.
func (l *lesson) listed(turns []talks.Turn, at int, subject talk.Subject) []talk.Subject {
	var out []talk.Subject
	if subject.Kind == talk.Event {
		out = append(out, subject)
	}
	for _, later := range turns[at+1:] {
		if s := l.subjects[later.About]; s.Kind == talk.Event && l.rng.Float64() < 0.8 {
			out = append(out, s)
		}
	}
	for _, s := range l.subjects {
		if s.Kind == talk.Event && l.rng.Float64() < 0.25 {
			out = append(out, s)
		}
	}
	seen := map[string]bool{}
	var once []talk.Subject
	for _, s := range out {
		if !seen[s.Title] {
			seen[s.Title], once = true, append(once, s)
		}
	}
	l.rng.Shuffle(len(once), func(i, j int) { once[i], once[j] = once[j], once[i] })
	return once[:min(len(once), 5)]
}

// subject is the one with a title; zero where there is none.
func (l *lesson) subject(title string) talk.Subject {
	if s, ok := l.subjects[title]; ok {
		return s
	}
	choice, err := l.concierge.Choose(l.t.Context(), title, talk.Memory{})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, o := range choice.Options {
		if o.Subject.Title == title {
			l.subjects[title] = o.Subject
			return o.Subject
		}
	}
	l.subjects[title] = talk.Subject{}
	return talk.Subject{}
}

// exampleOf is a choice as an example; gold says which option is right.
func exampleOf(choice nodes.Choice, gold func(talk.Option) bool) anExample {
	e := anExample{Gold: -1, Pick: -1}
	q := choice.Question
	for n, o := range choice.Options {
		e.Names, e.X = append(e.Names, string(o.About)+":"+o.Subject.Title), append(e.X, o.Features())
		if q.Subject.Title == o.Subject.Title && (o.Subject.Title != "" || o.About == q.About) {
			e.Pick = n
		}
		if gold(o) {
			e.Gold = n
		}
	}
	return e
}
