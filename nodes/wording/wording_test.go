package wording_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/grounding"
	"annai/llm"
	"annai/nlu"
	"annai/nodes/wording"
)

// TestStreamCutsSentences: an answer by the schema gives each sentence once it is complete,
// whatever its pieces; plain text cites nothing.
func TestStreamCutsSentences(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []wording.Sentence
	}{
		"by the schema": {
			`{"conclusion":"yes","sentences":[{"text":"はい、\"無料\"です。","from":["e1"]},{"text":"{名前}は裏にあります。","from":["e1","e2"]}]}`,
			[]wording.Sentence{{Text: `はい、"無料"です。`, From: []string{"e1"}}, {Text: "{名前}は裏にあります。", From: []string{"e1", "e2"}}},
		},
		"in a fence":   {"```json\n{\"conclusion\":\"value\",\"sentences\":[{\"text\":\"It is free.\",\"from\":[]}]}\n```", []wording.Sentence{{Text: "It is free.", From: []string{}}}},
		"plain":        {"無料です。裏にあります。", []wording.Sentence{{Text: "無料です。"}, {Text: "裏にあります。"}}},
		"broken off":   {`{"conclusion":"yes","sentences":[{"text":"無料です。","from":["e1"]},{"text":"裏に`, []wording.Sentence{{Text: "無料です。", From: []string{"e1"}}}},
		"thinking":     {"<think>hm</think>無料です。", []wording.Sentence{{Text: "無料です。"}}},
		"another kind": {`{"name":"delete_event"}`, []wording.Sentence{{Text: `{"name":"delete_event"}`}}},
	} {
		for size := 1; size < 8; size++ {
			var s wording.Stream
			var got []wording.Sentence
			for piece := range slices.Chunk([]rune(c.text), size) {
				got = append(got, s.Write(string(piece))...)
			}
			got = append(got, s.Close()...)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s in pieces of %d (-want +got):\n%s", name, size, diff)
			}
		}
	}
}

// TestStreamsEarly: a sentence is there before the next one is written.
func TestStreamsEarly(t *testing.T) {
	var s wording.Stream
	if got := s.Write(`{"conclusion":"yes","sentences":[{"text":"無料です。","from":["e1"]},{"te`); len(got) != 1 {
		t.Errorf("Write = %v, want the first sentence", got)
	}
}

func evidence() *wording.Evidence {
	return &wording.Evidence{
		Question: "会議室1はいくらですか？", Said: "えっと、会議室1は、800円ですよね？",
		Items: []grounding.Item{
			{ID: "r1", Kind: grounding.Passage, Title: "会議室1", Text: "会議室1は12席で、1時間800円です。", Lang: "ja"},
			{ID: "r2", Kind: grounding.Passage, Title: "会議室2", Text: "会議室2は8席で、1時間500円です。", Lang: "ja"},
		},
		Lines: []wording.Line{{Item: "r1", Text: "会議室1は12席で、1時間800円です。"}},
	}
}

func hear(t *testing.T, sentences ...wording.Sentence) *wording.Answer {
	t.Helper()
	e := evidence()
	now := time.Date(2026, 6, 10, 10, 30, 0, 0, time.UTC)
	checker := grounding.New(grounding.Evidence{Items: e.Items, Now: now}).Asked(e.Question, "2時間だといくら？")
	a := wording.New(e, "script", wording.Options{Language: nlu.Japanese, Checker: checker})
	a.HearAll(sentences)
	a.Finish(false)
	return a
}

// TestCitesDecide: a price is held against the room that the sentence cites; what fails is said as
// the template says it.
func TestCitesDecide(t *testing.T) {
	for _, c := range []struct {
		text, from, want string
	}{
		{"会議室1は1時間800円です。", "e1", "会議室1は1時間800円です。"},
		{"いえ、もっと安くて800円ですよ。", "e1", "いえ、もっと安くて800円ですよ。"},
		{"2時間なら1,600円です。", "e1", "2時間なら1,600円です。"},
		{"会議室1のほうが300円高いです。", "e1 e2", ""},
		{"会議室1は800円で、会議室2は500円なので、300円の差です。", "e1 e2", "会議室1は800円で、会議室2は500円なので、300円の差です。"},
		{"会議室1は1時間500円です。", "e1", "会議室1は12席で、1時間800円です。"},
		{"会議室1は1時間500円です。", "", "会議室1は12席で、1時間800円です。"},
		{"会議室1は1時間900円です。", "e1", "会議室1は12席で、1時間800円です。"},
	} {
		got := strings.Join(hear(t, wording.Sentence{Text: c.text, From: strings.Fields(c.from)}).Told(), "")
		if c.want != "" && got != c.want || c.want == "" && got == c.text {
			t.Errorf("%q from %q was said as %q, want %q", c.text, c.from, got, c.want)
		}
	}
}

// TestYesStands: an answer may open with yes, where the sentence cites what it is from.
func TestYesStands(t *testing.T) {
	a := hear(t, wording.Sentence{Text: "はい、大丈夫です。", From: []string{"e1"}}, wording.Sentence{Text: "会議室1は12席です。", From: []string{"e1"}})
	if diff := cmp.Diff([]string{"はい、大丈夫です。", "会議室1は12席です。"}, a.Told()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if a := hear(t, wording.Sentence{Text: "はい、大丈夫です。"}); len(a.Told()) > 0 {
		t.Errorf("a yes that cites nothing was said: %q", a.Told())
	}
}

// TestEchoIsNoAnswer: what the visitor said, said again, is no answer.
func TestEchoIsNoAnswer(t *testing.T) {
	if a := hear(t, wording.Sentence{Text: "会議室1は800円ですよね。", From: []string{"e1"}}); len(a.Told()) > 0 {
		t.Errorf("the visitor's own words were said: %q", a.Told())
	}
	if a := hear(t, wording.Sentence{Text: "はい、会議室1は800円です。", From: []string{"e1"}}); len(a.Told()) != 1 {
		t.Errorf("told %q, want the answer", a.Told())
	}
}

// TestListenEnds: a model that fails or does not stop leaves what was kept.
func TestListenEnds(t *testing.T) {
	e := evidence()
	checker := grounding.New(grounding.Evidence{Items: e.Items})
	for name, c := range map[string]struct {
		steps   []llm.Step
		failure string
	}{
		"ends":       {llm.Say("会議室1は800円です。"), ""},
		"fails":      {llm.Fail(llm.Unavailable), string(llm.Unavailable)},
		"breaks off": {llm.Cut("会議室1は800円です。会議"), string(llm.CutOff)},
		"nonsense":   {llm.Say("1円です。2円です。3円です。4円です。5円です。"), wording.FellForNonsense},
	} {
		a := wording.New(e, "script", wording.Options{Language: nlu.Japanese, Checker: checker})
		failure, err := a.Listen(t.Context(), &llm.Script{Answer: func(int, llm.Request) []llm.Step { return c.steps }}, llm.Request{
			Messages: []llm.Message{{Role: llm.User, Text: "x"}},
		})
		if failure != c.failure || (err != nil) != (name == "fails" || name == "breaks off") {
			t.Errorf("%s: Listen = %q, %v, want %q", name, failure, err, c.failure)
		}
	}
}
