package web_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"io/fs"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/api"
	"annai/tools/media/h264"
	"annai/tools/media/mp4"
	"annai/web"
)

// strictCSP is the policy that the pages must work under.
const strictCSP = "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'"

// fakeNow is the venue's time, a Wednesday.
const fakeNow = "2025-01-15T10:24:00+09:00"

// fake is a server that speaks the contract and answers by script. The browser test steers it under /fake/.
type fake struct {
	mu  sync.Mutex
	log []logged
	up  bool
	// away says that nothing is answered at all, as by a server that is gone.
	away bool
	// step lets a slow answer say its next sentence.
	step chan struct{}
	runs int
	// heard is what is heard next: see [fake.hear].
	heard string
}

// logged is a request that the fake has seen.
type logged struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body,omitempty"`
	// Authorization and Device are these headers.
	Authorization string `json:"authorization,omitempty"`
	Device        string `json:"device,omitempty"`
}

func newFake() http.Handler {
	f := &fake{up: true, step: make(chan struct{}, 16)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /venue", f.reply(fakeVenue()))
	mux.HandleFunc("GET /speech/{name}", f.speech)
	mux.HandleFunc("GET /events", f.reply(fakeToday()))
	mux.HandleFunc("GET /healthz", f.reply(api.ReadyResponse{Status: "ok", Version: "test"}))
	mux.HandleFunc("GET /preview", f.preview)
	mux.HandleFunc("GET /kept", f.kept)
	mux.HandleFunc("POST /staff-calls", f.duty(api.StaffCallResponse{ID: "call", At: fakeNow}))
	mux.HandleFunc("POST /handovers", f.duty(api.HandoverResponse{URL: "https://guide.example/phone/4Q7NXKJ2W5HSA6YT"}))
	mux.HandleFunc("POST /feedback", f.duty(nil))
	mux.HandleFunc("POST /heartbeat", f.duty(nil))
	mux.HandleFunc("POST /corner", f.corner)
	ready := api.ReadyResponse{Status: "ok", Version: "test", Parts: map[string]string{"calendar": "ok"}}
	mux.HandleFunc("GET /readyz", f.reply(ready))
	mux.HandleFunc("GET /media/film.mp4", f.film)
	mux.HandleFunc("POST /query", f.query)
	mux.HandleFunc("POST /v1/audio/transcriptions", f.transcriptions)
	mux.HandleFunc("POST /fake/hear/{what}", f.hear)
	mux.HandleFunc("POST /tools/imagen_generate_poster", f.poster)
	mux.HandleFunc("POST /runs/{id}/cancel", f.noted)
	mux.HandleFunc("DELETE /sessions/{id}", f.noted)
	mux.HandleFunc("POST /fake/{what}", f.steer)
	mux.HandleFunc("GET /fake/log", f.printLog)
	files := http.StripPrefix("/kiosk/", http.FileServerFS(web.Kiosk()))
	mux.HandleFunc("GET /kiosk/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/kiosk/sw.js" {
			w.Header().Set("Service-Worker-Allowed", "/kiosk")
		}
		if packed, err := fs.ReadFile(web.Kiosk(), strings.TrimPrefix(r.URL.Path, "/kiosk/")+".gz"); err == nil {
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed)
			return
		}
		files.ServeHTTP(w, r)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.isAway() && !strings.HasPrefix(r.URL.Path, "/fake/") {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Security-Policy", strictCSP)
		mux.ServeHTTP(w, r)
	})
}

// reply answers with v, or hangs like a pulled cable while the fake is down.
func (f *fake) reply(v any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !f.isUp() {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
}

func (f *fake) isUp() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.up
}

func (f *fake) isAway() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.away
}

func (f *fake) note(r *http.Request, body []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, logged{
		Method: r.Method, Path: r.URL.Path, Body: body,
		Authorization: r.Header.Get("Authorization"), Device: r.Header.Get("X-Device"),
	})
}

func (f *fake) noted(w http.ResponseWriter, r *http.Request) {
	f.note(r, nil)
	w.WriteHeader(http.StatusNoContent)
}

