package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/dialog"
	"annai/server/door"
	"annai/server/gate"
	"annai/server/render"
	"annai/server/render/readers"
)

// slow is a concierge that takes its time.
type slow struct {
	gate.Concierge
	answer api.QueryResponse
	before time.Duration
}

func (s slow) Ask(context.Context, dialog.Turn) iter.Seq2[dialog.Event, error] {
	return func(yield func(dialog.Event, error) bool) {
		time.Sleep(s.before)
		if !yield(dialog.Started{RunStarted: api.RunStarted{Language: s.answer.Language}}, nil) {
			return
		}
		for _, sentence := range s.answer.Speech {
			if !yield(dialog.Sentence{SpokenSentence: api.SpokenSentence{Text: sentence.Text, Emotion: sentence.Emotion}}, nil) {
				return
			}
		}
		yield(dialog.Final{QueryResponse: s.answer}, nil)
	}
}

func (slow) EndSession(context.Context, dialog.Session) error { return nil }

// writes are what a handler wrote, write by write.
type writes struct {
	*httptest.ResponseRecorder
	each []string
}

func (w *writes) Write(p []byte) (int, error) {
	w.each = append(w.each, string(p))
	return w.ResponseRecorder.Write(p)
}

// serve sends a body to one of the door's paths, on an engine that does for it what the server does.
func serve(t testing.TB, c gate.Concierge, path, body string) *writes {
	t.Helper()
	d, err := New(Parts{Concierge: c, Now: func() time.Time { return time.Unix(1, 0) }, NewID: func() string { return "id" }}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	for _, r := range d.Routes {
		engine.Handle(r.Method, r.Path, func(c *gin.Context) {
			if err := r.Handle(c); err != nil && !c.Writer.Written() {
				d.Fail(c, door.Explain(err, ""))
			}
		})
	}
	w := &writes{ResponseRecorder: httptest.NewRecorder()}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	engine.ServeHTTP(w, r)
	return w
}

// TestHeartbeat says in frames that every reader understands that a long run lives, and nothing once it is over.
func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := api.QueryResponse{Text: "[happy]はい。", Emotion: "excited", Language: "ja", Speech: []api.Sentence{{Text: "はい。", Emotion: "happy"}}}
		w := serve(t, slow{answer: a, before: 25 * time.Second}, "/v1/chat/completions", `{"stream":true,"messages":[{"role":"user","content":"x"}]}`)
		time.Sleep(time.Hour)
		if len(w.each) != 5 {
			t.Fatalf("%q was written, want two heartbeats, a sentence, the end and [DONE]", w.each)
		}
		for _, beat := range w.each[:2] {
			if !strings.Contains(beat, `"delta":{"role":"assistant","content":""},"finish_reason":null`) {
				t.Errorf("heartbeat %q, want an empty content", beat)
			}
		}
		for _, read := range []readers.Reader{readers.AITuberKit, readers.ChatVRM, readers.Amica, readers.OpenLLMVTuber(), readers.OpenWebUI} {
			if heard, err := read(pieces(w.each)); err != nil || heard.Shown != "[happy]はい。\n" {
				t.Errorf("heard %+v, %v, want the sentence", heard, err)
			}
		}
	})
}

// pieces is a stream of which every read brings what was written at once.
func pieces(each []string) io.Reader {
	var all []io.Reader
	for _, p := range each {
		all = append(all, strings.NewReader(p))
	}
	return io.MultiReader(all...)
}

// cutter brings n bytes with every read.
func cutter(all string, n int) io.Reader {
	var each []string
	for len(all) > n {
		each = append(each, all[:n])
		all = all[n:]
	}
	return pieces(append(each, all))
}

