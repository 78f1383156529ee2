package wording_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"annai/llm"
	"annai/nlu"
	"annai/nodes/talk"
	"annai/nodes/wording"
)

// fixed is a reader that always reads the same, as sure as it is.
type fixed float64

func (f fixed) Read(string, talk.Context) nlu.Reading {
	return nlu.Reading{Act: nlu.ActAsks, Ask: nlu.AskWhen, Confidence: float64(f)}
}

var june = time.Date(2026, 6, 10, 10, 30, 0, 0, time.FixedZone("JST", 9*60*60))

// utterance asks for the price of what was just spoken of, on a day that was said before.
func utterance() wording.Utterance {
	return wording.Utterance{
		Text: "それいくら？", Now: june, Language: nlu.Japanese, Asked: "6月18日に何がありますか？",
		Talk: talk.Context{Said: "6月18日なにかある？", Subject: "もくもく会", InView: []string{"もくもく会", "定例会"}},
	}
}

// valid is a valid reading of it.
const valid = `{"act":"asks","ask":"how_much","second":"","about":"subject","ref":"last","when":"kept","negated":false,"subject":"もくもく会",` +
	`"full":"6月18日のもくもく会の参加費はいくらですか？"}`

// TestReaderTakesWhatIsValid: a reading is taken where its words are of the closed sets, it points
// into the talk and names no time that nobody said; else the other reader reads.
func TestReaderTakesWhatIsValid(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		taken  bool
	}{
		"valid":                    {valid, true},
		"an unknown act":           {strings.Replace(valid, `"asks"`, `"begs"`, 1), false},
		"an order":                 {strings.Replace(valid, `"asks"`, `"orders"`, 1), false},
		"an unknown ask":           {strings.Replace(valid, "how_much", "price", 1), false},
		"a pointer to nothing":     {strings.Replace(valid, `"subject":"もくもく会"`, `"subject":"LT会"`, 1), false},
		"an item that was listed":  {strings.Replace(strings.Replace(valid, `"last"`, `"item"`, 1), `"subject":"もくもく会"`, `"subject":"定例会"`, 1), true},
		"a day that nobody said":   {strings.Replace(valid, "6月18日の", "6月19日の", 1), false},
		"no sentence":              {strings.Replace(valid, "6月18日のもくもく会の参加費はいくらですか？", "", 1), false},
		"a sentence with a mark":   {strings.Replace(valid, "6月18日の", "<b>", 1), false},
		"a sentence in English":    {strings.Replace(valid, "6月18日のもくもく会の参加費はいくらですか？", "How much is it?", 1), false},
		"words":                    {"六月です。", false},
		"a field more":             {strings.Replace(valid, `"act"`, `"tool":"x","act"`, 1), false},
		"a sentence without a day": {strings.Replace(valid, "6月18日の", "", 1), true},
	} {
		m := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return llm.Say(c.answer) }}
		got := wording.NewReader(m, fixed(0.5), wording.ReaderOptions{}).ReadTurn(t.Context(), utterance())
		if taken := got.Ask == nlu.AskHowMuch && got.Full != ""; taken != c.taken || !c.taken && got.Ask != nlu.AskWhen {
			t.Errorf("%s: ReadTurn = %+v, want it taken: %v", name, got, c.taken)
		}
	}
}

// TestReaderIsSure: a model that finds nothing asked is believed only where the other reader is not
// sure of a question.
func TestReaderIsSure(t *testing.T) {
	nothing := strings.Replace(valid, `"how_much"`, `"none"`, 1)
	m := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return llm.Say(nothing) }}
	for sure, want := range map[fixed]nlu.Ask{0.5: nlu.AskNone, 0.9: nlu.AskWhen} {
		got := wording.NewReader(m, sure, wording.ReaderOptions{}).ReadTurn(t.Context(), utterance())
		if got.Ask != want {
			t.Errorf("beside a reader that is sure by %.1f: Ask = %s, want %s", sure, got.Ask, want)
		}
	}
}

// TestReaderIsLate: late or down, the other reader reads, after a time that is bounded; once nobody
// waits, at once.
func TestReaderIsLate(t *testing.T) {
	for name, c := range map[string]struct {
		steps []llm.Step
		took  time.Duration
	}{
		"late": {[]llm.Step{{Wait: time.Hour}}, 2 * time.Second},
		"slow": {llm.Slow(time.Second, time.Hour, llm.Say(valid[:20], valid[20:])), 2 * time.Second},
		"down": {llm.Fail(llm.Unavailable), 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			m := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return c.steps }}
			got := wording.NewReader(m, fixed(0.5), wording.ReaderOptions{Deadline: 2 * time.Second}).ReadTurn(t.Context(), utterance())
			if took := time.Since(began); took != c.took || got.Ask != nlu.AskWhen {
				t.Errorf("%s: ReadTurn = %+v after %s, want the other reader's after %s", name, got, took, c.took)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }()
		began := time.Now()
		m := &llm.Script{Answer: func(int, llm.Request) []llm.Step { return []llm.Step{{Wait: time.Hour}} }}
		wording.NewReader(m, nil, wording.ReaderOptions{Deadline: time.Minute}).ReadTurn(ctx, utterance())
		if took := time.Since(began); took != time.Second || !errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("a cancelled reading took %s, want 1s", took)
		}
	})
}
