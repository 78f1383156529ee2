package nodes_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/civil"
	"annai/dialog"
	"annai/fault"
	"annai/graph"
	"annai/nodes"
	"annai/storage/mem"
	"annai/tools/calendar"
)

// replicas are concierges in processes of their own that share what remembers sessions.
func replicas(t *testing.T, n int, store graph.Checkpointer) []*house {
	t.Helper()
	all := make([]*house, n)
	for i := range all {
		all[i] = open(t, func(p *nodes.Parts, o *nodes.Options) {
			ids := 0
			p.Checkpointer, o.Deadline, o.Shared = store, time.Minute, true
			o.NewID = func() string { ids++; return fmt.Sprint(i, "-", ids) }
		})
	}
	return all
}

// tick lets time pass for all of them.
func tick(all []*house, d time.Duration) {
	for _, h := range all {
		h.now = h.now.Add(d)
	}
}

// longTalk asks, is asked back, leaves questions open and refers to what was said.
var longTalk = []string{
	"今日のイベントは？", "1つ目について詳しく", "カフェは何時まで？", "1", "定休日は？", "カフェは何時まで？",
	"明日のイベントは？", "1つ目の場所は？", "カフェは何時まで？", "2", "来週は？", "ありがとう",
}

// TestTalkOverReplicas has each turn of a talk answered by any of three replicas: the answers are
// those of one that hears all of them.
func TestTalkOverReplicas(t *testing.T) {
	alone := replicas(t, 1, mem.New())
	var want []string
	for _, words := range longTalk {
		tick(alone, time.Second)
		want = append(want, alone[0].say(t, words).Text)
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 0))
		three := replicas(t, 3, mem.New())
		var path []int
		for i, words := range longTalk {
			tick(three, time.Second)
			path = append(path, r.IntN(3))
			answer, err := three[path[i]].Answer(t.Context(), dialog.Turn{Query: words, SessionID: "s"})
			if err != nil || answer.Text != want[i] {
				t.Fatalf("turn %d, %s, over replicas %v = %q, %v, want %q", i, words, path, answer.Text, err, want[i])
			}
		}
	}
}

// TestResumeOverReplicas answers an interrupt by its id, elsewhere, and goes on where it was asked.
func TestResumeOverReplicas(t *testing.T) {
	two := replicas(t, 2, mem.New())
	asked := two[0].say(t, "カフェは何時まで？")
	turn := dialog.Turn{SessionID: "s", Resume: &dialog.Resume{InterruptID: asked.Interrupt.ID, Value: []byte("1")}}
	if _, err := two[1].Answer(t.Context(), turn); err != nil {
		t.Fatalf("resume elsewhere = %v", err)
	}
	if _, err := two[0].Answer(t.Context(), turn); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("the same once more = %v, want ErrNotFound", err)
	}
	two[0].say(t, "今日のイベントは？")
}

// TestSweepElsewhere: a talk that goes on in another process is not idle.
func TestSweepElsewhere(t *testing.T) {
	store := mem.New()
	two := replicas(t, 2, store)
	two[0].say(t, "今日のイベントは？")
	for range 4 {
		tick(two, time.Minute)
		two[1].say(t, "今日のイベントは？")
		if n, err := two[0].Sweep(t.Context()); n != 0 || err != nil {
			t.Errorf("Sweep while the talk goes on elsewhere = %d, %v, want 0", n, err)
		}
	}
	if got := two[1].say(t, "1つ目について詳しく").Text; !strings.Contains(got, "もくもく") {
		t.Errorf("the first of what was listed = %s, want its details", got)
	}
	tick(two, 4*time.Minute+time.Second) // with the time that a turn may take
	for _, h := range two {
		if _, err := h.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if newest, err := store.Newest(t.Context(), "s", ""); newest.ID != 0 || err != nil {
		t.Errorf("Newest after all were idle = %v, %v, want nothing", newest, err)
	}
}

// TestSweepThatFails lets go of the sessions that it could not forget.
func TestSweepThatFails(t *testing.T) {
	store := &lostStore{Checkpointer: mem.New()}
	h := replicas(t, 1, store)
	for i := range 3 {
		turn := dialog.Turn{Query: "今日のイベントは？", SessionID: fmt.Sprint(i)}
		if _, err := h[0].Answer(t.Context(), turn); err != nil {
			t.Fatal(err)
		}
	}
	tick(h, 5*time.Minute)
	store.is = true
	if _, err := h[0].Sweep(t.Context()); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Sweep without the store = %v, want ErrUnavailable", err)
	}
	store.is = false
	for i := range 3 {
		turn := dialog.Turn{Query: "今日のイベントは？", SessionID: fmt.Sprint(i)}
		if _, err := h[0].Answer(t.Context(), turn); err != nil {
			t.Errorf("session %d after that = %v", i, err)
		}
	}
}

