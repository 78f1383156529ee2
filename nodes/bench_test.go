package nodes_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"annai/dialog"
	"annai/internal/budget"
	"annai/llm"
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
	reader, index := product(b)
	c, err := nodes.New(nodes.Parts{
		Reader: reader, Index: index, Venue: v,
		Calendar:  calendarmem.New("events", readEvents(b, lines(b, talk{}, "events"), v.Location)...),
		Knowledge: &passages{list: readPassages(b, lines(b, talk{}, "knowledge"))}, Understander: understander(b, v), Checkpointer: mem.New(),
	}, nodes.Options{Now: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	for _, query := range []string{"今週のイベントは？", "今日は何曜日ですか？", "トイレはどこですか？"} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Answer(b.Context(), dialog.Turn{Query: query}); err != nil {
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
					if _, err := s.Answer(b.Context(), dialog.Turn{Query: w, SessionID: "s", Owner: true}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkFirstSentence is what a turn with a model takes until its first sentence is heard, besides the model's own time.
func BenchmarkFirstSentence(b *testing.B) {
	var own atomic.Int64
	m := &llm.Script{
		Answer: func(int, llm.Request) []llm.Step {
			return llm.Slow(20*time.Millisecond, time.Millisecond, llm.Say("Wi-Fiは", "館内の", "どこでも", "無料です。", "名前と", "パスワードは、", "受付カードの", "裏に", "あります。"))
		},
		Sleep: func(_ context.Context, d time.Duration) error { // as long as it takes, which is more than d
			began := time.Now()
			time.Sleep(d)
			own.Add(int64(time.Since(began)))
			return nil
		},
	}
	c := desk(b, m)
	var ours []float64
	for b.Loop() {
		own.Store(0)
		began := time.Now()
		for event, err := range c.Ask(b.Context(), dialog.Turn{Query: "Wi-Fiは使えますか？", SessionID: "kiosk"}) {
			if err != nil {
				b.Fatal(err)
			}
			if _, spoken := event.(dialog.Sentence); spoken {
				ours = append(ours, float64(time.Since(began)-time.Duration(own.Load()))/float64(time.Millisecond))
				break
			}
		}
	}
	b.ReportMetric(budget.Median(ours), "ms-ours/op")
	budget.AtMost(os.Stdout, "first-sentence-with-a-model", budget.Median(ours), "ms", 5)
}
