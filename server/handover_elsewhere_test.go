package server

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"annai/api"
	"annai/server/gate"
)

// circle is how the servers of a test hear each other.
type circle struct {
	mu    sync.Mutex
	heard []chan string
}

func (c *circle) Tell(_ context.Context, words string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.heard {
		one <- words
	}
	return nil
}

func (c *circle) Hear(ctx context.Context, heard func(string)) {
	words := make(chan string, 100)
	c.mu.Lock()
	c.heard = append(c.heard, words)
	c.mu.Unlock()
	for {
		select {
		case w := <-words:
			heard(w)
		case <-ctx.Done():
			return
		}
	}
}

// An answer of one server is taken along from a second, read at a third and gone once a fourth ended its session.
func TestHandoverElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var peers circle
		var servers []*fixture
		var listening sync.WaitGroup
		for range 4 {
			f := setup{gate: gate.Options{Peers: &peers}, more: func(p *Parts) {
				p.PublicURL, p.SessionIdle = "https://guide.example", 3*time.Minute
			}, options: Options{Hosts: []string{"guide.example"}}}.fixture(t)
			servers = append(servers, f)
			listening.Go(func() { f.parts.Gate.Listen(ctx) })
		}
		synctest.Wait()
		run := decode[api.QueryResponse](t, servers[0].do(t, "POST", "/query", `{"query":"q","sessionId":"s"}`)).RunID
		wish := `{"sessionId":"s","runId":"` + run + `","poster":"/media/made-elsewhere.png"}`
		w := servers[1].do(t, "POST", "/handovers", wish)
		if w.Code != http.StatusOK {
			t.Fatalf("POST /handovers at another server: %d %s", w.Code, w.Body)
		}
		page := strings.TrimPrefix(decode[api.HandoverResponse](t, w).URL, "https://guide.example")
		w = servers[2].do(t, "GET", page, "")
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "TypeScript勉強会") {
			t.Errorf("GET the page at a third: %d %s", w.Code, w.Body)
		}
		stranger := servers[1].do(t, "POST", "/handovers", wish, "from", "203.0.113.9:1")
		if stranger.Code != http.StatusNotFound {
			t.Errorf("taken along by somebody else: %d, want 404", stranger.Code)
		}
		servers[3].do(t, "DELETE", "/sessions/s", "")
		synctest.Wait()
		for i, f := range servers {
			w := f.do(t, "GET", page, "")
			if w.Code != http.StatusGone || strings.Contains(w.Body.String(), "TypeScript") {
				t.Errorf("GET the page at server %d once its session ended: %d, want 410", i, w.Code)
			}
		}
		stop()
		listening.Wait()
	})
}

// What is on a page is short enough to be told, and loses descriptions and its last cards before that.
func TestPackPage(t *testing.T) {
	content := pageContent{Language: "ja", Speech: []api.Sentence{{Text: "20件あります。"}}}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // noise can't be compressed
	for range 3 * maxOnPage {
		noise := make([]rune, 300)
		for i := range noise {
			noise[i] = rune(0x4e00 + random.IntN(20000))
		}
		card := api.Card{Type: "event", Title: string(noise[:200]), Description: string(noise)}
		content.Cards = append(content.Cards, card)
	}
	packed, ok := packPage(content)
	got, err := unpackPage(packed)
	if !ok || err != nil || len(packed) > gate.MaxFinding || len(got.Cards) == 0 || got.Cards[0].Description != "" ||
		content.Cards[0].Description == "" || got.Speech[0] != content.Speech[0] {
		t.Errorf("packPage: %d bytes, %t, %v, %d cards, want what fits, and the answer left as it was",
			len(packed), ok, err, len(got.Cards))
	}
	if _, err := unpackPage("no page"); err == nil {
		t.Error("unpackPage of what is none: no error")
	}
}
