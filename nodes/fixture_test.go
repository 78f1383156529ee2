package nodes_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/api"
	"annai/civil"
	"annai/dialog"
	"annai/nlu"
	"annai/nlu/network"
	"annai/nodes"
	memory "annai/nodes/talk"
	"annai/rag"
	"annai/rag/embedded"
	"annai/tools/calendar"
	calendarmem "annai/tools/calendar/mem"
	"annai/venue"
)

// readEvents reads one event a line: when | title | description | place | url | status. When is 2025-01-15 19:00 - 21:00,
// 2025-01-15 22:00 - 2025-01-16 02:00, 2025-01-15 19:00 (no end), 2025-01-15 or 2025-01-15 - 2025-01-17.
func readEvents(t testing.TB, list []string, loc *time.Location) []calendar.Event {
	t.Helper()
	var out []calendar.Event
	for _, line := range list {
		fields := split(line, 6)
		if fields == nil {
			continue
		}
		e := calendar.Event{
			Title: unescape(fields[1]), Description: unescape(fields[2]), Location: fields[3], URL: fields[4], Status: calendar.Status(fields[5]),
		}
		first, last, _ := strings.Cut(fields[0], " - ")
		if len(first) == len(time.DateOnly) {
			e.AllDay, e.FirstDay = true, parseDay(t, first)
			e.EndDay = e.FirstDay.AddDays(1)
			if last != "" {
				e.EndDay = parseDay(t, last).AddDays(1)
			}
		} else {
			e.Start = parseTime(t, first, loc)
			switch {
			case last == "":
			case len(last) == len("21:00"):
				e.End = parseTime(t, first[:len(time.DateOnly)]+" "+last, loc)
			default:
				e.End = parseTime(t, last, loc)
			}
		}
		out = append(out, e.WithNotice()) // as calendar.Merge shows them
	}
	return out
}

func unescape(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\e`, "\x1b", `\r`, "\u202e").Replace(s)
}

func parseDay(t testing.TB, s string) civil.Date {
	t.Helper()
	d, err := civil.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func parseTime(t testing.TB, s string, loc *time.Location) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", s, loc)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// readPassages reads one passage a line: id | lang | category | valid | title | text | words. Passages with the same id are a pair.
func readPassages(t testing.TB, list []string) []keyed {
	t.Helper()
	var out []keyed
	for _, line := range list {
		f := split(line, 7)
		if f == nil {
			continue
		}
		p := rag.Passage{
			ID: f[0] + "." + f[1], Pair: f[0], Lang: f[1], Category: f[2], Title: f[4], Text: f[5], Source: "https://example.com/" + f[0],
		}
		if from, until, ok := strings.Cut(f[3], "/"); ok {
			p.ValidFrom, p.ValidUntil = parseDay(t, from), parseDay(t, until)
		}
		var keys []string
		for key := range strings.SplitSeq(f[6], ",") {
			keys = append(keys, strings.ToLower(strings.TrimSpace(key)))
		}
		out = append(out, keyed{passage: p, keys: keys})
	}
	return out
}

// split cuts a line at |; blank lines and comments are nil.
func split(line string, n int) []string {
	if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
		return nil
	}
	fields := strings.Split(line, "|")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	for len(fields) < n {
		fields = append(fields, "")
	}
	return fields
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

func slicesSort(hits []rag.Hit) {
	slices.SortStableFunc(hits, func(a, b rag.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
}

var (
	tag      = regexp.MustCompile(`^\[(happy|relaxed|sad|surprised|neutral)\]`)
	bracket  = regexp.MustCompile(`[\[\]]`)
	markup   = regexp.MustCompile("https?://|\\*|`|\n|^- ")
	dateText = regexp.MustCompile(`\d{4}年\d{1,2}月\d{1,2}日|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [A-Z][a-z]{2} \d{1,2}, \d{4}`)
)

