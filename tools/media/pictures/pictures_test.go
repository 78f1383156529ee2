package pictures_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/outbound"
	"annai/tools/media/pictures"
)

// gallery is a host of pictures, and how often it was asked.
func gallery(t *testing.T) (address string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewRGBA(image.Rect(0, 0, 1300, 700))); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Path {
		case "/poster.png":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(file.Bytes())
		case "/broken.png":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(file.Bytes()[:40])
		case "/page.png":
			_, _ = w.Write([]byte("<html><script>alert(1)</script>"))
		case "/away.png":
			other := strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
			http.Redirect(w, r, "http://"+other+"/poster.png", http.StatusFound)
		case "/large.png":
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(make([]byte, 6<<20))
		default:
			http.NotFound(w, r)
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, asked
}

func open(t *testing.T, all []string, now func() time.Time) *pictures.Pictures {
	t.Helper()
	client, err := outbound.New(outbound.Options{OwnPort: true, Loopback: true, UserAgent: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return pictures.New(pictures.Options{
		Client: client, Hosts: []string{"127.0.0.1", ".example.org"}, Now: now,
		All: func(context.Context) ([]string, error) { return all, nil },
	})
}

func TestPictures(t *testing.T) {
	address, asked := gallery(t)
	now := time.Date(2026, 1, 14, 10, 0, 0, 0, time.UTC)
	p := open(t, nil, func() time.Time { return now })
	name := p.Name(address + "/poster.png")
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			data, err := p.Open(t.Context(), name)
			if err != nil {
				t.Errorf("Open = %v", err)
				return
			}
			if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err != nil || c.Width != 433 || c.Height != 233 {
				t.Errorf("Open = %d x %d (%v), want a JPEG of 433 x 233", c.Width, c.Height, err)
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("the host was asked %d times for one picture", n)
	}
	now = now.Add(2 * time.Hour)
	if _, err := p.Open(t.Context(), name); err != nil || asked.Load() != 2 {
		t.Errorf("Open after two hours = %v, asked %d times, want it anew", err, asked.Load())
	}
}

// What is no picture, or comes from elsewhere, is not shown, and not asked for again at once.
func TestPicturesRefused(t *testing.T) {
	address, asked := gallery(t)
	p := open(t, nil, time.Now)
	for _, path := range []string{"/broken.png", "/page.png", "/away.png", "/large.png", "/gone.png"} {
		name, want := p.Name(address+path), fault.ErrUnavailable
		if path == "/gone.png" {
			want = fault.ErrNotFound
		}
		for range 2 {
			if data, err := p.Open(t.Context(), name); !errors.Is(err, want) {
				t.Errorf("Open(%s) = %d bytes, %v, want %v", path, len(data), err, want)
			}
		}
	}
	if n := asked.Load(); n != 5 {
		t.Errorf("five pictures that can't be shown were asked for %d times", n)
	}
	for _, from := range []string{
		"http://169.254.169.254/latest.png", "https://example.com/a.png", "https://notexample.org/a.png",
		"file:///etc/passwd", "https://user:key@images.example.org/a.png", "",
	} {
		if name := p.Name(from); name != "" {
			t.Errorf("Name(%s) = %q, want none", from, name)
		}
	}
	if p.Name("https://images.example.org/a.png") == "" || p.Name("https://example.org/a.png") == "" {
		t.Error("a host below a domain that is named has no name")
	}
}

// A server that did not tell a name finds it in the calendars; others than those there are nothing.
func TestPicturesOfCalendars(t *testing.T) {
	address, _ := gallery(t)
	one, other := open(t, nil, time.Now), open(t, []string{address + "/poster.png"}, time.Now)
	if _, err := other.Open(t.Context(), one.Name(address+"/poster.png")); err != nil {
		t.Errorf("Open at another server = %v", err)
	}
	if _, err := other.Open(t.Context(), one.Name(address+"/other.png")); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Open of what no event has = %v, want ErrNotFound", err)
	}
}
