package evals

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/internal/strictyaml"
	"annai/nlu"
	"annai/tools/calendar"
)

// file is a file of cases as it is written. What stands beside cases holds for those that do not say otherwise.
type file struct {
	// About says what the cases have in common.
	About string `yaml:"about"`
	world `yaml:",inline"`
	Cases []written `yaml:"cases"`
}

// written is a case as it is written: either turns, or a single turn in the case itself.
type written struct {
	Name  string `yaml:"name"`
	world `yaml:",inline"`
	Say   string  `yaml:"say"`
	Want  *Want   `yaml:"want"`
	Turns []spoke `yaml:"turns"`
}

// spoke is a turn as it is written.
type spoke struct {
	Say      string `yaml:"say"`
	Pick     string `yaml:"pick"`
	Session  string `yaml:"session"`
	Now      string `yaml:"now"`
	Timezone string `yaml:"timezone"`
	Language string `yaml:"language"`
	Format   string `yaml:"format"`
	Want     Want   `yaml:"want"`
}

// world is what surrounds a case.
type world struct {
	Tag       string     `yaml:"tag"`
	Now       string     `yaml:"now"`
	Venue     string     `yaml:"venue"`
	Timezone  string     `yaml:"timezone"`
	Language  string     `yaml:"language"`
	Format    string     `yaml:"format"`
	Fail      failing    `yaml:"fail"`
	Events    []fixture  `yaml:"events"`
	Documents []Document `yaml:"documents"`
}

type failing struct {
	Calendar  Failure `yaml:"calendar"`
	Knowledge Failure `yaml:"knowledge"`
}

// Load reads the cases of all *.yaml files in files, and in the folders in it, in the order of their names. Everything that is wrong
// is told at once, a line each with the file and the line or the case, as [fault.ErrInvalid]; so is a folder without cases.
func Load(files fs.FS) ([]Case, error) {
	names, err := list(files)
	if err != nil {
		return nil, err
	}
	l := loader{seen: map[string]bool{}}
	for _, name := range names {
		l.load(files, name)
	}
	if len(l.cases) == 0 && len(l.problems) == 0 {
		l.problems = append(l.problems, errors.New("no cases: no file *.yaml with cases in it"))
	}
	if len(l.problems) > 0 {
		return nil, fmt.Errorf("problems in the cases, %d (%w):\n%w", len(l.problems), fault.ErrInvalid, errors.Join(l.problems...))
	}
	return l.cases, nil
}

func list(files fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".yaml" {
			names = append(names, name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list cases: %w: %w", err, fault.ErrNotFound)
	} else if err != nil {
		return nil, fmt.Errorf("list cases: %w: %w", err, fault.ErrUnavailable)
	}
	return names, nil
}

// loader collects cases and problems.
type loader struct {
	cases    []Case
	problems []error
	seen     map[string]bool
	// where is the file, or the file and the case, that problems are about.
	where string
}

func (l *loader) add(format string, args ...any) {
	l.problems = append(l.problems, fmt.Errorf("%s: %s", l.where, fmt.Sprintf(format, args...)))
}

func (l *loader) load(files fs.FS, name string) {
	l.where = name
	data, err := fs.ReadFile(files, name)
	if err != nil {
		l.add("%v", err)
		return
	}
	var f file
	if err := strictyaml.Decode(data, &f); err != nil {
		l.decodeProblems(err)
		return
	}
	if f.About == "" {
		l.add("about: say in a sentence what the cases have in common")
	}
	for i, w := range f.Cases {
		l.where = fmt.Sprintf("%s: case %d", name, i+1)
		if w.Name == "" {
			w.Name = w.firstWords()
		}
		if w.Name != "" {
			l.where += " (" + w.Name + ")"
		}
		l.one(name, w.under(f.world))
	}
}

// decodeProblems adds what the decoder found, which may be several lines.
func (l *loader) decodeProblems(err error) {
	text := strings.TrimSuffix(err.Error(), ": "+fault.ErrInvalid.Error())
	for line := range strings.Lines(strings.TrimPrefix(text, "yaml: ")) {
		if line = strings.TrimSpace(line); line != "unmarshal errors:" {
			l.add("%s", line)
		}
	}
}

func (w written) firstWords() string {
	if w.Say == "" && len(w.Turns) > 0 {
		return w.Turns[0].Say
	}
	return w.Say
}

// under fills in what the file says for all its cases.
func (w written) under(f world) written {
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&w.Tag, f.Tag},
		{&w.Now, f.Now},
		{&w.Venue, f.Venue},
		{&w.Timezone, f.Timezone},
		{&w.Language, f.Language},
		{&w.Format, f.Format},
	} {
		if *field.to == "" {
			*field.to = field.from
		}
	}
	if w.Fail == (failing{}) {
		w.Fail = f.Fail
	}
	if w.Events == nil {
		w.Events = f.Events
	}
	if w.Documents == nil {
		w.Documents = f.Documents
	}
	return w
}

