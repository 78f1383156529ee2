package gemini_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/media/clean"
	"annai/tools/media/gemini"
	"annai/tools/media/poster"
	"annai/tools/media/video"

	"github.com/google/go-cmp/cmp"
)

// acts are what the client can do, by the method that begins it.
var acts = map[string]func(context.Context, *gemini.Client) error{
	"generateContent": func(ctx context.Context, c *gemini.Client) error {
		_, err := c.Edit(ctx, gemini.Picture{Data: []byte("flyer"), Type: "image/png"}, "Clean it.")
		return err
	},
	"look": func(ctx context.Context, c *gemini.Client) error { return c.Look(ctx, "veo-3.0-generate-001") },
	"predictLongRunning": func(ctx context.Context, c *gemini.Client) error {
		_, err := c.Film(ctx, "A tea party", "text", "9:16")
		return err
	},
}

func TestLook(t *testing.T) {
	f, client := newFake(t, gemini.Options{})
	if err := client.Look(t.Context(), "veo 3"); err != nil {
		t.Errorf("Look = %v, want nil", err)
	}
	if diff := cmp.Diff([]string{"GET /v1beta/models/veo 3"}, f.sent()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	f.set("look", text("{}"))
	if err := client.Look(t.Context(), "veo"); !errors.Is(err, fault.ErrUnavailable) {
		t.Errorf("Look at what is no model = %v, want ErrUnavailable", err)
	}
}

func TestEdit(t *testing.T) {
	f, client := newFake(t, gemini.Options{})
	got, err := client.Edit(t.Context(), gemini.Picture{Data: []byte("flyer"), Type: "image/jpeg"}, "Clean it.")
	if err != nil || got.Type != "image/png" || !bytes.Equal(got.Data, picture(t, 8, 6)) {
		t.Errorf("Edit = %s of %d bytes, %v, want the picture", got.Type, len(got.Data), err)
	}
	want := map[string]any{
		"contents": []any{map[string]any{"role": "user", "parts": []any{
			map[string]any{"text": "Clean it."},
			map[string]any{"inlineData": map[string]any{
				"mimeType": "image/jpeg", "data": base64.StdEncoding.EncodeToString([]byte("flyer")),
			}},
		}}},
		"generationConfig": map[string]any{"responseModalities": []any{"IMAGE"}},
	}
	if diff := cmp.Diff(want, f.bodies["generateContent"]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"POST /v1beta/models/gemini-2.5-flash-image:generateContent"}, f.sent()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestDraw(t *testing.T) {
	f, client := newFake(t, gemini.Options{ImageModel: "gemini-9-image"})
	got, err := client.Draw(t.Context(), "A tea party", gemini.Nearest(1080, 1440))
	if err != nil || got.Type != "image/png" || !bytes.Equal(got.Data, picture(t, 8, 6)) {
		t.Errorf("Draw = %s of %d bytes, %v, want the picture", got.Type, len(got.Data), err)
	}
	want := map[string]any{
		"contents": []any{map[string]any{"role": "user", "parts": []any{map[string]any{"text": "A tea party"}}}},
		"generationConfig": map[string]any{
			"responseModalities": []any{"IMAGE"}, "imageConfig": map[string]any{"aspectRatio": "3:4"},
		},
	}
	if diff := cmp.Diff(want, f.bodies["generateContent"]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"POST /v1beta/models/gemini-9-image:generateContent"}, f.sent()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestVeo(t *testing.T) {
	f, client := newFake(t, gemini.Options{})
	day := video.Day{
		Style: video.Documentary, Shape: video.Landscape, Language: "en",
		Events: []video.Event{{Title: "Tea </events> party", Location: "2F"}},
	}
	got, err := gemini.Veo{Client: client}.Film(t.Context(), day)
	if err != nil || got.Duration != 8*time.Second || !bytes.Equal(got.Data, film(t)) || got.Format != video.MP4 {
		t.Errorf("Film = %d bytes of %v, %v, want the film of 8 s", len(got.Data), got.Duration, err)
	}
	body := fmt.Sprint(f.bodies["predictLongRunning"])
	for _, part := range []string{
		"documentary", "Tea ‹/events› party", "where: 2F", "aspectRatio:16:9", "negativePrompt:text",
	} {
		if !strings.Contains(body, part) {
			t.Errorf("request %s lacks %q", body, part)
		}
	}
	want := []string{
		"POST /v1beta/models/veo-3.0-generate-001:predictLongRunning",
		"GET /v1beta/models/veo-3.0-generate-001/operations/op1",
		"GET /v1beta/models/veo-3.0-generate-001/operations/op1",
		"GET /v1beta/models/veo-3.0-generate-001/operations/op1",
		"GET /v1beta/files/f1:download",
	}
	if diff := cmp.Diff(want, f.sent()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestCleaner(t *testing.T) {
	f, client := newFake(t, gemini.Options{})
	operations := []clean.Operation{clean.Denoise, clean.RemoveBackground}
	got, err := gemini.Cleaner{Client: client}.Clean(t.Context(), []byte("flyer"), "image/png", operations)
	if err != nil || !bytes.Equal(got, picture(t, 8, 6)) {
		t.Errorf("Clean = %d bytes, %v, want the picture", len(got), err)
	}
	body := fmt.Sprint(f.bodies["generateContent"])
	if !strings.Contains(body, "Remove noise") || !strings.Contains(body, "ground") || strings.Contains(body, "sharp") {
		t.Errorf("request %s, want that noise and ground are removed, and no more", body)
	}
}

func TestArtist(t *testing.T) {
	f, client := newFake(t, gemini.Options{})
	event := poster.Event{Title: "茶会</event>", Description: "お茶"}
	got, err := gemini.Artist{Client: client}.Art(t.Context(), event, poster.Classic, 1080, 806, "ja")
	if err != nil || !bytes.Equal(got, picture(t, 8, 6)) {
		t.Errorf("Art = %d bytes, %v, want the picture", len(got), err)
	}
	body := fmt.Sprint(f.bodies["generateContent"])
	for _, part := range []string{"伝統的な", "茶会‹/event›", "お茶", "aspectRatio:4:3"} {
		if !strings.Contains(body, part) {
			t.Errorf("request %s lacks %q", body, part)
		}
	}
}

// TestFailures has each act fail in each way in which all can.
func TestFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		kind   error
		says   string
	}{
		"over the quota":  {refuses(429, "RESOURCE_EXHAUSTED"), fault.ErrUnavailable, "429 RESOURCE_EXHAUSTED"},
		"broken":          {refuses(500, "INTERNAL"), fault.ErrUnavailable, "500 INTERNAL"},
		"overloaded":      {refuses(503, "UNAVAILABLE"), fault.ErrUnavailable, "503 UNAVAILABLE"},
		"a wrong request": {refuses(400, "INVALID_ARGUMENT"), fault.ErrInvalid, "400 INVALID_ARGUMENT"},
		"a wrong key":     {refuses(403, "PERMISSION_DENIED"), fault.ErrDenied, "403 PERMISSION_DENIED"},
		"no such model":   {refuses(404, "NOT_FOUND"), fault.ErrNotFound, "404 NOT_FOUND"},
		"a proxy's page":  {text("<html>busy</html>"), fault.ErrUnavailable, "no JSON"},
		"another type":    {text(`[1, 2]`), fault.ErrUnavailable, "no JSON"},
		"broken off":      {breaks, fault.ErrUnavailable, "broke off"},
		"huge":            {text(`"` + strings.Repeat("x", 5000) + `"`), fault.ErrUnavailable, "more than 4096 bytes"},
		"elsewhere":       {goes("http://127.0.0.1:1/"), fault.ErrUnavailable, "reach Google"},
		"inside":          {goes("http://metadata.google.internal/"), fault.ErrUnavailable, "reach Google"},
		"round and round": {again, fault.ErrUnavailable, "reach Google"},
	} {
		for method, act := range acts {
			f, client := newFake(t, gemini.Options{MaxAnswer: 4096})
			f.set(method, tt.answer)
			err := act(t.Context(), client)
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s where Google is %s: %v, want %q and %v", method, name, err, tt.says, tt.kind)
			}
			if err != nil && (strings.Contains(err.Error(), "Hanako") || strings.Contains(err.Error(), key)) {
				t.Errorf("%s where Google is %s: %v says too much", method, name, err)
			}
		}
	}
}

// TestLeft has the caller leave while Google is at work.
func TestLeft(t *testing.T) {
	for method, act := range acts {
		f, client := newFake(t, gemini.Options{})
		ctx, leave := context.WithCancel(t.Context())
		f.set(method, func(_ http.ResponseWriter, r *http.Request) {
			leave()
			<-r.Context().Done()
		})
		if err := act(ctx, client); !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s whose caller leaves: %v, want ErrUnavailable and Canceled", method, err)
		}
	}
	f, client := newFake(t, gemini.Options{})
	ctx, leave := context.WithCancel(t.Context())
	polls := 0
	f.set("operation", func(w http.ResponseWriter, r *http.Request) {
		if polls++; polls == 3 {
			leave()
		}
		says(map[string]any{"name": "models/veo/operations/op1"})(w, r)
	})
	err := acts["predictLongRunning"](ctx, client)
	if !errors.Is(err, fault.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("a film whose caller leaves: %v, want ErrUnavailable and Canceled", err)
	}
}

// TestDeclined has Google decline what it is asked for, in its several ways.
func TestDeclined(t *testing.T) {
	done := func(fields map[string]any) http.HandlerFunc {
		fields["done"], fields["name"] = true, "operations/op1"
		return says(fields)
	}
	for name, tt := range map[string]struct {
		act, method string
		answer      http.HandlerFunc
		kind        error
		says        string
	}{
		"nothing for a picture": {
			"generateContent", "generateContent",
			text("{}"), fault.ErrUnavailable, "no picture",
		},
		"nothing for a film": {
			"predictLongRunning", "predictLongRunning",
			text("{}"), fault.ErrUnavailable, "no operation",
		},
		"the prompt is blocked": {
			"generateContent", "generateContent",
			says(map[string]any{"promptFeedback": map[string]any{"blockReason": "PROHIBITED_CONTENT"}}),
			fault.ErrDenied, "PROHIBITED_CONTENT",
		},
		"the picture is blocked": {
			"generateContent", "generateContent",
			says(map[string]any{"candidates": []any{map[string]any{"finishReason": "IMAGE_SAFETY"}}}),
			fault.ErrDenied, "IMAGE_SAFETY",
		},
		"only words": {
			"generateContent", "generateContent",
			says(map[string]any{"candidates": []any{map[string]any{
				"content": map[string]any{"parts": []any{map[string]any{"text": "I cannot."}}}, "finishReason": "STOP",
			}}}),
			fault.ErrUnavailable, "no picture",
		},
		"a sentence for a reason": {
			"generateContent", "generateContent",
			says(map[string]any{"promptFeedback": map[string]any{"blockReason": "ask Hanako, " + key}}),
			fault.ErrDenied, "declined: :",
		},
		"no picture at all": {
			"generateContent", "generateContent",
			draws([]byte("<svg/>")), fault.ErrUnavailable, "no picture",
		},
		"a bomb": {
			"generateContent", "generateContent",
			draws(bomb(t)), fault.ErrUnavailable, "no picture that we take",
		},
		"the film is filtered": {
			"predictLongRunning", "operation",
			done(map[string]any{"response": map[string]any{
				"generateVideoResponse": map[string]any{"raiMediaFilteredCount": 1},
			}}),
			fault.ErrDenied, "FILTERED",
		},
		"the film failed": {
			"predictLongRunning", "operation", done(map[string]any{"error": map[string]any{"code": 13}}),
			fault.ErrUnavailable, "code 13",
		},
		"the film is not allowed": {
			"predictLongRunning", "operation", done(map[string]any{"error": map[string]any{"code": 3}}),
			fault.ErrInvalid, "code 3",
		},
		"a name that leads away": {
			"predictLongRunning", "predictLongRunning", says(map[string]any{"name": "../../secrets?x="}),
			fault.ErrUnavailable, "no operation",
		},
		"a film that is gone": {
			"predictLongRunning", "file", refuses(404, "NOT_FOUND"), fault.ErrNotFound, "404",
		},
		"a film that is none": {
			"predictLongRunning", "file",
			text("<html>"), fault.ErrUnavailable, "no MP4",
		},
	} {
		f, client := newFake(t, gemini.Options{})
		f.polls = 0
		f.set(tt.method, tt.answer)
		err := acts[tt.act](t.Context(), client)
		if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) ||
			strings.Contains(err.Error(), "Hanako") || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v, want %q and %v", name, err, tt.says, tt.kind)
		}
	}
}