// check holds every answer of every talk against what is promised of all of them.
func check(t testing.TB, r api.QueryResponse) {
	t.Helper()
	faces := map[string]string{"excited": "happy", "helpful": "relaxed", "apologetic": "sad", "surprised": "surprised", "neutral": "neutral"}
	face := faces[r.Emotion]
	if !strings.HasPrefix(r.Text, "["+face+"]") || r.VRM.Expression != face {
		t.Errorf("emotion %s has text %.20q and face %s, want tag and face %s", r.Emotion, r.Text, r.VRM.Expression, face)
	}
	body := tag.ReplaceAllString(r.Text, "")
	if bracket.MatchString(body) || strings.TrimSpace(body) != body || body == "" {
		t.Errorf("text %q has brackets besides its tag, is empty or has space around it", r.Text)
	}
	if len(r.Speech) == 0 {
		t.Errorf("%q is not spoken", r.Text)
	}
	for _, s := range r.Speech {
		if s.Emotion != face || markup.MatchString(s.Text) || bracket.MatchString(s.Text) || strings.Contains(s.Text, ".m.") {
			t.Errorf("sentence %+v of an answer with face %s has another face or markup", s, face)
		}
	}
	if r.Metadata.AgentName != r.AgentName || r.Metadata.Language != r.Language || r.Metadata.Sources == nil || r.Cards == nil || r.Suggestions == nil {
		t.Errorf("metadata %+v does not repeat the answer, or a list is null", r.Metadata)
	}
	if len(r.Metadata.SourceStatus) != 2 {
		t.Errorf("source status %v, want both sources", r.Metadata.SourceStatus)
	}
	checkFacts(t, r, body)
}

// checkFacts looks for every date of a list of events in the cards that prove it.
func checkFacts(t testing.TB, r api.QueryResponse, body string) {
	t.Helper()
	if r.AgentName != "EventAgent" || len(r.Cards) == 0 {
		return
	}
	var evidence strings.Builder
	for _, c := range r.Cards {
		evidence.WriteString(c.When + " " + c.Description + "\n")
	}
	for _, date := range dateText.FindAllString(body, -1) {
		if !strings.Contains(evidence.String(), date) {
			t.Errorf("the answer %q names %s, which no card has: %s", body, date, evidence.String())
		}
	}
}

// understander is the one that the product has, told the venue's words. All tests at a venue share it.
func understander(_ testing.TB, v *venue.Venue) nlu.Understander {
	reading.Lock()
	defer reading.Unlock()
	if readers[v.Name.JA] == nil {
		readers[v.Name.JA] = nlu.New(nlu.Options{
			VenueNames: []string{v.Name.JA, v.Name.EN}, Corrections: v.Corrections, StaffWords: v.Staff.Words,
		})
	}
	return readers[v.Name.JA]
}

var (
	reading sync.Mutex
	readers = map[string]nlu.Understander{} // by the name of the venue
)

// product returns the reader and the index of subjects that the product has. All tests share them.
func product(t testing.TB) (memory.Reader, nodes.NewIndex) {
	t.Helper()
	loading.Do(func() {
		net, err := network.Open()
		if err != nil {
			t.Fatal(err)
		}
		learnt = memory.NewReader(net)
		if embedder.Embedder, err = embedded.New(); err != nil {
			t.Fatal(err)
		}
		warmUp(t)
	})
	return learnt, subjectIndex
}

func subjectIndex(ctx context.Context, list []rag.Passage) (rag.Retriever, error) {
	return rag.New(ctx, list, &embedder, rag.NewFlat, rag.Options{Threshold: -1})
}

// patience is the deadline of a turn and of its sources in tests: far more than they need, on a busy
// machine too.
const patience = time.Minute

// warmUp answers once, so that no test waits within its deadline for what is made once.
func warmUp(t testing.TB) {
	t.Helper()
	v, err := venue.Demo()
	if err != nil {
		t.Fatal(err)
	}
	c, err := nodes.New(nodes.Parts{
		Reader: learnt, Index: subjectIndex, Venue: v, Understander: understander(t, v), Knowledge: &passages{},
		Calendar: calendarmem.New("events", readEvents(t, lines(t, talk{}, "events"), v.Location)...),
	}, nodes.Options{
		Deadline: patience, SourceDeadline: patience / 3,
		Now: func() time.Time { return time.Date(2025, 1, 13, 10, 0, 0, 0, v.Location) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Answer(context.Background(), dialog.Turn{Query: "今日のイベントは？"}); err != nil {
		t.Fatal(err)
	}
}

var (
	loading  sync.Once
	learnt   memory.Reader
	embedder embedders
)

// embedders keeps the vectors that tests have in common.
type embedders struct {
	rag.Embedder

	kept sync.Map
}

// Embed implements [rag.Embedder].
func (e *embedders) Embed(ctx context.Context, texts []string) ([]rag.Vector, error) {
	key := strings.Join(texts, "\x00")
	if known, ok := e.kept.Load(key); ok {
		return known.([]rag.Vector), nil
	}
	vectors, err := e.Embedder.Embed(ctx, texts)
	if err == nil {
		e.kept.Store(key, vectors)
	}
	return vectors, err
}
