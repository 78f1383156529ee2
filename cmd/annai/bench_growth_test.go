package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"annai/dialog"
	"annai/internal/budget"
	"annai/internal/config"
	"annai/nlu"
	"annai/nodes/talk"
)

// grown is how much a venue that has grown has: events in a year, or passages.
const grown = 10_000

// onProcessors is the time that this process has had on processors.
func onProcessors(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// A spent time is measured by the clock and on processors, the latter rightly only of one thing at a time.
type spent struct{ clock, processors atomic.Int64 }

// measure adds how long something takes.
func (s *spent) measure(b *testing.B, do func()) {
	used, began := onProcessors(b), time.Now()
	do()
	s.clock.Add(int64(time.Since(began)))
	s.processors.Add(int64(onProcessors(b) - used))
}

func (s *spent) load() (clock, processors time.Duration) {
	return time.Duration(s.clock.Load()), time.Duration(s.processors.Load())
}

// measuredReader is a reader whose time is measured.
type measuredReader struct {
	talk.Reader

	b     *testing.B
	spent *spent
}

func (r measuredReader) Read(utterance string, c talk.Context) (reading nlu.Reading) {
	r.spent.measure(r.b, func() { reading = r.Reader.Read(utterance, c) })
	if reading.Pointer != nil {
		reading.Pointer = measuredPointer{reading.Pointer, r.b, r.spent}
	}
	return reading
}

type measuredPointer struct {
	nlu.Pointer

	b     *testing.B
	spent *spent
}

func (p measuredPointer) Point(things []nlu.Thing) (inTalk, alone []float64) {
	p.spent.measure(p.b, func() { inTalk, alone = p.Pointer.Point(things) })
	return inTalk, alone
}

// grownVenue is a concierge in this process whose reader's time is measured apart.
type grownVenue struct {
	*assembly

	reader spent
	talks  atomic.Int64
}

func openGrown(b *testing.B, c config.Config) *grownVenue {
	b.Helper()
	reader, err := openReader()
	if err != nil {
		b.Fatal(err)
	}
	g := new(grownVenue)
	c.Now, c.Deadline, c.SourceDeadline, c.SessionIdle = startOf(b), 10*time.Minute, 5*time.Minute, time.Minute
	w := wants{reader: measuredReader{reader, b, &g.reader}}
	if g.assembly, err = assemble(b.Context(), c, w, discard); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := g.close(); err != nil {
			b.Error(err)
		}
	})
	return g
}

// ask asks a question in a talk of its own.
func (g *grownVenue) ask(ctx context.Context, question string) error {
	turn := dialog.Turn{Query: question, SessionID: fmt.Sprintf("growth-%d", g.talks.Add(1))}
	for _, err := range g.concierge.Ask(ctx, turn) {
		if err != nil {
			return fmt.Errorf("%s: %w", question, err)
		}
	}
	return nil
}

// besides asks a question and returns how long all but the reader took.
func (g *grownVenue) besides(b *testing.B, question string) (clock, processors time.Duration) {
	b.Helper()
	var all spent
	readBefore, usedBefore := g.reader.load()
	all.measure(b, func() {
		if err := g.ask(b.Context(), question); err != nil {
			b.Fatal(err)
		}
	})
	clock, processors = all.load()
	read, used := g.reader.load()
	return clock - (read - readBefore), processors - (used - usedBefore)
}

// rate asks so many questions with 16 clients, and returns how many are answered in a second, and the
// processor time of one.
func (g *grownVenue) rate(b *testing.B, n int, questions []string) (perSecond float64, processor time.Duration) {
	b.Helper()
	const clients = 16
	errs := make([]error, clients)
	var asked atomic.Int64
	var group sync.WaitGroup
	before, began := onProcessors(b), time.Now()
	for c := range clients {
		group.Go(func() {
			for i := int(asked.Add(1)) - 1; i < n && errs[c] == nil; i = int(asked.Add(1)) - 1 {
				errs[c] = g.ask(b.Context(), questions[i%len(questions)])
			}
		})
	}
	group.Wait()
	perSecond = float64(n) / time.Since(began).Seconds()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	return perSecond, (onProcessors(b) - before) / time.Duration(n)
}

// questionsAbout are about events, by their titles and by their days.
var questionsAbout = []string{
	"勉強会はいつ？",
	"Hackathonはいつ？",
	"次のイベントは？",
	"今月のイベントは？",
	"今日のイベントは？",
	"ボードゲーム座談会はどこでありますか？",
	"Rust勉強会は何時からですか",
	"When is the next Machine Learning study group?",
	"What's on this weekend?",
	"電子工作ハンズオンの参加費は？",
	"明日の英会話は何時までですか",
	"写真の入門講座はありますか？",
	"Is there a startup round table this week?",
	"来週の勉強会を教えて",
	"セキュリティもくもく会はまだやってる？",
}

// BenchmarkManyEvents compares a calendar of [grown] entries in a year with one of ten.
func BenchmarkManyEvents(b *testing.B) {
	few := openGrown(b, config.Config{Venue: busyVenue(b, 10)})
	many := openGrown(b, config.Config{Venue: busyVenue(b, grown)})
	compareGrown(b, "events", few, many, questionsAbout)
}

// BenchmarkManyPassages measures an ingest of [grown] passages, and compares what serves them with the 300
// of the demonstration venue.
func BenchmarkManyPassages(b *testing.B) {
	data := b.TempDir()
	before, began := onProcessors(b), time.Now()
	made := ingestDocuments(b, manyDocuments(b, grown), data)
	took, used := time.Since(began), onProcessors(b)-before
	fmt.Printf("ingest: %d passages, %d texts embedded in %v\n", made.Passages, made.Embedded, took)
	budget.AtLeast(os.Stdout, "ingest-rate", float64(made.Passages)/took.Seconds(), "passages/s", 400)
	budget.AtMost(os.Stdout, "ingest-processor", ms(used)/float64(made.Passages), "ms a passage", 5)
	few, many := openGrown(b, config.Config{}), openGrown(b, config.Config{Data: data})
	compareGrown(b, "passages", few, many, strangersQuestions(b))
}

func compareGrown(b *testing.B, what string, few, many *grownVenue, questions []string) {
	b.Helper()
	for _, g := range []*grownVenue{few, many} {
		g.rate(b, len(questions), questions) // warm
		g.titles.doing.Wait()
	}
	for b.Loop() {
		if err := many.ask(b.Context(), questions[0]); err != nil {
			b.Fatal(err)
		}
	}
	var clock, processors, ratios, used []float64
	for i := range 300 {
		c, p := many.besides(b, questions[i%len(questions)])
		clock, processors = append(clock, ms(c)), append(processors, ms(p))
	}
	for range budget.Rounds {
		limit, usual := few.rate(b, 200, questions)
		rate, processor := many.rate(b, 200, questions)
		ratios, used = append(ratios, rate/limit), append(used, float64(processor)/float64(usual))
	}
	budget.AtMost(os.Stdout, what+"-10000-p50", budget.Median(clock), "ms besides the reader", 5)
	budget.AtMost(os.Stdout, what+"-10000-processors-p50", budget.Median(processors), "ms besides the reader", 5)
	budget.AtLeast(os.Stdout, what+"-10000-rate", budget.Median(ratios), "of that with few", 0.5)
	budget.AtMost(os.Stdout, what+"-10000-processor", budget.Median(used), "x that with few", 2)
}
