package nodes_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"annai/llm"
	"annai/nodes"
)

// TestCancelStopsTheModel: a run that is broken off, or whose session ends, stops the model at once, and nothing more is spoken.
func TestCancelStopsTheModel(t *testing.T) {
	models := map[string][]llm.Step{
		"hangs":   {{Wait: time.Hour}},
		"streams": llm.Slow(100*time.Millisecond, 300*time.Millisecond, llm.Say("Wi-Fiは館内のどこでも無料で", "お使いいただけます。", "名前とパスワードは、", "受付カードの裏にあります。")),
	}
	ends := map[string]func(c *nodes.Concierge, cancel context.CancelFunc) error{
		"the run is cancelled": func(_ *nodes.Concierge, cancel context.CancelFunc) error { cancel(); return nil },
		"the session ends": func(c *nodes.Concierge, _ context.CancelFunc) error {
			return c.EndSession(context.Background(), "kiosk", false)
		},
	}
	for model, steps := range models {
		for how, end := range ends {
			t.Run(model+", "+how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { cancelled(t, steps, end) })
			})
		}
	}
}

// cancelled ends a turn half a second after it began: the model that streams is in its second sentence by then.
func cancelled(t *testing.T, steps []llm.Step, end func(*nodes.Concierge, context.CancelFunc) error) {
	t.Helper()
	const after = 500 * time.Millisecond
	c := desk(t, says(steps))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	ended := make(chan error, 1)
	go func() {
		time.Sleep(after)
		ended <- end(c, cancel)
	}()
	var last error
	for event, err := range c.Ask(ctx, nodes.Turn{Query: wifi, SessionID: "kiosk"}) {
		last = err
		if err != nil {
			continue
		}
		switch e := event.(type) {
		case nodes.Final:
			t.Errorf("a cancelled turn was answered: %q", e.Text)
		case nodes.Sentence:
			if time.Since(began) >= after {
				t.Errorf("%q was spoken after the turn was cancelled", e.Text)
			}
		case nodes.Started, nodes.Progress, nodes.Cards, nodes.Suggestions, nodes.Confirm:
		}
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("Ask = %v last, want Canceled", last)
	}
	if took := time.Since(began); took != after {
		t.Errorf("the turn ended after %s, want %s: at once", took, after)
	}
	if err := <-ended; err != nil {
		t.Errorf("end = %v", err)
	}
}
