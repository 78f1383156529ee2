package nodes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"annai/dialog"
	"annai/fault"
	"annai/graph"
	"annai/nodes"
	"annai/storage/mem"
	"annai/storage/sqlite"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// TestEveryAnswerHasAnAgent fails for a node whose answers would go out under no name.
func TestEveryAnswerHasAnAgent(t *testing.T) {
	agents := nodes.Agents()
	for _, e := range open(t, nil).Drawing().Edges {
		for _, node := range []string{e.From, e.To} {
			if e.From != "router" && e.To != "respond" || node == "router" {
				continue
			}
			if a := agents[node]; a[0] == "" || a[1] == "" {
				t.Errorf("the answers of node %s go out as %q, want an agent and a category", node, a)
			}
		}
	}
}

// TestPlanOutlivesTheProcess asks in one process and says yes in another, over a database.
func TestPlanOutlivesTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "annai.db")
	var own *diaryCalendar
	process := func(say string) string {
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		s := openStudy(t, ownEntries, func(p *nodes.Parts, o *nodes.Options) {
			p.Checkpointer = store
			if own != nil {
				p.Agenda = newAgenda(t, own, nil, p.Venue.Location, o.Now)
			}
		})
		if own == nil {
			own = s.own
		}
		s.own = own
		r := s.owner(t, "s", say)
		return r.Text + "\n" + s.shelf(t)
	}
	process("明日の15時に会議を入れて")
	if got := process("いや、16時"); !strings.Contains(got, "16:00〜17:00") {
		t.Errorf("a correction after a restart = %q, want the plan at 16:00", got)
	}
	if got := process("はい"); !strings.Contains(got, "登録しました") || !strings.HasSuffix(got, "\n2025-01-16 16:00 - 17:00 | 会議") {
		t.Errorf("a yes after a restart = %q, want it written once", got)
	}
	if got := process("はい"); !strings.Contains(got, "もう登録してあります") || !strings.HasSuffix(got, "\n2025-01-16 16:00 - 17:00 | 会議") {
		t.Errorf("the same yes again = %q, want it there already", got)
	}
}

// forgetful is a memory whose next write is lost: the process ended before it.
type forgetful struct {
	graph.Checkpointer

	mu sync.Mutex
	// lose makes a write fail, after that many that do not.
	lose  bool
	after int
}

func (f *forgetful) Put(ctx context.Context, thread string, r graph.Record) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.after--; f.lose && f.after < 0 {
		f.lose = false
		return fmt.Errorf("put: %w", fault.ErrUnavailable)
	}
	return f.Checkpointer.Put(ctx, thread, r)
}

// TestCrashBehindTheWrite ends the process when the calendar was written and the talk not yet: the next yes writes nothing more.
func TestCrashBehindTheWrite(t *testing.T) {
	for _, test := range []struct{ order, want string }{
		{"明日の15時に会議を入れて", "2025-01-16 15:00 - 16:00 | 会議"},
		{"1月20日と22日の10時に面談を入れて", "2025-01-20 10:00 - 11:00 | 面談\n2025-01-22 10:00 - 11:00 | 面談"},
		{"毎週水曜10時に英会話を入れて", "2025-01-15 10:00 - 11:00 | 英会話 | RRULE:FREQ=WEEKLY;BYDAY=WE"},
	} {
		memory := &forgetful{Checkpointer: mem.New()}
		s := openStudy(t, ownEntries, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = memory })
		s.owner(t, "s", test.order)
		memory.lose, memory.after = true, 1 // the yes is remembered, what came of it is not
		if _, err := s.Answer(t.Context(), dialog.Turn{Query: "はい", SessionID: "s", Owner: true}); err == nil {
			t.Fatalf("a yes whose record is lost = nil, want an error")
		}
		if got := s.shelf(t); got != test.want {
			t.Fatalf("%s: after the lost record the calendar has %q, want %q", test.order, got, test.want)
		}
		if r := s.owner(t, "s", "はい"); !strings.Contains(r.Text, "登録しました") {
			t.Errorf("%s: the yes after that = %q, want it confirmed", test.order, r.Text)
		}
		if got := s.shelf(t); got != test.want {
			t.Errorf("%s: after the second yes the calendar has %q, want %q", test.order, got, test.want)
		}
	}
}

