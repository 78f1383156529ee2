package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"annai/api"
	"annai/fault"
	"annai/tools/calendar"
)

// somePictures is a host with one picture.
type somePictures struct{}

func (somePictures) Name(address string) string {
	if address == "https://library.example/a.png" {
		return "a.jpg"
	}
	return ""
}

func (somePictures) Open(_ context.Context, name string) ([]byte, error) {
	if name != "a.jpg" {
		return nil, fmt.Errorf("picture: %w", fault.ErrNotFound)
	}
	return []byte("\xff\xd8picture"), nil
}

// The picture of an event is had from us, by a page without a key, and is a picture and nothing else.
func TestPictureOfEvent(t *testing.T) {
	f := setup{more: func(p *Parts) { p.Pictures = somePictures{} }}.fixture(t)
	f.calendar.listing.Events = []calendar.Event{
		{ID: "1", Title: "Talk", Picture: "https://library.example/a.png", Start: noon, End: noon},
		{ID: "2", Title: "Other", Picture: "https://other.example/a.png", Start: noon, End: noon},
	}
	var events api.EventsResponse
	w := f.do(t, "GET", "/events", "")
	if err := json.Unmarshal(w.Body.Bytes(), &events); err != nil || len(events.Events) != 2 ||
		events.Events[0].Picture != "/pictures/a.jpg" || events.Events[1].Picture != "" {
		t.Fatalf("GET /events: %s, %v, want the picture of the first alone", w.Body, err)
	}
	c := loadContract(t, f)
	w = f.do(t, "GET", events.Events[0].Picture, "", "Origin", "https://elsewhere.example")
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, max-age=3600",
		"Content-Security-Policy": stillImage,
	} {
		if got := w.Header().Get(name); w.Code != http.StatusOK || got != want {
			t.Errorf("GET the picture: %d, %s = %q, want %q", w.Code, name, got, want)
		}
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/pictures/a.jpg", http.NoBody)
	c.check(t, "/pictures/{name}", r, "", w)
	checkEnvelope(t, f.do(t, "GET", "/pictures/b.jpg", ""), http.StatusNotFound, api.CodeNotFound)
}