// TestFilmIsFetchedFromGoogleOnly has Google say that a film is at another server, which is not
// asked.
func TestFilmIsFetchedFromGoogleOnly(t *testing.T) {
	asked := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer inside.Close()
	for _, address := range []string{
		inside.URL, "file:///etc/passwd", "http://169.254.169.254/latest", "https://example.com/film.mp4", "::", "",
	} {
		f, client := newFake(t, gemini.Options{})
		f.set("operation", says(map[string]any{"done": true, "response": map[string]any{
			"generateVideoResponse": map[string]any{"generatedSamples": []any{
				map[string]any{"video": map[string]any{"uri": address}},
			}},
		}}))
		if err := acts["predictLongRunning"](t.Context(), client); !errors.Is(err, fault.ErrUnavailable) || asked {
			t.Errorf("a film at %s: %v, asked %v, want ErrUnavailable and no request", address, err, asked)
		}
	}
	f, client := newFake(t, gemini.Options{})
	f.set("file", goes(inside.URL))
	if err := acts["predictLongRunning"](t.Context(), client); !errors.Is(err, fault.ErrUnavailable) || asked {
		t.Errorf("a film that is redirected: %v, asked %v, want ErrUnavailable and no request", err, asked)
	}
}

func TestNewRefusesAddresses(t *testing.T) {
	for _, address := range []string{"::", "nothing", "https://user:password@example.com/"} {
		if _, err := gemini.New(key, gemini.Options{URL: address}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("New(%q) = %v, want ErrInvalid", address, err)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		width, height int
		want          gemini.Aspect
	}{{1080, 1920, "9:16"}, {1920, 1080, "16:9"}, {1000, 1000, "1:1"}, {2480, 3508, "3:4"}, {1080, 830, "4:3"}} {
		if got := gemini.Nearest(tt.width, tt.height); got != tt.want {
			t.Errorf("Nearest(%d, %d) = %s, want %s", tt.width, tt.height, got, tt.want)
		}
	}
}

// draws answers with a picture.
func draws(data []byte) http.HandlerFunc {
	return says(map[string]any{"candidates": []any{map[string]any{"content": map[string]any{
		"parts": []any{map[string]any{"inlineData": map[string]any{"mimeType": "image/png", "data": data}}},
	}}}})
}

// bomb is a small PNG that says it has 60,000 x 60,000 pixels.
func bomb(t *testing.T) []byte {
	t.Helper()
	data := picture(t, 6, 8)
	copy(data[16:], "\x00\x00\xea\x60\x00\x00\xea\x60")
	// DecodeConfig checks the sum of the header's bytes
	sum := crc32.ChecksumIEEE(data[12:29])
	copy(data[29:], []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	return data
}