// one checks a case and adds it.
func (l *loader) one(file string, w written) {
	before := len(l.problems)
	c := Case{File: strings.TrimSuffix(file, ".yaml"), Name: w.Name, Tag: w.Tag}
	if l.seen[c.File+"\n"+c.Name] {
		l.add("name: the file has another case of that name")
	}
	l.seen[c.File+"\n"+c.Name] = true
	c.Setup = Setup{
		Venue: w.Venue, Documents: w.Documents, Events: l.events(w.Events),
		Calendar: l.failure("calendar", w.Fail.Calendar), Knowledge: l.failure("knowledge", w.Fail.Knowledge),
	}
	if w.Venue == "" {
		l.add("venue: is required; \"demo\" is the built-in one")
	}
	c.Turns = l.turns(w)
	if len(l.problems) == before {
		l.cases = append(l.cases, c)
	}
}

func (l *loader) failure(key string, f Failure) Failure {
	if !slices.Contains([]Failure{None, Error, Timeout}, f) {
		l.add("fail.%s: is %q, must be error or timeout", key, f)
	}
	return f
}

func (l *loader) events(fixtures []fixture) []calendar.Event {
	if fixtures == nil {
		return nil
	}
	events := make([]calendar.Event, 0, len(fixtures))
	for i, f := range fixtures {
		e, err := f.event(i)
		if err != nil {
			l.add("events[%d]: %v", i, err)
		}
		events = append(events, e)
	}
	return events
}

// event makes the event; n makes its id.
func (f fixture) event(n int) (calendar.Event, error) {
	e := calendar.Event{
		ID: strconv.Itoa(n + 1), Title: f.Title, Location: f.Location, Description: f.Description, URL: f.URL, Status: f.Status,
	}
	if !slices.Contains([]calendar.Status{"", calendar.Confirmed, calendar.Tentative, calendar.Cancelled}, f.Status) {
		return e, fmt.Errorf("status: is %q, must be confirmed, tentative or cancelled", f.Status)
	}
	if len(f.Start) == len("2006-01-02") {
		return f.allDay(e)
	}
	var err error
	if e.Start, err = time.Parse(time.RFC3339, f.Start); err != nil {
		return e, fmt.Errorf("start: is %q, must be a date or a time with an offset", f.Start)
	}
	if f.End == "" {
		return e, nil
	}
	if e.End, err = time.Parse(time.RFC3339, f.End); err != nil || e.End.Before(e.Start) {
		return e, fmt.Errorf("end: is %q, must be a time with an offset, not before the start", f.End)
	}
	return e, nil
}

func (f fixture) allDay(e calendar.Event) (calendar.Event, error) {
	e.AllDay = true
	var err error
	if e.FirstDay, err = civil.ParseDate(f.Start); err != nil {
		return e, fmt.Errorf("start: is %q, must be a date or a time with an offset", f.Start)
	}
	last := e.FirstDay
	if f.End != "" {
		if last, err = civil.ParseDate(f.End); err != nil || last.Before(e.FirstDay) {
			return e, fmt.Errorf("end: is %q, must be a date as the start is, not before it", f.End)
		}
	}
	e.EndDay = last.AddDays(1)
	return e, nil
}