// TestChangeAfterCrash is the same for a change and a deletion, which carry an etag that is old by then.
func TestChangeAfterCrash(t *testing.T) {
	for _, test := range []struct {
		order, say, want string
		refuse           calendar.Kind
	}{
		{"定例会議を15時に変更して", "変更しました", "2025-01-16 15:00 - 16:00 | 定例会議 | 会議室A", ""},
		{"定例会議を15時に変更して", "変更しました", "2025-01-16 15:00 - 16:00 | 定例会議 | 会議室A", calendar.Unavailable},
		{"定例会議を消して", "すでに削除されていました", "", ""},
		{"定例会議を消して", "すでに削除されていました", "", calendar.Unavailable},
	} {
		memory := &forgetful{Checkpointer: mem.New()}
		s := openStudy(t, ownEntries[:1], func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = memory })
		s.owner(t, "s", test.order)
		memory.lose, memory.after = true, 1 // the yes is remembered, what came of it is not
		if _, err := s.Answer(t.Context(), dialog.Turn{Query: "はい", SessionID: "s", Owner: true}); err == nil {
			t.Fatalf("a yes whose record is lost = nil, want an error")
		}
		s.own.refuse, s.own.refusals = test.refuse, -1
		r := s.owner(t, "s", "はい")
		if !strings.Contains(r.Text, test.say) {
			t.Errorf("%s: the yes after the lost record = %q, want %s", test.order, r.Text, test.say)
		}
		if got := strings.Join(s.own.contents(t, s.now.Location()), "\n"); got != test.want {
			t.Errorf("%s: the calendar has %q, want %q", test.order, got, test.want)
		}
	}
}

// TestYesTwiceAtOnce sends the same answer several times at the same time.
func TestYesTwiceAtOnce(t *testing.T) {
	var mu sync.Mutex
	n := 0
	s := openStudy(t, ownEntries, func(_ *nodes.Parts, o *nodes.Options) {
		o.NewID = func() string { mu.Lock(); defer mu.Unlock(); n++; return fmt.Sprint(n) }
	})
	asked := s.owner(t, "s", "明日の15時に会議を入れて")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			resume := &dialog.Resume{InterruptID: asked.Interrupt.ID, Value: json.RawMessage(`1`)}
			r, err := s.Answer(t.Context(), dialog.Turn{SessionID: "s", Owner: true, Resume: resume})
			if err == nil && !strings.Contains(r.Text, "登録しました") || err != nil && !errors.Is(err, fault.ErrConflict) && !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("one of several yeses = %q, %v, want it written, a conflict, or nothing to answer", r.Text, err)
			}
		})
	}
	all.Wait()
	if got := s.shelf(t); got != "2025-01-16 15:00 - 16:00 | 会議" || s.own.writes != 1 {
		t.Errorf("after eight yeses the calendar has %q by %d writes, want one", got, s.own.writes)
	}
}

// TestWriteThatHangs lets the calendar write and not answer: within the turn's time it is said that nobody knows, and it is there once.
func TestWriteThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStudy(t, ownEntries, nil)
		for _, test := range []struct{ order, yes, want string }{
			{"明日の15時に会議を入れて", "はい", "分かりませんでした。「はい」とお答えいただくと、もう一度確認します"},
			{"Add a review tomorrow at 5 pm", "yes", "I still can't tell whether it was added. Say yes and I'll find out once more."},
			{"定例会議を9時に変更して", "はい", "変更できたか確認しましたが"},
			{"Delete the dentist", "yes", "whether it was deleted"},
		} {
			s.own.hang = false
			s.owner(t, "s", test.order)
			s.own.hang = true
			began := time.Now()
			r := s.owner(t, "s", test.yes)
			if took := time.Since(began); took > patience || !strings.Contains(r.Text, test.want) || r.Emotion != "apologetic" {
				t.Errorf("a write that hangs is answered after %s by %q, want %q in time", took, r.Text, test.want)
			}
		}
		want := "2025-01-16 15:00 - 16:00 | 会議\n2025-01-16 17:00 - 18:00 | Review"
		if got := s.shelf(t); got != want {
			t.Errorf("the calendar has %q, want %q", got, want)
		}
	})
}

// losing loses the answer of the first creation, which is done, and refuses all others.
type losing struct {
	calendar.Writer

	creations int
}

