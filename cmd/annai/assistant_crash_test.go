package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/fault"
	"annai/graph"
	"annai/internal/config"
	"annai/runs"
	"annai/server/gate"
	"annai/storage/mem"
)

// A losing store ends a process: after so many writes all fail, until left is negative.
type losing struct {
	graph.Checkpointer

	left int
}

func (l *losing) lost() error {
	if l.left == 0 {
		return fmt.Errorf("the process is gone: %w", fault.ErrUnavailable)
	}
	l.left--
	return nil
}

func (l *losing) Put(ctx context.Context, thread string, r graph.Record) error {
	if err := l.lost(); err != nil {
		return err
	}
	return l.Checkpointer.Put(ctx, thread, r)
}

func (l *losing) PutWrites(ctx context.Context, thread string, w graph.TaskWrites) error {
	if err := l.lost(); err != nil {
		return err
	}
	return l.Checkpointer.PutWrites(ctx, thread, w)
}

// An ownerTalk is one of an owner's on a thread, in processes that may end.
type ownerTalk struct {
	*testing.T

	concierge *assembly
	store     *losing
	process   *assistant
	runs      int
}

// anew begins another process.
func (o *ownerTalk) anew() {
	o.Helper()
	var err error
	o.store.left = -1
	turns := gate.New(o.concierge.concierge, gate.Options{})
	o.process, err = newAssistant(o.concierge, o.store, turns, func(api.QueryResponse, error) {}, discard)
	if err != nil {
		o.Fatal(err)
	}
}

// say says something in a run, perhaps in one that was begun before, and returns what the concierge said.
func (o *ownerTalk) say(words string, again bool) (said []string, err error) {
	o.Helper()
	if !again {
		o.runs++
	}
	in := runs.Input{ThreadID: "t", RunID: fmt.Sprint("run", o.runs), Again: again}
	in.Kwargs.Owner, in.Kwargs.OwnerName = true, "hanako"
	in.Kwargs.Input, _ = json.Marshal(map[string]any{"messages": words}) // texts always can be written
	outcome, err := o.process.Run(o.Context(), in, runs.Want{}, func(runs.Event) {})
	var state struct {
		Messages []struct{ Type, Content string }
	}
	if err := json.Unmarshal(outcome.Values, &state); err != nil {
		o.Fatal(err)
	}
	for _, m := range state.Messages {
		if m.Type == "ai" {
			said = append(said, m.Content)
		}
	}
	return said, err
}

// TestAssistantCutOff ends the process of a yes at each of its writes. What was agreed to is written once, and said,
// whether the run is begun again or the owner says something else next.
func TestAssistantCutOff(t *testing.T) {
	venue := filepath.Join(t.TempDir(), "venue.yaml")
	if err := os.WriteFile(venue, []byte(ownersVenue), 0o600); err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339, thursday)
	if err != nil {
		t.Fatal(err)
	}
	none := config.Model{Provider: "none"}
	a, err := assemble(t.Context(), config.Config{
		Venue: venue, Now: at, Model: none, FallbackModel: none,
		Deadline: time.Minute, SourceDeadline: time.Minute, SessionIdle: time.Hour,
	}, wants{owner: true}, discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.close(); err != nil {
			t.Error(err)
		}
	}()
	for n, cut := 0, true; cut; n++ {
		for _, again := range []bool{true, false} {
			cut = cutOff(t, a, n, again)
		}
		if n > 20 {
			t.Fatal("a yes has more than 20 writes")
		}
	}
}

// cutOff ends the process of a yes at its n-th write, and reports whether it has one.
func cutOff(t *testing.T, a *assembly, n int, again bool) bool {
	o := &ownerTalk{T: t, concierge: a, store: &losing{mem.New(), -1}}
	o.anew()
	title := fmt.Sprintf("Meeting%d%t", n, again)
	asked, err := o.say("Add a meeting called "+title+" on November 20 at 14:00", false)
	if err != nil || len(asked) != 1 || !strings.Contains(asked[0], title) {
		t.Fatalf("asked %q, %v, want a yes for %s", asked, err, title)
	}
	o.store.left = n
	_, err = o.say("yes", false)
	cut := err != nil
	o.anew()
	if cut && again {
		if _, err := o.say("yes", true); err != nil {
			t.Errorf("cut at write %d, begun again = %v", n, err)
		}
	}
	said, err := o.say("What do I have on November 20?", false)
	if err != nil {
		t.Fatalf("cut at write %d, begun again %t, then = %v", n, again, err)
	}
	times := strings.Count(said[len(said)-1], title)
	told := strings.Count(strings.Join(said, "\n"), "I've added “"+title)
	if n == 0 && !again { // nobody knows of the yes
		if times != 0 || told != 0 || !strings.Contains(said[len(said)-1], "nothing was added") {
			t.Errorf("a yes that was lost: %q, want nothing written, and said so", said)
		}
		return cut
	}
	if times != 1 || told != 1 {
		const want = "cut at write %d, begun again %t: there %d times, told %d times, want once: %q"
		t.Errorf(want, n, again, times, told, said)
	}
	return cut
}
