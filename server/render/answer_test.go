package render

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/server/door"
	"annai/server/gate"
)

// slow says its sentences, after a while each.
type slow struct {
	gate.Concierge

	started, each time.Duration
	said          []string
}

func (s slow) Ask(ctx context.Context, _ dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) {
		wait := func(d time.Duration) bool {
			select {
			case <-time.After(d):
				return true
			case <-ctx.Done():
				yield(nil, context.Cause(ctx))
				return false
			}
		}
		if !wait(s.started) || !yield(dialog.Started{RunStarted: api.RunStarted{Language: "en"}}, nil) {
			return
		}
		for i, text := range s.said {
			said := dialog.Sentence{SpokenSentence: api.SpokenSentence{Index: i, Text: text, Emotion: "happy"}}
			if !wait(s.each) || !yield(said, nil) {
				return
			}
		}
		yield(dialog.Final{QueryResponse: api.QueryResponse{Language: "en"}}, nil)
	}
}

// spoken keeps what is said.
type spoken struct {
	Silent

	mu   sync.Mutex
	said []string
}

func (s *spoken) Piece(p Piece) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, strings.TrimSpace(p.String()))
	return nil
}

// TestFiller tells who waits for the first sentence that it takes a moment, once, in the language
// of the answer.
func TestFiller(t *testing.T) {
	for name, test := range map[string]struct {
		concierge slow
		want      []string
	}{
		"soon": {slow{each: time.Second, said: []string{"One.", "Two."}}, []string{"[happy]One.", "[happy]Two."}},
		"late": {slow{each: 5 * time.Second, said: []string{"One.", "Two."}}, []string{
			"[neutral]One moment, please.", "[happy]One.", "[happy]Two.",
		}},
		"begun late": {slow{started: 5 * time.Second, said: []string{"One."}}, []string{"[happy]One."}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var heard spoken
				turn := dialog.Turn{Query: "開館時間は？", SessionID: "s"}
				if _, err := NewAnswerer(test.concierge).Answer(t.Context(), turn, Spoken(), &heard); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, heard.said); diff != "" {
					t.Errorf("spoken (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestFillerIsCounted gives every sentence of a stream a number of its own.
func TestFillerIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int
		concierge := slow{each: 2 * time.Second, said: []string{"One.", "Two."}}
		for event, err := range Ask(t.Context(), concierge, dialog.Turn{}) {
			if said, ok := event.(dialog.Sentence); ok && err == nil {
				if said.Filler != (len(got) == 0) {
					t.Errorf("%q: filler %t", said.Text, said.Filler)
				}
				got = append(got, said.Index)
			}
		}
		if diff := cmp.Diff([]int{0, 1, 2}, got); diff != "" {
			t.Errorf("numbers (-want +got):\n%s", diff)
		}
	})
}

// TestBargeIn silences an answer when its visitor speaks again, and not an owner's, which may be
// writing.
func TestBargeIn(t *testing.T) {
	for owner, want := range map[bool][]string{false: {"[happy]One."}, true: {"[happy]One.", "[happy]Two."}} {
		synctest.Test(t, func(t *testing.T) {
			a := NewAnswerer(slow{each: time.Second, said: []string{"One.", "Two."}})
			turn := dialog.Turn{SessionID: "s", Owner: owner}
			var first, second, other spoken
			var firstErr error
			var asking sync.WaitGroup
			asking.Go(func() { _, firstErr = a.Answer(t.Context(), turn, Spoken(), &first) })
			asking.Go(func() { _, _ = a.Answer(t.Context(), dialog.Turn{SessionID: "t"}, Spoken(), &other) })
			time.Sleep(1500 * time.Millisecond)
			if _, err := a.Answer(t.Context(), turn, Spoken(), &second); err != nil {
				t.Errorf("the second turn: %v", err)
			}
			asking.Wait()
			if diff := cmp.Diff(want, first.said); diff != "" || !owner && !errors.Is(firstErr, door.ErrCancelled) {
				t.Errorf("owner %t: spoken of the first answer, %v (-want +got):\n%s", owner, firstErr, diff)
			}
			if len(second.said) < 2 || len(other.said) != 2 {
				t.Errorf("spoken of the second %q, of another session %q, want both whole", second.said, other.said)
			}
			said, err := Apologize(door.Explain(firstErr, ""), Spoken(), &first)
			if !owner && (said != "" || err != nil) {
				t.Errorf("after the silence %q is said, %v", said, err)
			}
		})
	}
}
