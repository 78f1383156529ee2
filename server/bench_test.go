package server

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// discard is a response that nobody reads.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
func (d discard) Flush()                      {}

// BenchmarkQuery is what the door itself costs: routing, checks, decoding, encoding, figures.
func BenchmarkQuery(b *testing.B) {
	for name, body := range map[string]string{
		"json": `{"query":"今週のイベントは？","language":"ja","sessionId":"kiosk-1-7f3","timezone":"Asia/Tokyo","stream":false}`,
		"sse":  `{"query":"今週のイベントは？","language":"ja","sessionId":"kiosk-1-7f3","timezone":"Asia/Tokyo","stream":true}`,
	} {
		b.Run(name, func(b *testing.B) {
			f := newFixture(b, Options{Log: slog.New(slog.DiscardHandler)})
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/query", strings.NewReader(body))
				r.Host = "localhost:8080"
				r.Header.Set("Content-Type", "application/json")
				f.Handler().ServeHTTP(discard{http.Header{}}, r)
				f.concierge.turns = f.concierge.turns[:0]
			}
		})
	}
}

// BenchmarkServe is the same over loopback sockets that are kept alive.
func BenchmarkServe(b *testing.B) {
	f := newFixture(b, Options{Log: slog.New(slog.DiscardHandler)})
	url, _ := listen(b, f)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url+"/query", bytes.NewReader([]byte(goodBody)))
			if err != nil {
				b.Error(err)
				return
			}
			request.Header.Set("Content-Type", "application/json")
			response, err := client.Do(request)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
