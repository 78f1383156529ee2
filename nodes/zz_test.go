package nodes_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"time"

	"annai/nodes"
	"annai/rag"
	"annai/rag/chromem"
	"annai/rag/markdown"
	"annai/storage/mem"
	"annai/tools/calendar/ics"
	"annai/venue"
)

func TestZZ(t *testing.T) {
	v, _ := venue.Demo()
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, v.Location)
	ps, _ := markdown.Load(v.Files, v.Knowledge)
	k, err := rag.New(t.Context(), ps, rag.HashedEmbedder{}, chromem.New, rag.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cal, err := ics.File(v.Files, "calendar.ics", ics.Options{CalendarID: "events", Location: v.Location, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	c, err := nodes.New(nodes.Parts{Venue: v, Calendar: cal, Knowledge: k, Understander: understander(t, v), Checkpointer: mem.New()}, nodes.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	f, _ := os.Open("/tmp/w_q.txt")
	sc := bufio.NewScanner(f)
	sid := "a"
	for sc.Scan() {
		q := sc.Text()
		if q == "" {
			sid += "x"
			continue
		}
		r, err := c.Answer(t.Context(), nodes.Turn{Query: q, SessionID: sid})
		if err != nil {
			t.Logf("> %s\n!! %v", q, err)
			continue
		}
		var sp []string
		for _, s := range r.Speech {
			sp = append(sp, s.Text)
		}
		t.Logf("> %s\n%s\n   = %s (%s)\n   ~ %s", q, r.Text, summary(r), r.Metadata.ProcessingInfo.Reason, strings.Join(sp, " | "))
	}
}