func (f *losing) Create(ctx context.Context, e calendar.Event) (calendar.Event, error) {
	if f.creations++; f.creations > 1 {
		return calendar.Event{}, &calendar.Failure{Kind: calendar.Auth}
	}
	if _, err := f.Writer.Create(ctx, e); err != nil {
		return calendar.Event{}, err
	}
	return calendar.Event{}, &calendar.Failure{Kind: calendar.Ambiguous}
}

// TestRefusedAfterALostAnswer: that a second try is refused does not say that the first was not done.
func TestRefusedAfterALostAnswer(t *testing.T) {
	s := openStudy(t, ownEntries, nil)
	a, err := agenda.New([]agenda.Calendar{{ID: "own", Writer: &losing{Writer: s.own}}}, agenda.Options{Location: s.now.Location(), Now: func() time.Time { return s.now }})
	if err != nil {
		t.Fatal(err)
	}
	lost := openStudy(t, ownEntries, func(p *nodes.Parts, _ *nodes.Options) { p.Agenda = a })
	lost.owner(t, "s", "明日の15時に会議を入れて")
	if r := lost.owner(t, "s", "はい"); !strings.Contains(r.Text, "登録しました") {
		t.Errorf("the yes = %q, want that it is there", r.Text)
	}
	if got := s.shelf(t); got != "2025-01-16 15:00 - 16:00 | 会議" {
		t.Errorf("the calendar has %q, want one", got)
	}
}

// TestUnsureAsksAgain says yes again where nobody knew what became of the first, and no.
func TestUnsureAsksAgain(t *testing.T) {
	s := openStudy(t, ownEntries, nil)
	for _, test := range []struct{ say, want, shelf string }{
		{"やめて", "分かりませんでした", ""}, {"今日は何曜日？", "水", ""}, {"はい", "登録しました", "2025-01-16 15:00 - 16:00 | 会議"},
	} {
		s.owner(t, "s", "明日の15時に会議を入れて")
		s.own.refuse, s.own.refusals = calendar.Ambiguous, -1
		if r := s.owner(t, "s", "はい"); r.Interrupt == nil {
			t.Errorf("a yes of which nobody knows what became = %q, want to be asked again", r.Text)
		}
		s.own.refuse = ""
		if r := s.owner(t, "s", test.say); !strings.Contains(r.Text, test.want) || strings.Contains(r.Text, "登録していません") || r.Interrupt != nil {
			t.Errorf("%q after that = %q, want %q and not that it was not added", test.say, r.Text, test.want)
		}
		if got := s.shelf(t); got != test.shelf {
			t.Errorf("after %q the calendar has %q, want %q", test.say, got, test.shelf)
		}
	}
}