// turns are the turns of a case, with its zone, language and format where they name none of their own.
func (l *loader) turns(w written) []Turn {
	spoken := w.Turns
	switch {
	case w.Say == "" && len(w.Turns) == 0:
		l.add("say: a case needs say and want, or turns")
	case w.Say != "" && len(w.Turns) > 0:
		l.add("say: a case has either say and want, or turns")
	case w.Say != "" && w.Want == nil:
		l.add("want: is required")
	case w.Say != "":
		spoken = []spoke{{Say: w.Say, Want: *w.Want}}
	}
	turns := make([]Turn, 0, len(spoken))
	now := w.Now
	for i, s := range spoken {
		for _, field := range []struct {
			to   *string
			from string
		}{{&s.Now, now}, {&s.Timezone, w.Timezone}, {&s.Language, w.Language}, {&s.Format, w.Format}} {
			if *field.to == "" {
				*field.to = field.from
			}
		}
		now = s.Now
		turns = append(turns, l.turn(i, s))
	}
	return turns
}

func (l *loader) turn(i int, s spoke) Turn {
	where := l.where
	defer func() { l.where = where }()
	l.where += fmt.Sprintf(": turn %d", i+1)
	t := Turn{Session: s.Session, Say: s.Say, Language: nlu.Language(s.Language), SpecFormat: s.Format == "spec", Want: s.Want}
	if (s.Say == "") == (s.Pick == "") {
		l.add("a turn has either say or pick")
	}
	t.Pick = pick(s.Pick)
	var err error
	if t.Now, err = time.Parse(time.RFC3339, s.Now); err != nil {
		l.add("now: is %q, must be an instant with an offset: 2025-01-15T10:00:00+09:00", s.Now)
	}
	if s.Timezone != "" {
		if t.Location, err = time.LoadLocation(s.Timezone); err != nil {
			l.add("timezone: there is no zone %q", s.Timezone)
		}
	}
	l.oneOf("language", s.Language, string(nlu.Japanese), string(nlu.English))
	l.oneOf("format", s.Format, "natural", "spec")
	l.want(s.Want)
	return t
}

// pick is the value of a resume: a number stays one.
func pick(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	if _, err := strconv.Atoi(s); err == nil {
		return json.RawMessage(s)
	}
	quoted, _ := json.Marshal(s) // a string always can
	return quoted
}

// oneOf adds a problem if the value is neither empty nor one of those.
func (l *loader) oneOf(key, value string, values ...string) {
	if value != "" && !slices.Contains(values, value) {
		l.add("%s: is %q, must be one of %s", key, value, strings.Join(values, ", "))
	}
}

// want checks that what is wanted can be: a misspelt word would fail for ever, or never.
func (l *loader) want(w Want) {
	if w.empty() {
		l.add("want: says nothing")
	}
	l.oneOf("want.error", w.Error, "invalid", "notFound", "conflict")
	l.oneOf("want.route", w.Route, "event", "calendar", "date", "info", "clarify", "respond")
	l.oneOf("want.agent", w.Agent, "EventAgent", "CalendarAgent", "DateAgent", "InfoAgent")
	l.oneOf("want.category", w.Category, "events", "calendar", "dates", "info")
	l.oneOf("want.language", w.Language, string(nlu.Japanese), string(nlu.English))
	emotions, tags := moods()
	l.oneOf("want.emotion", w.Emotion, emotions...)
	l.oneOf("want.tag", w.Tag, tags...)
	for _, s := range w.Sources {
		l.oneOf("want.sources", s, sourceNames...)
	}
	for s, status := range w.SourceStatus {
		l.oneOf("want.sourceStatus", s, sourceNames...)
		l.oneOf("want.sourceStatus."+s, status, statuses...)
	}
	if r := w.Range; r != nil {
		l.oneOf("want.range.name", r.Name, rangeNames...)
		for _, end := range []string{r.Start, r.End} {
			if _, err := time.Parse(time.RFC3339, midnight(end)); end != "" && err != nil {
				l.add("want.range: %q is no date and no time with an offset", end)
			}
		}
	}
}

// midnight is a date as an instant, and anything else as it is.
func midnight(s string) string {
	if len(s) == len("2006-01-02") {
		return s + "T00:00:00Z"
	}
	return s
}

// moods are the emotions and the tags there are.
func moods() (emotions, tags []string) {
	for _, e := range dialog.Emotions().Emotions {
		emotions, tags = append(emotions, e.Emotion), append(tags, e.Tag)
	}
	return emotions, tags
}