// FuzzReaders has the concierge say anything at all: no reader breaks, and all that can be spoken is spoken once, with the right face.
func FuzzReaders(f *testing.F) {
	for _, text := range []string{
		"はい。", "[happy][sad]x", "data: [DONE]\n\ndata: {}", "a\nb\r\nc\u0085d\u2028e", "{\"choices\":[]}", "*a* (b) <c> {d}", "😀", "3.5 a.b.", "\xff", "\x00\x1b[0m", "「あ。」い！？",
		"\\u0022", "https://x.example/[y]", "", strings.Repeat("長い、", 500), strings.Repeat("x", 3000), "event: x\nid: 1\n: comment",
	} {
		f.Add(text, "b", true)
		f.Add("a", text, false)
	}
	f.Fuzz(func(t *testing.T, first, second string, japanese bool) {
		a := api.QueryResponse{
			Text: "[happy]" + first + second, Emotion: "excited",
			Language: map[bool]string{true: "ja", false: "en"}[japanese],
			Speech:   []api.Sentence{{Text: first, Emotion: "happy"}, {Text: second, Emotion: "happy"}},
			Cards:    []api.Card{{Type: "event", Title: first, Description: second}}, Suggestions: []string{second},
		}
		w := serve(t, slow{answer: a}, "/v1/chat/completions", `{"stream":true,"messages":[{"role":"user","content":"x"}]}`)
		all := w.Body.String()
		for _, frame := range w.each {
			if strings.Count(frame, "data:") != 1 || !strings.HasPrefix(frame, "data: ") || !strings.HasSuffix(frame, "\n\n") || strings.Count(frame, "\n") != 2 || !utf8.ValidString(frame) {
				t.Fatalf("a write is %q, want one frame", frame)
			}
		}
		want := ""
		for _, text := range []string{first, second} {
			want += strings.Join(render.Sentences(text, a.Language), "\n")
		}
		for name, heard := range map[string]func() (readers.Heard, error){
			"AITuberKit":                func() (readers.Heard, error) { return readers.AITuberKit(pieces(w.each)) },
			"AITuberKit, cut anywhere":  func() (readers.Heard, error) { return readers.AITuberKit(cutter(all, 7)) },
			"ChatVRM":                   func() (readers.Heard, error) { return readers.ChatVRM(pieces(w.each)) },
			"ChatVRM, all at once":      func() (readers.Heard, error) { return readers.ChatVRM(strings.NewReader(all)) },
			"Amica":                     func() (readers.Heard, error) { return readers.Amica(pieces(w.each)) },
			"Open-LLM-VTuber":           func() (readers.Heard, error) { return readers.OpenLLMVTuber("happy")(cutter(all, 11)) },
			"Open WebUI, cut otherwise": func() (readers.Heard, error) { return readers.OpenWebUI(cutter(all, 13)) },
		} {
			got, err := heard()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			said := ""
			for _, s := range got.Spoken {
				said += s.Text
				if s.Face != "happy" {
					t.Errorf("%s speaks %q with the face %q, want happy", name, s.Text, s.Face)
				}
			}
			if strings.HasPrefix(name, "Open WebUI") {
				said = strings.ReplaceAll(got.Shown, "[happy]", "")
			}
			if said, want := only(said), only(want); said != want {
				t.Errorf("%s says %q, want %q", name, said, want)
			}
		}
	})
}

