package runs_test

import (
	"testing"
	"time"

	"annai/runs"
)

// TestFigures: what waits counts as late from when it was due, a run that somebody left is a
// take-over, and what a sweep forgets is counted.
func TestFigures(t *testing.T) {
	bubble(t, func(w *world) {
		p := w.process(runs.Options{GraphTTL: map[string]time.Duration{"probe": time.Minute}})
		thread, later := p.thread(), request(`{"mode":"echo"}`)
		later.AfterSeconds = 60
		p.create(thread, later)
		f := must(p.Figures(p.Context()))
		p.want("pending, running and oldest", [3]any{f.Pending, f.Running, f.Oldest}, [3]any{1, 0, time.Duration(0)})
		p.stop() // nobody executes it any more
		time.Sleep(90 * time.Second)
		f = must(p.Figures(p.Context()))
		p.want("oldest once it was due for half a minute", f.Oldest, 30*time.Second)
		other := w.process(runs.Options{GraphTTL: map[string]time.Duration{"probe": time.Minute}})
		time.Sleep(5 * time.Minute)
		f = must(other.Figures(p.Context()))
		if f.Pending != 0 || f.Claimed != 1 || f.Takeovers != 0 || f.Forgotten != 1 || f.Sweeps == 0 ||
			f.FailedSweeps != 0 {
			p.Errorf("Figures = %+v, want a run that was begun and a thread that was forgotten", f)
		}
	})
}
