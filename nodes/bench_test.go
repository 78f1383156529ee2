package nodes_test

import (
	"testing"
	"time"

	"annai/nodes"
	"annai/storage/mem"
	calendarmem "annai/tools/calendar/mem"
	"annai/venue"
)

// BenchmarkAnswer is a whole turn, on one session and with the events of the talks.
func BenchmarkAnswer(b *testing.B) {
	v, err := venue.Demo()
	if err != nil {
		b.Fatal(err)
	}
	now := time.Date(2025, 1, 13, 10, 0, 0, 0, v.Location)
	c, err := nodes.New(nodes.Parts{
		Venue: v, Calendar: calendarmem.New("events", readEvents(b, lines(b, talk{}, "events"), v.Location)...),
		Knowledge: &passages{list: readPassages(b, lines(b, talk{}, "knowledge"))}, Understander: understander(b, v), Checkpointer: mem.New(),
	}, nodes.Options{Now: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	for _, query := range []string{"今週のイベントは？", "今日は何曜日ですか？", "トイレはどこですか？"} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Answer(b.Context(), nodes.Turn{Query: query}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOwner is a turn of an owner: a look, and a plan that is asked about and dropped.
func BenchmarkOwner(b *testing.B) {
	s := openStudy(b, ownEntries, nil)
	for _, words := range [][]string{{"明日の予定は？"}, {"来週空いてる日は？"}, {"来週で1時間の候補を出して"}, {"明日の15時に会議を入れて", "やめて"}} {
		b.Run(words[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, w := range words {
					if _, err := s.Answer(b.Context(), nodes.Turn{Query: w, SessionID: "s", Owner: true}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
