package nodes_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"annai/dialog"
	"annai/llm"
	"annai/nodes"
	"annai/tools/calendar"
)

// TestCancelStopsTheModel: a run that is broken off, or whose session ends, stops the model at once,
// and nothing more is spoken.
func TestCancelStopsTheModel(t *testing.T) {
	models := map[string][]llm.Step{
		reads:     {{Wait: time.Hour}},
		"hangs":   {{Wait: time.Hour}},
		"streams": llm.Slow(100*time.Millisecond, 300*time.Millisecond, llm.Say("Wi-Fiは館内のどこでも無料で", "お使いいただけます。", "名前とパスワードは、", "受付カードの裏にあります。")),
	}
	ends := map[string]func(c *nodes.Concierge, cancel context.CancelFunc) error{
		"the run is cancelled": func(_ *nodes.Concierge, cancel context.CancelFunc) error { cancel(); return nil },
		"the session ends": func(c *nodes.Concierge, _ context.CancelFunc) error {
			return c.EndSession(context.Background(), dialog.Session{ID: "kiosk"})
		},
	}
	for model, steps := range models {
		for how, end := range ends {
			t.Run(model+", "+how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m, once := says(steps), answered
					if model == reads {
						m = &llm.Script{Answer: func(int, llm.Request) []llm.Step { return steps }}
						once = func(m *llm.Script) int { return len(m.Asked()) }
					}
					cancelled(t, desk(t, m), wifi, end)
					if n := once(m); n != 1 {
						t.Errorf("the model was asked %d times, want once", n)
					}
				})
			})
		}
	}
}

const reads = "hangs while it reads"

// cancelled ends a turn half a second after it began: the model that streams is in its second
// sentence by then.
func cancelled(t *testing.T, c *nodes.Concierge, query string, end func(*nodes.Concierge, context.CancelFunc) error) {
	t.Helper()
	const after = 500 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	ended := make(chan error, 1)
	go func() {
		time.Sleep(after)
		ended <- end(c, cancel)
	}()
	var last error
	for event, err := range c.Ask(ctx, dialog.Turn{Query: query, SessionID: "kiosk"}) {
		last = err
		if err != nil {
			continue
		}
		switch e := event.(type) {
		case dialog.Final:
			t.Errorf("a cancelled turn was answered: %q", e.Text)
		case dialog.Sentence:
			if time.Since(began) >= after {
				t.Errorf("%q was spoken after the turn was cancelled", e.Text)
			}
		case dialog.Started, dialog.Progress, dialog.Cards, dialog.Suggestions, dialog.Confirm:
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

// TestModelHearsWhen: the day and the time of a question, and the days that it is about, stand in
// what a model is asked.
func TestModelHearsWhen(t *testing.T) {
	for query, want := range map[string]string{
		"今週末のイベントは？": "今は2025年1月13日(月) 10:00です。 質問の期間は2025年1月18日(土)から2025年1月19日(日)です。",
		"What's on this weekend?": "It is Mon, Jan 13, 2025, 10:00 now. " +
			"The question is about Sat, Jan 18, 2025 to Sun, Jan 19, 2025.",
		"土曜日もWi-Fiは使えますか？":         "質問の期間は2025年1月18日(土)です。",
		"Is there Wi-Fi tomorrow?": "The question is about Tue, Jan 14, 2025.",
	} {
		m := says(llm.Say("…"))
		saturday := time.Date(2025, 1, 18, 14, 0, 0, 0, time.FixedZone("JST", 9*60*60))
		event := calendar.Event{ID: "x", Title: "将棋の会", Start: saturday, End: saturday.Add(time.Hour)}
		answer(t, desk(t, m, event), query)
		asked := m.Asked()
		if len(asked) == 0 {
			t.Errorf("%s: no model was asked", query)
			continue
		}
		if prompt := asked[len(asked)-1].Messages[1].Text; !strings.Contains(prompt, want) {
			t.Errorf("%s: the model was told\n%s\nwant %q in it", query, prompt, want)
		}
	}
}
