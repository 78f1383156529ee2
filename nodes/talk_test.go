package nodes_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/nodes"
	"annai/rag"
	"annai/storage/mem"
	"annai/tools/calendar"
	calendarmem "annai/tools/calendar/mem"
	"annai/tools/tasks"
)

var update = flag.Bool("update", false, "rewrite the talks and golden files")

// A talk is a conversation as a text file: what it shows, then sections.
//
//	-- setup --      now: an instant; that is the clock. owner: yes; it is the owner who speaks
//	-- own --        the owner's calendar, one entry a line: when | title | description | place | rule | attendees
//	-- tasks --      the owner's list of tasks, one a line: title | day | note
//	-- read only --  another of theirs, that is only read
//	-- events --     one event a line: when | title | description | place | url | status
//	-- knowledge --  one passage a line: id | lang | category | valid | title | text | the words that find it
//	-- venue --      a venue file, in the place of that of the demonstration
//	-- readings --   how utterances are read, one a line: utterance | ask | ref | about | act. Without
//	                 it the product's own reader reads them
//	-- talk --       the conversation
//
// Without events or knowledge those of testdata/events.txt and testdata/knowledge.txt are there. In the talk, > was said, < was answered, ? was
// asked, ! failed, and | is the next line of it. Below an answer stand = its facts, ~ what is spoken, and + the suggestions. A line @ changes what is around:
// the clock (@ now +4m), the request (@ zone America/New_York, @ format spec, @ language en, @ session other), or what works (@ fail calendar,
// @ hang calendar, @ fail knowledge, @ partial calendar, @ restore). Lines with # are remarks.
//
// With a section model there is a model, which does a line for each request: what it says, "call NAME JSON" for a tool, "fail KIND", or "cut TEXT"
// for an answer that breaks off; \n is a line's end, and ENTRY1 the id of the first entry of the owner's calendar. Below an answer that a model had a part in stands % and what that was.
//
// With a section own it is the owner who speaks; @ visitor lets somebody else speak and @ owner the owner again. @ shelf prints what is in the
// calendar, behind *. @ own fails as the words behind it say: unread KIND, partial, as of -2h, refuse KIND [N], lose N, hang. @ other TITLE moves TIME and
// @ other TITLE is gone are what somebody else does meanwhile; @ restart is another process over the same memory.
type talk struct {
	path     string
	sections map[string][]string
	order    []string
}

func readTalk(t *testing.T, path string) talk {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := talk{path: path, sections: map[string][]string{}}
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(name, " --") {
			section = strings.TrimSuffix(name, " --")
			out.order = append(out.order, section)
			out.sections[section] = []string{}
			continue
		}
		out.sections[section] = append(out.sections[section], line)
	}
	if len(out.sections["talk"]) == 0 {
		t.Fatalf("%s has no section talk", path)
	}
	return out
}

// stage is where a talk takes place.
type stage struct {
	t         *testing.T
	concierge *nodes.Concierge
	now       time.Time
	calendar  *switchable
	knowledge *passages
	turn      dialog.Turn
	out       []string
	// own is the owner's calendar, if there is one.
	own *diaryCalendar
	// tasks are the owner's.
	tasks *todoList
	parts nodes.Parts
	opts  nodes.Options
}