// TestBroughtHome: a session that began in one process while nothing could be kept goes on in any,
// once it can be.
func TestBroughtHome(t *testing.T) {
	store := &full{Checkpointer: mem.New(), is: true}
	var two []*house
	for range 2 {
		two = append(two, open(t, func(p *nodes.Parts, o *nodes.Options) {
			p.Checkpointer, p.Spare, o.Deadline = store, mem.New(), time.Minute
		}))
	}
	for range 2 {
		two[0].say(t, "今日のイベントは？")
		tick(two, time.Second)
	}
	store.is = false
	if _, err := two[0].Answer(t.Context(), dialog.Turn{Query: "こんにちは", SessionID: "other"}); err != nil {
		t.Fatal(err)
	}
	for _, h := range []*house{two[1], two[0], two[1]} {
		tick(two, time.Second)
		if got := h.say(t, "1つ目について詳しく").Text; !strings.Contains(got, "もくもく") {
			t.Errorf("the first of what was listed = %s, want its details", got)
		}
	}
}

// lostStore is a store that can be made unreadable.
type lostStore struct {
	graph.Checkpointer

	is bool
}

func (u *lostStore) Newest(ctx context.Context, thread, namespace string) (graph.Mark, error) {
	if u.is {
		return graph.Mark{}, fmt.Errorf("gone: %w", fault.ErrUnavailable)
	}
	return u.Checkpointer.Newest(ctx, thread, namespace)
}

// during does something while a turn of the first replica is under way.
func during(t *testing.T, store graph.Checkpointer, do func(two []*house)) error {
	t.Helper()
	begun, goOn := make(chan struct{}, 1), make(chan struct{})
	two := replicas(t, 2, store)
	two[0] = open(t, func(p *nodes.Parts, o *nodes.Options) {
		inner, first := p.Calendar, true
		p.Checkpointer, o.Deadline, o.SourceDeadline, o.Shared = store, time.Minute, time.Minute, true
		p.Calendar = readerFunc(func(ctx context.Context, window civil.TimeRange) (calendar.Listing, error) {
			if first {
				first = false
				begun <- struct{}{}
				<-goOn
			}
			return inner.Events(ctx, window)
		})
	})
	two[1].say(t, "こんにちは")
	tick(two, time.Second)
	done := make(chan error, 1)
	go func() {
		turn := dialog.Turn{Query: "今日のイベントは？", SessionID: "s"}
		_, err := two[0].Answer(context.WithoutCancel(t.Context()), turn)
		done <- err
	}()
	<-begun
	tick(two[1:], time.Second)
	do(two)
	close(goOn)
	return <-done
}

// TestTwoTurnsAtOnce: of two turns on a session at two replicas each is answered, one on top of the
// other.
func TestTwoTurnsAtOnce(t *testing.T) {
	store := mem.New()
	if err := during(t, store, func(two []*house) { two[1].say(t, "カフェは何時まで？") }); err != nil {
		t.Errorf("a turn that another one overtook = %v, want an answer", err)
	}
	newest, err := store.Newest(t.Context(), "s", "")
	if newest.ID != 3 || err != nil {
		t.Errorf("Newest = %v, %v, want the third", newest, err)
	}
}