// duty answers with v, or with nothing, and refuses while the fake is down.
func (f *fake) duty(v any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		f.note(r, body)
		switch {
		case !f.isUp():
			w.WriteHeader(http.StatusServiceUnavailable)
			_ = json.NewEncoder(w).Encode(fakeError("unavailable", "ja"))
		case v == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			_ = json.NewEncoder(w).Encode(v)
		}
	}
}

// corner takes one code.
func (f *fake) corner(w http.ResponseWriter, r *http.Request) {
	var request api.CornerRequest
	if json.NewDecoder(r.Body).Decode(&request) != nil || request.Code != "246810" {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// kept are the answers to two questions and an apology, all with a sound.
func (f *fake) kept(w http.ResponseWriter, r *http.Request) {
	ja := r.URL.Query().Get("language") != "en"
	said := func(name, text string) api.SpokenSentence {
		return api.SpokenSentence{Text: text, Emotion: "relaxed", Audio: "/speech/kept-" + name + ".wav"}
	}
	f.reply(api.KeptResponse{
		Apology: said("sorry", pick(ja, "すみません、切れてしまいました。", "I'm sorry, we were cut off.")),
		Answers: []api.KeptAnswer{
			{
				Question: pick(ja, "何時まで開いていますか？", "How late are you open?"), Cards: []api.Card{},
				Sentences: []api.SpokenSentence{said("hours", pick(ja, "22時までです。", "Until 10 PM."))},
			},
			{
				Question: pick(ja, "今日のイベントは？", "What's on today?"), Cards: threeCards(ja)[:1],
				Sentences: []api.SpokenSentence{said("today", pick(ja, "1件あります。", "There is one."))},
			},
		},
		AsOf: "2025-01-15T10:20:00+09:00",
	})(w, r)
}

// preview has a film, which is two seconds of one color.
func (f *fake) preview(w http.ResponseWriter, r *http.Request) {
	f.note(r, nil)
	f.reply(api.PreviewResponse{Status: "ready", VideoURL: "/media/film.mp4", DurationSeconds: 2})(w, r)
}

func (f *fake) film(w http.ResponseWriter, r *http.Request) {
	encoder, err := h264.New(180, 320, 10)
	if err != nil {
		panic(err)
	}
	film := mp4.Video{Width: 180, Height: 320, Rate: 10}
	film.Sequence, film.Picture = encoder.Parameters()
	dark := image.NewYCbCr(image.Rect(0, 0, 180, 320), image.YCbCrSubsampleRatio420)
	film.Samples = []mp4.Sample{{Unit: encoder.Key(dark, 30), Key: true}}
	for range 19 {
		film.Samples = append(film.Samples, mp4.Sample{Unit: encoder.Repeat()})
	}
	data, err := film.Encode()
	if err != nil {
		panic(err)
	}
	http.ServeContent(w, r, "film.mp4", time.Time{}, bytes.NewReader(data))
}

// speech is a tone of half a second at each address but that of "mute", and how the mouth moves with it.
func (f *fake) speech(w http.ResponseWriter, r *http.Request) {
	f.note(r, nil)
	switch name := r.PathValue("name"); {
	case strings.HasPrefix(name, "mute"):
		http.NotFound(w, r)
	case strings.HasSuffix(name, ".json"):
		_, _ = io.WriteString(w, `{"mouth":[[0,"a"],[150,"n"],[250,"o"]]}`)
	default:
		w.Header().Set("Content-Type", "audio/wav")
		_, _ = w.Write(tone())
	}
}

// tone is a WAV file of half a second, 8,000 samples a second of eight bits.
func tone() []byte {
	const rate, length = 8000, 4000
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("RIFF"), 36+length)
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint32(le.AppendUint16(le.AppendUint16(b, 1), 1), rate)
	b = le.AppendUint16(le.AppendUint16(le.AppendUint32(b, rate), 1), 8)
	b = le.AppendUint32(append(b, "data"...), length)
	for i := range length {
		b = append(b, byte(128+64*math.Sin(float64(i)/3)))
	}
	return b
}

// poster answers as the tool does; no picture can be made of a title that says so.
func (f *fake) poster(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f.note(r, body)
	w.Header().Set("Content-Type", "application/json")
	if !f.isUp() {
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(fakeError("unavailable", "ja"))
		return
	}
	_, _ = io.WriteString(w, `{"imageUrl":"/kiosk/akari.svg","mediaType":"image/svg+xml","width":1240,"height":1754}`)
}

func (f *fake) steer(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch r.PathValue("what") {
	case "up":
		f.up, f.away = true, false
	case "away":
		f.away = true
	case "down":
		f.up = false
	case "step":
		f.step <- struct{}{}
	case "clear":
		f.log, f.up, f.away = nil, true, false
		for len(f.step) > 0 {
			<-f.step
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

func (f *fake) printLog(w http.ResponseWriter, _ *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = json.NewEncoder(w).Encode(f.log)
}

// query answers by a word in the question.
func (f *fake) query(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var request api.QueryRequest
	if err := json.Unmarshal(body, &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.note(r, body)
	if strings.Contains(request.Query, "refused") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(fakeError("overloaded", request.Language))
		return
	}
	f.mu.Lock()
	f.runs++
	run := fmt.Sprintf("run-%d", f.runs)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	s := &stream{w: w, r: r, fake: f}
	s.send(api.EventRunStarted, api.RunStarted{RunID: run, SessionID: request.SessionID, Language: request.Language})
	s.send(api.EventNodeStarted, api.NodeProgress{Node: "event", LabelJA: "予定を確認しています", LabelEN: "Checking the calendar"})
	s.play(fakeAnswer(request, run))
}

// stream writes one answer as server-sent events.
type stream struct {
	w    http.ResponseWriter
	r    *http.Request
	fake *fake
	id   int
}

func (s *stream) send(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	s.id++
	_, _ = fmt.Fprintf(s.w, "id: %d\nevent: %s\ndata: %s\n\n", s.id, name, data)
	_ = http.NewResponseController(s.w).Flush()
}

// play sends the events of an answer in the contract's order, as its question demands: step by step, cut off, hanging.
func (s *stream) play(question string, answer api.QueryResponse) {
	for i, sentence := range answer.Speech {
		if strings.Contains(question, "slow") && !s.waitForStep() {
			return
		}
		said := api.SpokenSentence{Index: i, Text: sentence.Text, Emotion: sentence.Emotion}
		s.send(api.EventSentence, voiced(question, said))
		switch {
		case strings.Contains(question, "drop"):
			return
		case strings.Contains(question, "hang"):
			<-s.r.Context().Done()
			return
		case strings.Contains(question, "fails"):
			s.send(api.EventError, fakeError("internal", answer.Language))
			return
		}
	}
	s.send(api.EventCards, api.Cards{Cards: answer.Cards})
	s.send(api.EventSuggestions, api.Suggestions{Suggestions: answer.Suggestions})
	if answer.Interrupt != nil {
		s.send(api.EventConfirm, answer.Interrupt)
	}
	s.send(api.EventFinal, answer)
}

// voiced is a sentence with where it can be heard: with "aloud" in the question all can, and of the second one it
// has to be asked how the mouth moves; with "mute" none really can.
func voiced(question string, said api.SpokenSentence) api.SpokenSentence {
	switch {
	case strings.Contains(question, "aloud"):
		said.Audio = fmt.Sprintf("/speech/%d.wav", said.Index)
		if said.Index != 1 {
			said.Mouth = []api.Viseme{{Shape: "a"}, {MS: 150, Shape: "n"}, {MS: 250, Shape: "o"}}
		}
	case strings.Contains(question, "mute"):
		said.Audio = fmt.Sprintf("/speech/mute%d.wav", said.Index)
	}
	return said
}

func (s *stream) waitForStep() bool {
	select {
	case <-s.fake.step:
		return true
	case <-s.r.Context().Done():
		return false
	}
}

func TestFakeSpeaksTheContract(t *testing.T) {
	for _, query := range []string{"none", "one", "three", "ten", "clarify", "confirm", "fire", "slow", "long"} {
		_, answer := fakeAnswer(api.QueryRequest{Query: query, Language: "ja"}, "run-1")
		if len(answer.Speech) == 0 || answer.Text == "" || answer.Emotion == "" {
			t.Errorf("fakeAnswer(%q) = %+v, want words and a face", query, answer)
		}
	}
}