// FuzzBody sends anything at all: there is an answer or a refusal in the right shape, and never a failure of ours.
func FuzzBody(f *testing.F) {
	for _, body := range []string{
		`{"messages":[{"role":"user","content":"x"}]}`, `{"input":[{"role":"user","content":[{"text":"x"}]}],"previous_response_id":"resp_eA.1"}`,
		`{"messages":[{"role":"system","content":"[happy] [sad] [joy|fun] \"neutral\""},{"role":"user","content":"[2025-01-01T00:00:00Z] x"}],"stream":true}`,
		`{"messages":[{"role":"user","content":"### Task:\n\"title\": <chat_history>\nUSER: x"}]}`, `{"model":"annai-utility","input":"User: a\nUser:"}`, `[]`, `{`, `null`, `{"messages":[null,{}]}`,
		`{"user":{},"metadata":{"session_id":"\u0000"},"tool_choice":{"type":"x"},"response_format":7,"messages":[{"role":"user","content":["x",[]]}]}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		a := api.QueryResponse{Text: "[happy]はい。", Emotion: "excited", Language: "ja", Speech: []api.Sentence{{Text: "はい。", Emotion: "happy"}}}
		for _, path := range []string{"/v1/chat/completions", pathAvatar, "/v1/responses"} {
			w := serve(t, slow{answer: a}, path, body)
			var refused errorBody
			if w.Code != http.StatusOK && (w.Code >= http.StatusInternalServerError || json.Unmarshal(w.Body.Bytes(), &refused) != nil || refused.Error.Message == "") {
				t.Errorf("POST %s %q = %d %s, want an answer or a refusal", path, body, w.Code, w.Body)
			}
		}
	})
}

// only returns the letters and digits of a text.
func only(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// TestExtrasFit keeps the last frame of a spoken answer small, whatever belongs to the answer.
func TestExtrasFit(t *testing.T) {
	long := strings.Repeat("長", 200)
	for _, test := range []struct {
		name            string
		cards, fits     int
		title, question string
	}{
		{"little", 2, 2, "会", "どちら？"}, {"many cards", 50, 12, "会", "どちら？"}, {"long cards", 3, 1, long, "どちら？"}, {"a long question", 1, 0, "会", strings.Repeat(long, 3)},
	} {
		e := extras{Emotion: "excited", Suggestions: []string{"明日は？"}, Interrupt: &api.Interrupt{Question: test.question}}
		for range test.cards {
			e.Cards = append(e.Cards, api.Card{Type: "event", Title: test.title, Start: "2025-01-13T13:00:00+09:00"})
		}
		e.fit(maxExtras)
		if size := e.size(); size > maxExtras || len(e.Cards) > test.cards || len(e.Cards)+e.LeftOut < test.cards || (len(e.Cards) == 0) != (test.fits == 0) {
			t.Errorf("%s: %d cards and %d left out in %d bytes, want about %d cards in at most %d bytes", test.name, len(e.Cards), e.LeftOut, size, test.fits, maxExtras)
		}
	}
}

// gone is a client that went away.
type gone struct{ gin.ResponseWriter }

func (gone) Header() http.Header         { return http.Header{} }
func (gone) WriteHeader(int)             {}
func (gone) Write(p []byte) (int, error) { return len(p) / 2, io.ErrClosedPipe }

func TestStreamToNobody(t *testing.T) {
	s := render.NewStream(gone{}, time.Hour, nil)
	if err := s.Send("", 1); !errors.Is(err, door.ErrGone) {
		t.Errorf("send to nobody = %v, want ErrGone", err)
	}
	w := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(w)
	s = render.NewStream(c.Writer, time.Hour, nil)
	s.Close()
	if err := s.Send("", 1); !errors.Is(err, door.ErrGone) || w.Body.Len() > 0 {
		t.Errorf("send to a closed stream = %v, %q, want ErrGone and nothing written", err, w.Body)
	}
}

// TestEncode hides what readers take for the end of something, and changes nothing that is said.
func TestEncode(t *testing.T) {
	for _, text := range []string{"data: x", "[DONE]", "a\u0085b\u2028c\nd", `\data:\[DONE]`, "<&>"} {
		got, err := render.Encode(map[string]string{"k": text})
		if err != nil || bytes.Contains(got, []byte("data:")) || bytes.Contains(got, []byte("[DONE]")) || bytes.ContainsAny(got, "\n\u0085\u2028") {
			t.Errorf("render.Encode(%q) = %s, %v", text, got, err)
		}
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil || back["k"] != text {
			t.Errorf("render.Encode(%q) is read as %q, %v", text, back["k"], err)
		}
	}
}

// BenchmarkChat is what the door itself costs a streamed answer of four sentences.
func BenchmarkChat(b *testing.B) {
	a := api.QueryResponse{Text: "[happy]今日は以下のイベントがあります：", Emotion: "excited", Language: "ja"}
	for _, said := range []string{"今日はイベントが2件あります。", "週末ハッカソンは、ただいま開催中です。", "18時までです。", "13時から、はじめてのプログラミングです。"} {
		a.Speech = append(a.Speech, api.Sentence{Text: said, Emotion: "happy"})
	}
	d, err := New(Parts{Concierge: slow{answer: a}, Now: time.Now, NewID: func() string { return "id" }}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.POST("/v1/chat/completions", func(c *gin.Context) { _ = d.Routes[2].Handle(c) })
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"今日は？"}]}`))
		r.Header.Set("Content-Type", "application/json")
		engine.ServeHTTP(httptest.NewRecorder(), r)
	}
}