// TestSweepDuringATurn: a session is not idle in which a turn that began in time is under way elsewhere.
func TestSweepDuringATurn(t *testing.T) {
	store := mem.New()
	err := during(t, store, func(two []*house) {
		tick(two[1:], 3*time.Minute)
		if n, err := two[1].Sweep(t.Context()); n != 0 || err != nil {
			t.Errorf("Sweep = %d, %v, want 0", n, err)
		}
	})
	if newest, lost := store.Newest(t.Context(), "s", ""); err != nil || lost != nil || newest.ID != 2 {
		t.Errorf("the turn = %v, and Newest %v, %v, want the second", err, newest, lost)
	}
}

// TestEndedElsewhere: a turn whose session is ended at another replica leaves nothing of it.
func TestEndedElsewhere(t *testing.T) {
	store := mem.New()
	err := during(t, store, func(two []*house) {
		if err := two[1].EndSession(t.Context(), dialog.Session{ID: "s"}); err != nil {
			t.Fatal(err)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the turn = %v, want Canceled", err)
	}
	if newest, err := store.Newest(t.Context(), "s", ""); newest.ID != 0 || err != nil {
		t.Errorf("Newest = %v, %v, want nothing", newest, err)
	}
}

// TestBegunAnewElsewhere: a session that was ended and begun anew at another replica, with as many
// turns, is not taken for the one before.
func TestBegunAnewElsewhere(t *testing.T) {
	two := replicas(t, 2, mem.New())
	two[0].say(t, "今日のイベントは？")
	tick(two, time.Second)
	if err := two[1].EndSession(t.Context(), dialog.Session{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	two[1].say(t, "こんにちは")
	if got := two[0].say(t, "1つ目について詳しく").Text; strings.Contains(got, "もくもく") {
		t.Errorf("the first of nothing = %s", got)
	}
}

// studies are replicas for an owner whose calendar they share.
func studies(t *testing.T, n int) []*study {
	t.Helper()
	store := mem.New()
	all := make([]*study, n)
	for i := range all {
		all[i] = openStudy(t, ownEntries, func(p *nodes.Parts, o *nodes.Options) {
			var mu sync.Mutex
			ids := 0
			o.NewID = func() string { mu.Lock(); defer mu.Unlock(); ids++; return fmt.Sprint(i, "-", ids) }
			p.Checkpointer = store
			if i > 0 {
				p.Agenda = newAgenda(t, all[0].own, nil, p.Venue.Location, o.Now)
			}
		})
		all[i].own = all[0].own
	}
	return all
}

// TestPlanOverReplicas: a plan made at one replica, changed at another and agreed to at a third is
// written once, whoever hears the yes again.
func TestPlanOverReplicas(t *testing.T) {
	three := studies(t, 3)
	three[0].owner(t, "s", "明日の15時に会議を入れて")
	three[1].owner(t, "s", "いや、16時")
	if got := three[2].owner(t, "s", "はい").Text; !strings.Contains(got, "登録しました") {
		t.Errorf("a yes elsewhere = %s, want it written", got)
	}
	for _, s := range three {
		if got := s.owner(t, "s", "はい").Text; !strings.Contains(got, "もう登録してあります") {
			t.Errorf("the yes again = %s, want it there already", got)
		}
	}
	if got := three[0].shelf(t); got != "2025-01-16 16:00 - 17:00 | 会議" || three[0].own.writes != 1 {
		t.Errorf("the calendar has %q by %d writes, want it once", got, three[0].own.writes)
	}
}

// TestYesEverywhereAtOnce says yes at each replica at the same time.
func TestYesEverywhereAtOnce(t *testing.T) {
	for range 2 {
		three := studies(t, 3)
		three[0].owner(t, "s", "明日の15時に会議を入れて")
		var all sync.WaitGroup
		var mu sync.Mutex
		written := 0
		for _, s := range three {
			all.Go(func() {
				r, err := s.Answer(t.Context(), dialog.Turn{Query: "はい", SessionID: "s", Owner: true})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil && strings.Contains(r.Text, "登録し"):
					written++
				case err != nil && !errors.Is(err, fault.ErrConflict):
					t.Errorf("a yes of three = %v, want it written or a conflict", err)
				}
			})
		}
		all.Wait()
		if got := three[0].shelf(t); got != "2025-01-16 15:00 - 16:00 | 会議" || written == 0 {
			t.Errorf("the calendar has %q, %d were told so", got, written)
		}
	}
}