func newStage(t *testing.T, tk talk) *stage {
	t.Helper()
	v := ownVenue(t, tk)
	var err error
	s := &stage{t: t, turn: dialog.Turn{SessionID: "kiosk-1"}}
	s.now, err = time.Parse(time.RFC3339, setting(tk.sections["setup"], "now", "2025-01-13T10:00:00+09:00"))
	if err != nil {
		t.Fatal(err)
	}
	s.calendar = &switchable{works: calendarmem.New("events", readEvents(t, lines(t, tk, "events"), v.Location)...)}
	s.knowledge = &passages{list: readPassages(t, lines(t, tk, "knowledge"))}
	n := 0
	s.parts = nodes.Parts{
		Venue: v, Calendar: s.calendar, Knowledge: s.knowledge, Understander: understander(t, v), Checkpointer: mem.New(),
	}
	s.parts.Reader, s.parts.Index = product(t)
	if list, ok := tk.sections["readings"]; ok {
		s.parts.Reader, s.parts.Index = newReadings(list), wordIndex
	}
	if list, ok := tk.sections["own"]; ok {
		s.own, s.turn.Owner = newDiary(t, list, v.Location), true
		s.own.silent = setting(tk.sections["setup"], "reminders", "") == "none"
		s.parts.Agenda = newAgenda(t, s.own, tk.sections["read only"], v.Location, func() time.Time { return s.now })
		s.tasks = newTodos(t, tk.sections["tasks"], func() time.Time { return s.now })
		s.parts.Tasks = func(string) tasks.List { return s.tasks }
	}
	if list, ok := tk.sections["model"]; ok {
		s.parts.Model = scripted(t, list, tk.sections["own"])
		s.parts.Tools = newTools(t, s.parts, func() time.Time { return s.now })
	}
	s.turn.Owner = s.turn.Owner || setting(tk.sections["setup"], "owner", "") != ""
	s.opts = nodes.Options{
		Deadline: patience, SourceDeadline: patience / 3,
		Now:   func() time.Time { return s.now },
		NewID: func() string { n++; return fmt.Sprintf("id-%d", n) },
	}
	s.open()
	return s
}

// open makes the concierge anew: another process, if there was one.
func (s *stage) open() {
	s.t.Helper()
	var err error
	if s.concierge, err = nodes.New(s.parts, s.opts); err != nil {
		s.t.Fatal(err)
	}
}

