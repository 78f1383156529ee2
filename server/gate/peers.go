package gate

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"annai/dialog"
)

// Peers are the processes that serve the same sessions.
type Peers interface {
	// Tell says something to all of them, this one included.
	Tell(ctx context.Context, words string) error
	// Hear calls heard for all that is told, one after the other, until ctx ends. What is told while
	// the way to them is lost is not heard.
	Hear(ctx context.Context, heard func(words string))
}

// A word is what gates tell each other, as JSON.
type word struct {
	// From is the gate that says it.
	From string `json:"from"`
	// End is a session that was ended. Cancel is a run of Caller that is to be cancelled, Cancelled
	// one that was.
	End       *dialog.Session `json:"end,omitempty"`
	Cancel    string          `json:"cancel,omitempty"`
	Caller    string          `json:"caller,omitempty"`
	Cancelled string          `json:"cancelled,omitempty"`
	// Taken is how often visitors asked at the gate's server since it said so last, see [Resident.Taken].
	Taken map[string]int `json:"taken,omitempty"`
	// Seek is a question that one of the others may be able to answer, Found the answer to one.
	Seek  string   `json:"seek,omitempty"`
	Found *finding `json:"found,omitempty"`
}

// peers are those of a gate, which has a name among them. Without Peers there are none.
type peers struct {
	Peers

	name string

	mu sync.Mutex
	// asked are closed when another process says that it cancelled the run of that id.
	asked map[string]chan struct{}
	// sought has who waits for the answer to a question.
	sought map[string][]chan string
}

func (p *peers) tell(ctx context.Context, w word) error {
	if p.Peers == nil {
		return nil
	}
	w.From = p.name
	words, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return p.Tell(ctx, string(words))
}

// answerIn is how long another process has to say that it cancelled a run.
const answerIn = time.Second

// cancel asks the others to cancel a run, and reports whether one did.
func (p *peers) cancel(ctx context.Context, run, caller string) (bool, error) {
	if p.Peers == nil {
		return false, nil
	}
	done, forget := p.ask(run)
	defer forget()
	if err := p.tell(ctx, word{Cancel: run, Caller: caller}); err != nil {
		return false, err
	}
	late := time.NewTimer(answerIn)
	defer late.Stop()
	select {
	case <-done:
		return true, nil
	case <-late.C:
		return false, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// ask returns what is closed when another process says that it cancelled the run.
func (p *peers) ask(run string) (done <-chan struct{}, forget func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked[run]
	if asked == nil {
		asked = make(chan struct{})
		p.asked[run] = asked
	}
	return asked, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.asked[run] == asked {
			delete(p.asked, run)
		}
	}
}

// answered wakes those who asked for the run to be cancelled.
func (p *peers) answered(run string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if asked := p.asked[run]; asked != nil {
		close(asked)
		delete(p.asked, run)
	}
}

// Listen does what other processes ask for, until ctx ends: it cancels runs, ends those on
// sessions that were ended elsewhere, and answers what is known here. Without
// [Options].Peers it returns at once.
func (g *Gate) Listen(ctx context.Context) {
	if g.peers.Peers == nil {
		return
	}
	var ending sync.WaitGroup
	defer ending.Wait()
	g.peers.Hear(ctx, func(words string) {
		var w word
		if json.Unmarshal([]byte(words), &w) != nil || w.From == g.peers.name {
			return
		}
		if w.End != nil && g.resident.Ended != nil {
			g.resident.Ended(*w.End)
		}
		if w.Taken != nil && g.resident.Taken != nil {
			g.resident.Taken(w.Taken)
		}
		switch {
		case w.End != nil && g.runs.on(*w.End):
			ending.Go(func() { g.endHere(ctx, *w.End) })
		case w.Cancel != "" && g.runs.cancel(w.Cancel, w.Caller):
			ending.Go(func() { g.told(ctx, word{Cancelled: w.Cancel}) })
		case w.Cancelled != "":
			g.peers.answered(w.Cancelled)
		case w.Seek != "":
			if f, ok := g.known(w.Seek); ok {
				ending.Go(func() { g.told(ctx, word{Found: &f}) })
			}
		case w.Found != nil:
			g.peers.found(*w.Found)
		}
	})
}

// told answers another process. If that fails it hears nothing, as if this one were gone.
func (g *Gate) told(ctx context.Context, w word) { _ = g.peers.tell(ctx, w) }

// endHere ends a run on a session that was ended in another process, and forgets what it left. If
// that can't be forgotten now, it is once the session was idle.
func (g *Gate) endHere(ctx context.Context, s dialog.Session) {
	_ = g.concierge.EndSession(ctx, s)
}