// TestCheckingIsShown listens to a turn in which it is not known at first whether a write was done.
func TestCheckingIsShown(t *testing.T) {
	s := openStudy(t, ownEntries, nil)
	s.owner(t, "s", "明日の15時に会議を入れて")
	s.own.lose = 1
	shown := ""
	for e, err := range s.Ask(t.Context(), dialog.Turn{Query: "はい", SessionID: "s", Owner: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := e.(dialog.Progress); ok && !p.Done {
			shown += p.LabelJA + "\n"
		}
	}
	if !strings.Contains(shown, calendar.Ambiguous.Message("ja")[:len("登録できたか確認しています")]) {
		t.Errorf("while a write is found out about, %q is shown, want that it is being checked", shown)
	}
}

// TestNothingIsReadForVisitors counts what a visitor's words read of the owner's calendar.
func TestNothingIsReadForVisitors(t *testing.T) {
	s := openStudy(t, ownEntries, nil)
	s.own.unread = calendar.Auth // a read would be seen in the log
	for _, words := range []string{"私の予定は？", "明日の予定は？", "明日は空いてる？", "定例会議を消して", "はい", "明日の15時に会議を入れて", "What's on my calendar?", "Am I free tomorrow?", "When is my dentist appointment?"} {
		r := s.say(t, words)
		if strings.Contains(r.Text, "定例会議") || strings.Contains(r.Text, "会議室A") || strings.Contains(r.Text, "Station Clinic") || r.Interrupt != nil {
			t.Errorf("a visitor's %q = %q, want nothing of the owner's", words, r.Text)
		}
	}
	if s.own.writes != 0 || strings.Contains(s.log.String(), "agenda") {
		t.Errorf("visitors wrote %d times, log %q, want nothing read or written", s.own.writes, s.log.String())
	}
}

// TestTextsThatCannotBeWritten gives titles that are too long, or have what no title has.
func TestTextsThatCannotBeWritten(t *testing.T) {
	s := openStudy(t, ownEntries, nil)
	long := strings.Repeat("長", 1100)
	s.owner(t, "s", "予定を入れて")
	s.owner(t, "s", long)
	r := s.owner(t, "s", "明日の15時")
	if !strings.Contains(r.Text, calendar.InvalidText.Message("ja")) || r.Interrupt != nil {
		t.Errorf("a title of 1,100 characters = %.200q, want %q", r.Text, calendar.InvalidText.Message("ja"))
	}
	s.owner(t, "s", "明日の15時に会議を入れて")
	if r = s.owner(t, "s", "タイトルは"+long); !strings.Contains(r.Text, calendar.InvalidText.Message("ja")) {
		t.Errorf("a correction to a title of 1,100 characters = %.200q, want %q", r.Text, calendar.InvalidText.Message("ja"))
	}
	s.owner(t, "s", "明日の15時に会議を入れて")
	r = s.owner(t, "s", "タイトルは[sad]企\x1b画\u202e会議")
	if !strings.Contains(r.Text, "〔sad〕企画会議") || r.Emotion != "surprised" {
		t.Errorf("a title with brackets and control characters = %q, want 〔sad〕企画会議", r.Text)
	}
	s.owner(t, "s", "はい")
	if got := s.shelf(t); got != "2025-01-16 15:00 - 16:00 | [sad]企画会議" {
		t.Errorf("the calendar has %q, want one entry without control characters", got)
	}
}

// TestOwnersCostStaysFlat holds what a session with an owner's calendar keeps after many turns against what it keeps after a few.
func TestOwnersCostStaysFlat(t *testing.T) {
	store := mem.New()
	s := openStudy(t, ownEntries, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = store })
	most := 0
	for round := range 12 {
		for _, words := range []string{"明日の予定は？", "場所は？", "来週で1時間の候補を出して", "1番で", "やめて", "明日の15時に会議を入れて", "16時", "いいえ", "今週のイベントは？"} {
			s.owner(t, "s", words)
			records, _, err := store.Load(t.Context(), "\x01owner/s", "", 0)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, w := range records[0].Writes {
				n += len(w.Data)
			}
			if round < 3 {
				most = max(most, n)
			} else if n > 2*most { // records are of several sizes
				t.Fatalf("round %d: a turn keeps %d bytes, want at most the %d of the first rounds", round, n, most)
			}
		}
	}
	if most == 0 {
		t.Fatal("nothing was kept")
	}
}

// TestNothingTwiceNothingLost plays conversations in which everything goes wrong at random: writes that are refused, answers that are lost, a
// process that ends before it remembers, a no. What was said to be written is there once, what was said not to be is not there, and
// of what nobody knows there is at most one.
func TestNothingTwiceNothingLost(t *testing.T) {
	for seed := range uint64(120) {
		random := rand.New(rand.NewPCG(seed, 7))
		memory := &forgetful{Checkpointer: mem.New()}
		s := openStudy(t, ownEntries, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = memory })
		story := ""
		for round := range 4 {
			title := fmt.Sprintf("面談%d", round)
			memory.lose = false
			s.owner(t, "s", "1月2"+fmt.Sprint(round)+"日の10時に"+title+"を入れて")
			s.own.refuse, s.own.lose = "", 0
			said := ""
			for tries := 0; said == "" && tries < 6; tries++ {
				said = s.answer(t, random, memory, &story)
			}
			there := strings.Count(s.shelf(t), title)
			switch {
			case strings.Contains(said, "登録しました") || strings.Contains(said, "もう登録"):
				if there != 1 {
					t.Errorf("seed %d: %s said %q, want it there once, it is %d times", seed, story, said, there)
				}
			case strings.Contains(said, "分かりませんでした。少し"):
				if there > 1 {
					t.Errorf("seed %d: %s nobody knew, and it is there %d times", seed, story, there)
				}
			case there != 0:
				t.Errorf("seed %d: %s said %q, and it is there %d times", seed, story, said, there)
			}
		}
	}
}

