package webpage_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/internal/outbound"
	"annai/internal/outbound/outboundtest"
	"annai/tools/webpage"
)

// A web plays sites: all names lead to one server, which answers by host and path.
type web struct {
	*httptest.Server
	client *outbound.Client

	mu sync.Mutex
	// pages are bodies by host and path, of the type that the server guesses.
	pages map[string]string
	// status are answers that are no page, by host and path.
	status map[string]int
	asked  []string
	header http.Header
}

func newWeb(t *testing.T) *web {
	t.Helper()
	w := &web{pages: map[string]string{}, status: map[string]int{}}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	var err error
	w.client, err = outbound.New(outbound.Options{
		OwnPort: true, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		UserAgent: "annai/test (ops@library.example)",
		Resolver:  outboundtest.Names{"": {netip.MustParseAddr("127.0.0.1")}}.Resolver(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	host, _, _ := strings.Cut(r.Host, ":")
	at := host + r.URL.Path
	w.asked = append(w.asked, at)
	w.header = r.Header.Clone()
	page, ok := w.pages[at]
	switch {
	case w.status[at] != 0:
		out.WriteHeader(w.status[at])
	case !ok:
		out.WriteHeader(http.StatusNotFound)
	case strings.HasPrefix(page, "http"):
		http.Redirect(out, r, page, http.StatusFound)
	default:
		_, _ = io.WriteString(out, page)
	}
}

// at is the address of a page.
func (w *web) at(page string) string {
	host, path, _ := strings.Cut(page, "/")
	return "http://" + host + w.URL[strings.LastIndex(w.URL, ":"):] + "/" + path
}

func (w *web) reader() *webpage.Reader { return webpage.New(w.client, time.Now) }

func (w *web) expand(t *testing.T, page string) (webpage.Expansion, error) {
	t.Helper()
	return w.reader().Expand(t.Context(), w.at(page))
}

func TestExpand(t *testing.T) {
	w := newWeb(t)
	w.pages["hall.example/summer"] = file(t, "summer.html")
	got, err := w.expand(t, "hall.example/summer#top")
	if err != nil {
		t.Fatal(err)
	}
	want := webpage.Expansion{
		URL: w.at("hall.example/summer"), Title: "夏まつり&縁日", Description: "屋台と 盆踊り",
		ImageURL: w.at("hall.example/img/a.png"),
		SiteName: "市民ホール", CanonicalURL: "https://hall.example/summer", Language: "ja", Backend: "embedded",
		OpenGraph: map[string]any{
			"title": "夏まつり&縁日", "image": []any{"/img/a.png", "/img/b.png"}, "site_name": "市民ホール",
		},
		Event: &webpage.Event{
			Name: "夏まつり", StartDate: "2026-07-20T18:00:00+09:00", EndDate: "2026-07-20T21:00:00+09:00",
			Status:   "postponed",
			Location: &webpage.Place{Name: "本館", Address: "810-0002 福岡県 福岡市中央区 西中洲6-29"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Expand (-want +got):\n%s", diff)
	}
	if agent := w.header.Get("User-Agent"); agent != "annai/test (ops@library.example)" {
		t.Errorf("User-Agent = %q, want who we are", agent)
	}
}

// What a page does not say is taken from the next best place that says it. The file has pages, each
// with what is told of it after =>.
func TestSources(t *testing.T) {
	w := newWeb(t)
	at := w.at("s.example/p")
	for _, tt := range strings.Split(strings.TrimSpace(file(t, "sources.txt")), "\n\n") {
		body, told, _ := strings.Cut(tt, "\n=> ")
		w.pages["s.example/p"] = "<!doctype html>" + body
		want := webpage.Expansion{URL: at, Backend: "embedded"}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(told, "HERE", w.at("s.example/"))), &want); err != nil {
			t.Fatalf("%s: %v", told, err)
		}
		got, err := w.expand(t, "s.example/p")
		got.OpenGraph = nil
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("Expand of %s: %v (-want +got):\n%s", body, err, diff)
		}
	}
}

func file(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTextsAreBounded(t *testing.T) {
	w := newWeb(t)
	long := strings.Repeat("長", 5000)
	graph := ""
	for i := range 200 {
		graph += fmt.Sprintf(`<meta property="og:p%d" content="%s">`, i, long)
	}
	w.pages["s.example/p"] = `<!doctype html><title>` + long + `</title><meta name=description content="` +
		long + `">` + graph +
		`<link rel=canonical href="/` + long + `">` + strings.Repeat("<p>x", 1<<20)
	got, err := w.expand(t, "s.example/p")
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(got)
	if err != nil || len(data) > 120_000 || len([]rune(got.Title)) != 300 || got.CanonicalURL != "" {
		t.Errorf("Expand of a huge page = %d bytes with a title of %d letters, %v", len(data),
			len([]rune(got.Title)), err)
	}
}

// The site of a link says what is behind it: by the list, by a link in the page, and without HTML.
func TestOEmbed(t *testing.T) {
	w := newWeb(t)
	w.pages["v.example/p"] = "<!doctype html><title></title>" +
		`<link rel="alternate" type="application/json+oembed" href="/oembed?url=x">`
	w.pages["v.example/oembed"] = `{"type":"video","version":"1.0","title":"A film","provider_name":"V",
		"thumbnail_url":"https://v.example/t.png",
		"width":480,"html":"<iframe src=evil>","extra":{"a":1},"more":"<script>"}`
	got, err := w.expand(t, "v.example/p")
	want := webpage.Expansion{
		URL: w.at("v.example/p"), Title: "A film", SiteName: "V", ImageURL: "https://v.example/t.png",
		Backend: "embedded",
		OEmbed: map[string]any{
			"type": "video", "version": "1.0", "title": "A film", "provider_name": "V",
			"thumbnail_url": "https://v.example/t.png", "width": 480.0,
		},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Expand of a page with a link to oEmbed: %v (-want +got):\n%s", err, diff)
	}
	for _, answer := range []string{"", "<html>", "[]", "null", `"x"`} {
		w.pages["v.example/oembed"] = answer
		if got, err := w.expand(t, "v.example/p"); err != nil || got.OEmbed != nil {
			t.Errorf("Expand where oEmbed answers %q = %v, %v, want none", answer, got.OEmbed, err)
		}
	}
}

func TestProviders(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.youtube.com/watch?v=1":             "YouTube",
		"http://youtu.be/1":                             "YouTube",
		"https://www.instagram.com/p/abc/":              "Instagram",
		"https://www.tiktok.com/@a/video/1":             "TikTok",
		"https://x.com/a/status/1":                      "X",
		"https://www.youtube.com/":                      "",
		"https://evil.example/?a=.youtube.com/watch":    "",
		"https://evil.example/www.youtube.com/watch":    "",
		"https://www.youtube.com.evil.example/watch":    "",
		"https://www.youtube.com:8443/watch?v=1":        "",
		"https://vimeo.com/76979871":                    "Vimeo",
		"https://soundcloud.com/forss/flickermood":      "SoundCloud",
		"https://open.spotify.com/track/2qToAcex0ruZfb": "Spotify",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := webpage.ProviderOf(u); got != want {
			t.Errorf("provider of %s = %q, want %q", address, got, want)
		}
	}
}

func TestForbiddenAddresses(t *testing.T) {
	outboundtest.Run(t, func(t *testing.T, c *outbound.Client, address string) error {
		_, err := webpage.New(c, time.Now).Expand(t.Context(), address)
		return err
	})
	c, err := webpage.NewClient("annai")
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/",
		"http://192.0.2.1:8080/",
	} {
		if _, err := webpage.New(c, time.Now).Expand(t.Context(), address); !errors.Is(err, outbound.ErrRefused) {
			t.Errorf("Expand(%q) = %v, want it refused", address, err)
		}
	}
}
