package server

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/tools/media"
)

func TestMedia(t *testing.T) {
	now := noon
	files, err := media.OpenFiles(t.Context(), "", func() time.Time { return now }, media.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, Options{})
	f.parts.Files = files
	const text = "0123456789"
	address, err := files.Put([]byte(text), media.MP4)
	if err != nil {
		t.Fatal(err)
	}
	c := loadContract(t, f)
	for _, test := range []struct {
		name, ask, want string
		status          int
	}{
		{"all", "", text, http.StatusOK},
		{"a part", "bytes=2-4", "234", http.StatusPartialContent},
		{"the end", "bytes=-3", "789", http.StatusPartialContent},
	} {
		w := f.do(t, "GET", address.URL, "", "Range", test.ask, "Origin", "https://elsewhere.example")
		if w.Code != test.status || w.Body.String() != test.want {
			t.Errorf("GET %s: %d %q, want %d %q", test.name, w.Code, w.Body, test.status, test.want)
		}
		for name, want := range map[string]string{
			"Content-Type": "video/mp4", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store",
			"Accept-Ranges": "bytes",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("GET %s: %s = %q, want %q", test.name, name, got, want)
			}
		}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, address.URL, http.NoBody)
		c.check(t, "/media/{name}", r, "", w)
	}
	if w := f.do(t, "GET", address.URL, "", "Range", "bytes=20-30"); w.Code != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("GET beyond the end: %d, want 416", w.Code)
	}
	forged := strings.Replace(address.URL, "expires=", "expires=1", 1)
	checkEnvelope(t, f.do(t, "GET", forged, ""), http.StatusNotFound, api.CodeNotFound)
	now = address.Expires
	checkEnvelope(t, f.do(t, "GET", address.URL, ""), http.StatusGone, api.CodeGone)
}
