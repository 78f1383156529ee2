package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/dialog"
	"annai/internal/peer"
	"annai/nodes"
	"annai/server"
	"annai/server/door"
	calendarmem "annai/tools/calendar/mem"
)

// patient is the concierge, but for two words: it waits until it is cancelled, after a first sentence, and it breaks.
type patient struct {
	*nodes.Concierge
	cancelled chan struct{}
}

func (p patient) Ask(ctx context.Context, turn dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) {
		switch turn.Query {
		case "wait":
			yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Text: "はい。", Emotion: "relaxed"}}, nil)
			<-ctx.Done()
			p.cancelled <- struct{}{}
			yield(nil, ctx.Err())
		case "break":
			yield(nil, errBroken)
		default:
			p.Concierge.Ask(ctx, turn)(yield)
		}
	}
}

// TestJudges lets OpenAI's own clients, from npm and from PyPI in the versions of testdata/judge, use the server: they
// complete, stream, abort, run out of time, and take each failure for what it is. Open Responses is judged by the AI
// SDK's provider from npm, and by its types from PyPI.
func TestJudges(t *testing.T) {
	const dir = "testdata/judge"
	for _, test := range []struct {
		name, timeout string
		command       func(*testing.T) []string
	}{
		{"npm", "APIConnectionTimeoutError", func(t *testing.T) []string {
			peer.NPM(t, dir, true)
			return []string{"node_modules/.bin/node", "judge.mjs"}
		}},
		{"PyPI", "APITimeoutError", func(t *testing.T) []string {
			return []string{peer.Python(t, dir), "judge.py"}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			command := test.command(t)
			p := patient{newConcierge(t, calendarmem.New("events"), hardKnowledge()), make(chan struct{}, 9)}
			f := newFixture(t, p, settings{guarded: true})
			limited := newFixture(t, p, settings{guarded: true, server: server.Options{KeyRate: door.Rate{Count: 1, Per: time.Minute}}})

			got := judge(t, dir, append(command, f.URL+"/v1", askKey, limited.URL+"/v1"))
			want := judged()
			want["late"] = []any{test.timeout, nil, nil}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what came of it (-want +got):\n%s", diff)
			}
			for range 2 { // the one that was aborted, and the one that took too long
				select {
				case <-p.cancelled:
				case <-time.After(time.Minute):
					t.Fatal("a run whose client went away was not cancelled")
				}
			}
		})
	}
}

// judged is what the judges have to say.
func judged() map[string]any {
	const wifi = "[relaxed]名前は「cafeドットguest」、合言葉は「Hello 2025」です。\n[relaxed]〔受付〕でもお尋ねください。\n"
	refused := func(class string, status float64, code any) []any { return []any{class, status, code} }
	return map[string]any{
		"models": []any{"annai", "annai:chat", "annai:olv", "annai-utility"}, "model": "annai:chat",
		"whole": []any{wifi, "stop", true}, "parts": wifi, "stream": []any{wifi, true, true}, "gathered": wifi, "aborted": "[relaxed]はい。\n",
		"key": refused("AuthenticationError", 401, "invalid_api_key"), "unknown": refused("NotFoundError", 404, "model_not_found"),
		"tools": refused("BadRequestError", 400, "unsupported_value"), "format": refused("BadRequestError", 400, "unsupported_value"),
		"broken": refused("InternalServerError", 503, "unavailable"), "often": refused("RateLimitError", 429, "rate_limit_exceeded"),
		"response": []any{"エンジニアカフェのことですか、それとも館内のcafe&bar sainoのことですか？", "completed", "開館時間は、9:00から22:00までです。"},
		"events": []any{[]any{
			"response.created", "response.in_progress", "response.output_item.added", "response.content_part.added", "response.output_text.delta",
			"response.output_text.done", "response.content_part.done", "response.output_item.done", "response.completed",
		}, wifi},
		"open":   []any{"名前は「cafe.guest」、合言葉は「Hello! 2025」です。〔受付〕でもお尋ねください。", "stop", true},
		"empty":  []any{400.0, "messages must end with words of the user"},
		"stored": refused("NotFoundError", 404, "response_not_found"), "previous": refused("BadRequestError", 400, "previous_response_not_found"),
	}
}

// judge runs a program that prints JSON.
func judge(t *testing.T, dir string, command []string) (said map[string]any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command[:2], " "), err, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &said); err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(command[:2], " "), err, out.String())
	}
	return said
}