// lines are those of a section of the talk, or of the file that all talks share.
func lines(t testing.TB, tk talk, section string) []string {
	t.Helper()
	if own, ok := tk.sections[section]; ok {
		return own
	}
	data, err := os.ReadFile(filepath.Join("testdata", section+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

func setting(list []string, key, def string) string {
	for _, line := range list {
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return def
}

func TestTalks(t *testing.T) {
	files, err := filepath.Glob("testdata/talks/*.txt")
	if err != nil || len(files) < 2 {
		t.Fatalf("Glob(testdata/talks/*.txt) = %d files, %v, want 25 or more", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			tk := readTalk(t, file)
			var s *stage
			synctest.Test(t, func(t *testing.T) { // what hangs is waited for in no time, and nothing else is ever late
				s = newStage(t, tk)
				for _, line := range tk.sections["talk"] {
					s.line(line)
				}
			})
			if diff := cmp.Diff(trimBlank(tk.sections["talk"]), trimBlank(s.out)); diff != "" && !*update {
				t.Errorf("%s (-want +got, -update rewrites it):\n%s", file, diff)
			}
			if *update {
				tk.sections["talk"] = trimBlank(s.out)
				tk.write(t)
			}
		})
	}
}

// trimBlank cuts blank lines at the end.
func trimBlank(list []string) []string {
	for len(list) > 0 && list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

func (tk talk) write(t *testing.T) {
	t.Helper()
	var b strings.Builder
	w := bufio.NewWriter(&b)
	put := func(list []string) {
		for _, line := range list {
			fmt.Fprintln(w, line)
		}
	}
	put(tk.sections[""])
	for _, name := range tk.order {
		fmt.Fprintf(w, "-- %s --\n", name)
		put(tk.sections[name])
	}
	_ = w.Flush()
	if err := os.WriteFile(tk.path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// line plays a line of the talk. What was answered when it was written is not read.
func (s *stage) line(line string) {
	switch {
	case line == "":
	case line[0] == '#':
		s.out = append(s.out, "", line)
	case line[0] == '@':
		s.out = append(s.out, "", line)
		s.change(strings.Fields(line[1:]))
	case line[0] == '>':
		if n := len(s.out); n > 0 && !strings.HasPrefix(s.out[n-1], "@") && !strings.HasPrefix(s.out[n-1], "#") {
			s.out = append(s.out, "")
		}
		s.out = append(s.out, line)
		s.say(strings.TrimSpace(line[1:]))
	}
}

func (s *stage) change(words []string) {
	what, how := words[0], strings.Join(words[1:], " ")
	switch what {
	case "now":
		if d, err := time.ParseDuration(strings.TrimPrefix(how, "+")); err == nil {
			s.now = s.now.Add(d)
			return
		}
		at, err := time.Parse(time.RFC3339, how)
		if err != nil {
			s.t.Fatal(err)
		}
		s.now = at
	case "zone":
		loc, err := time.LoadLocation(how)
		if err != nil {
			s.t.Fatal(err)
		}
		s.turn.Location = loc
	case "format":
		s.turn.SpecFormat = how == "spec"
	case "language":
		s.turn.Language = how
	case "session":
		s.turn.SessionID = how
	case "end":
		if err := s.concierge.EndSession(s.t.Context(), s.turn.Session()); err != nil {
			s.t.Fatal(err)
		}
	case "fail", "hang":
		if how == "calendar" {
			s.calendar.broken = &calendarmem.Broken{Hang: what == "hang"}
			return
		}
		s.knowledge.broken, s.knowledge.hang = true, what == "hang"
	case "partial":
		s.calendar.partial = true
	case "owner", "visitor":
		s.turn.Owner = what == "owner"
	case "restart":
		s.open()
	case "shelf":
		for _, line := range s.own.contents(s.t, s.parts.Venue.Location) {
			s.out = append(s.out, "* "+line)
		}
		for _, line := range s.tasks.contents(s.t) {
			s.out = append(s.out, "* "+line)
		}
	case "tasks":
		s.tasks.broken = how == "fail"
	case "own":
		s.changeOwn(words[1:])
	case "other":
		s.other(how)
	case "restore":
		if s.own != nil {
			s.tasks.broken = false
			s.own.unread, s.own.partial, s.own.refuse, s.own.lose, s.own.hang = "", false, "", 0, false
		}
		s.calendar.broken, s.calendar.partial, s.knowledge.broken, s.knowledge.hang = nil, false, false, false
	default:
		s.t.Fatalf("@ %s: no such change", what)
	}
}

// changeOwn makes the owner's calendar fail.
func (s *stage) changeOwn(words []string) {
	switch words[0] {
	case "unread":
		s.own.unread = calendar.Kind(words[1])
	case "partial":
		s.own.partial = true
	case "as":
		d, err := time.ParseDuration(words[2])
		if err != nil {
			s.t.Fatal(err)
		}
		s.own.asOf = s.now.Add(d)
	case "refuse":
		s.own.refuse, s.own.refusals = calendar.Kind(words[1]), -1
		if len(words) > 2 {
			s.own.refusals = int(words[2][0] - '0')
		}
	case "lose":
		s.own.lose = int(words[1][0] - '0')
	case "hang":
		s.own.hang = true
	default:
		s.t.Fatalf("@ own %s: no such change", words[0])
	}
}

// other does what somebody else does in the owner's calendar: TITLE moves 15:00, TITLE is gone.
func (s *stage) other(what string) {
	if title, ok := strings.CutSuffix(what, " is gone"); ok {
		if err := s.own.Calendar.Delete(s.t.Context(), s.own.find(s.t, title).ID, ""); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	title, to, _ := strings.Cut(what, " moves ")
	e := s.own.find(s.t, title)
	at := parseTime(s.t, e.Start.In(s.parts.Venue.Location).Format("2006-01-02 ")+to, s.parts.Venue.Location)
	w := calendar.When{Start: at, End: at.Add(e.End.Sub(e.Start)), TimeZone: e.TimeZone}
	if _, err := s.own.Calendar.Update(s.t.Context(), e.ID, calendar.Change{When: &w}, ""); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) say(words string) {
	turn := s.turn
	turn.Query = words
	r, err := s.concierge.Answer(s.t.Context(), turn)
	if err != nil {
		s.out = append(s.out, "! "+kind(err))
		return
	}
	mark := "< "
	if r.Interrupt != nil {
		mark = "? "
	}
	for i, line := range strings.Split(r.Text, "\n") {
		if i > 0 {
			mark = "| "
		}
		s.out = append(s.out, strings.TrimRight(mark+line, " "))
	}
	s.out = append(s.out, "= "+summary(r))
	for _, sentence := range r.Speech {
		s.out = append(s.out, "~ "+sentence.Text)
	}
	if use := r.Metadata.ProcessingInfo.Model; use != nil {
		s.out = append(s.out, "% "+told(use))
	}
	if len(r.Suggestions) > 0 {
		s.out = append(s.out, "+ "+strings.Join(r.Suggestions, " / "))
	}
	check(s.t, r)
}

// summary is what an answer says besides words.
func summary(r api.QueryResponse) string {
	m := r.Metadata
	parts := []string{
		r.Emotion, r.AgentName, m.ProcessingInfo.Route + "/" + m.ProcessingInfo.RoutedBy, fmt.Sprintf("%.2f", m.Confidence),
		"calendar:" + m.SourceStatus["calendar"], "knowledge:" + m.SourceStatus["knowledge_base"], "sources:" + strings.Join(m.Sources, "+"),
	}
	if m.TimeRange != nil {
		parts = append(parts, fmt.Sprintf("%s %s..%s", m.TimeRange.Name, m.TimeRange.Start, m.TimeRange.End))
		if !m.TimeRange.Explicit {
			parts = append(parts, "assumed")
		}
	}
	if m.ProcessingInfo.ContextInherited {
		parts = append(parts, "inherited")
	}
	return strings.Join(parts, " ")
}

func kind(err error) string {
	for name, k := range map[string]error{
		"conflict": fault.ErrConflict, "not found": fault.ErrNotFound, "invalid": fault.ErrInvalid, "unavailable": fault.ErrUnavailable,
	} {
		if errors.Is(err, k) {
			return name
		}
	}
	return err.Error()
}

// switchable is a calendar that can be broken.
type switchable struct {
	works   calendar.Reader
	broken  *calendarmem.Broken
	partial bool
}

func (s *switchable) Events(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
	if s.broken != nil {
		return s.broken.Events(ctx, window)
	}
	l, err := s.works.Events(ctx, window)
	if s.partial {
		l.Complete = false
		l.Problems = []calendar.Problem{{CalendarID: "second", Err: fault.ErrUnavailable}}
	}
	return l, err
}

// passages is a retriever for tests: a passage is found by its words.
type passages struct {
	list         []keyed
	broken, hang bool
}

type keyed struct {
	passage rag.Passage
	keys    []string
}

func (p *passages) Search(ctx context.Context, q rag.Query) ([]rag.Hit, error) {
	if p.hang {
		<-ctx.Done()
		return nil, fmt.Errorf("search: %w: %w", ctx.Err(), fault.ErrUnavailable)
	}
	if p.broken {
		return nil, fmt.Errorf("search: %w", fault.ErrUnavailable)
	}
	if strings.TrimSpace(q.Text) == "" {
		return nil, fmt.Errorf("search for nothing: %w", fault.ErrInvalid)
	}
	best := map[string]rag.Hit{}
	var order []string
	for _, k := range p.list {
		h := rag.Hit{Passage: k.passage, Score: k.score(q)}
		if h.Score == 0 {
			continue
		}
		there, ok := best[k.passage.Pair]
		if !ok {
			order = append(order, k.passage.Pair)
		}
		if !ok || k.passage.Lang == q.Lang || there.Passage.Lang != q.Lang && h.Score > there.Score {
			best[k.passage.Pair] = h
		}
	}
	var hits []rag.Hit
	for _, pair := range order {
		hits = append(hits, best[pair])
	}
	slicesSort(hits)
	if q.Limit > 0 && len(hits) > q.Limit {
		hits = hits[:q.Limit]
	}
	return hits, nil
}

func (k keyed) score(q rag.Query) float64 {
	p := k.passage
	if len(q.Categories) > 0 && !contains(q.Categories, p.Category) {
		return 0
	}
	if !q.On.IsZero() && (!p.ValidFrom.IsZero() && q.On.Before(p.ValidFrom) || !p.ValidUntil.IsZero() && q.On.After(p.ValidUntil)) {
		return 0
	}
	text, score := strings.ToLower(q.Text), 0.0
	for _, key := range k.keys {
		if strings.Contains(text, key) {
			score = max(score, 0.5+0.02*float64(len([]rune(key))))
		}
	}
	return score
}