// TestPlansOutliveSessions sweeps: a session with a plan is kept for as long as it may be answered, and told that it is too late, and no longer.
func TestPlansOutliveSessions(t *testing.T) {
	s := openStudy(t, ownEntries, nil)
	s.owner(t, "plan", "明日の15時に会議を入れて")
	s.owner(t, "other", "明日の予定は？")
	for _, test := range []struct {
		later time.Duration
		want  int
	}{{4 * time.Minute, 1}, {11 * time.Minute, 0}, {6 * time.Minute, 1}} {
		s.now = s.now.Add(test.later)
		if n, err := s.Sweep(t.Context()); n != test.want || err != nil {
			t.Errorf("Sweep %s later = %d, %v, want %d", test.later, n, err, test.want)
		}
	}
}

// TestOnlyReading gives an owner a calendar that can't be written to, and one who can't be asked.
func TestOnlyReading(t *testing.T) {
	readOnly := openStudy(t, ownEntries, func(p *nodes.Parts, o *nodes.Options) {
		club := newDiary(t, ownEntries, p.Venue.Location)
		a, err := agenda.New([]agenda.Calendar{{ID: "club", Reader: club}}, agenda.Options{Location: p.Venue.Location, Now: o.Now})
		if err != nil {
			t.Fatal(err)
		}
		p.Agenda = a
	})
	noMemory := openStudy(t, ownEntries, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = nil })
	for _, test := range []struct {
		s         *study
		say, want string
	}{
		{readOnly, "明日の15時に会議を入れて", "書き込めるカレンダーがありません"},
		{readOnly, "Delete the dentist", "None of your calendars can be written to"},
		{readOnly, "明日の予定は？", "定例会議"},
		{readOnly, "明日10時から会議できる？", "予定が1件あります"},
		{noMemory, "明日の15時に会議を入れて", "何も変更していません"},
		{noMemory, "Delete the dentist", "Nothing has been changed"},
		{noMemory, "明日の予定は？", "定例会議"},
	} {
		if r := test.s.owner(t, "s", test.say); !strings.Contains(r.Text, test.want) || r.Interrupt != nil {
			t.Errorf("Answer(%q) = %q, want %q", test.say, r.Text, test.want)
		}
	}
}

// TestWhatWasCutOffIsSaidFirst asks something else after a yes that was cut off.
func TestWhatWasCutOffIsSaidFirst(t *testing.T) {
	memory := &forgetful{Checkpointer: mem.New()}
	s := openStudy(t, ownEntries, func(p *nodes.Parts, _ *nodes.Options) { p.Checkpointer = memory })
	s.owner(t, "s", "明日の15時に会議を入れて")
	memory.lose, memory.after = true, 0 // not even the calendar was written to
	if _, err := s.Answer(t.Context(), dialog.Turn{Query: "はい", SessionID: "s", Owner: true}); err == nil || s.own.writes != 0 {
		t.Fatalf("a yes that can't be kept = %v after %d writes, want an error and none", err, s.own.writes)
	}
	r := s.owner(t, "s", "今日は何曜日？")
	if !strings.HasPrefix(r.Text, "[relaxed]「会議」を、1月16日(木) 15:00〜16:00に登録しました。\n\n今日は") || !strings.HasPrefix(r.Speech[0].Text, "「会議」を、") {
		t.Errorf("the next turn = %q, spoken %+v, want first that it was added, then the day", r.Text, r.Speech)
	}
	if got := s.shelf(t); got != "2025-01-16 15:00 - 16:00 | 会議" {
		t.Errorf("the calendar has %q, want it once", got)
	}
}

// answer answers an open question, with something going wrong; "" if the process ended.
func (s *study) answer(t *testing.T, random *rand.Rand, memory *forgetful, story *string) string {
	t.Helper()
	words := "はい"
	switch random.IntN(7) {
	case 0:
		words = "やめて"
	case 1:
		s.own.lose = 1 + random.IntN(5)
	case 2:
		s.own.refuse, s.own.refusals = calendar.Unavailable, 1
	case 3:
		s.own.refuse, s.own.refusals = calendar.Ambiguous, 1+random.IntN(4)
	case 4:
		memory.lose = true
	case 5:
		memory.lose, s.own.lose = true, 1
	}
	memory.after = random.IntN(3)
	*story += fmt.Sprintf("%s (lose %d, refuse %s %d, forget %v); ", words, s.own.lose, s.own.refuse, s.own.refusals, memory.lose)
	*story = strings.Replace(*story, "forget true", fmt.Sprintf("forget after %d", memory.after), 1)
	r, err := s.Answer(t.Context(), dialog.Turn{Query: words, SessionID: "s", Owner: true})
	if err != nil {
		return ""
	}
	return r.Text
}
