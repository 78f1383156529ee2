package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestKeyOfASocket: a WebSocket, whose client can send no header, brings its key in the address; no
// other route takes one there.
func TestKeyOfASocket(t *testing.T) {
	t.Parallel()
	const key = "a-key-for-kiosks-and-avatars"
	s := start(t, "--venue", smallVenue(t), "--ask-key-file", fileWith(t, key))
	var thread struct {
		ID string `json:"thread_id"`
	}
	callAs(t, s, key, http.MethodPost, "/threads", map[string]any{}, &thread)
	for path, want := range map[string]int{
		"/threads/" + thread.ID + "/stream/events?key=" + key:       http.StatusSwitchingProtocols,
		"/threads/" + thread.ID + "/stream/events?key=" + key + "x": http.StatusUnauthorized,
		"/threads/" + thread.ID + "?key=" + key:                     http.StatusUnauthorized,
		"/venue?key=" + key:                                         http.StatusUnauthorized,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
		} {
			request.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if _ = response.Body.Close(); response.StatusCode != want {
			t.Errorf("GET %s = %s, want %d", path, response.Status, want)
		}
	}
}

// TestTwoServersOfOneFolder: the second one says so, and answers.
func TestTwoServersOfOneFolder(t *testing.T) {
	t.Parallel()
	data, venueFile := t.TempDir(), smallVenue(t)
	first := start(t, "--data", data, "--venue", venueFile)
	second := start(t, "--data", data, "--venue", venueFile)
	const says = "another server uses this data folder"
	if strings.Contains(first.out.String(), says) || !strings.Contains(second.out.String(), says) {
		t.Errorf("the servers say %s and %s, want that the second says that it is not alone", first.out, second.out)
	}
}

// TestKeysInTheClear: who lets keys come over an address that others reach is told that they can be read
// on their way. Nothing is listened to: there is no such venue.
func TestKeysInTheClear(t *testing.T) {
	for listen, want := range map[string]bool{"192.0.2.1:1": true, "127.0.0.1:0": false} {
		out := &output{grew: make(chan struct{}, 1)}
		key := fileWith(t, "a-key-for-kiosks-and-avatars")
		args := []string{"serve", "--listen", listen, "--venue", "/nowhere", "--ask-key-file", key}
		code := run(t.Context(), args, terminal{in: strings.NewReader(""), out: out, err: out})
		if told := strings.Contains(out.String(), "keys come to this address in the clear"); told != want || code == 0 {
			t.Errorf("annai %q = %d, and told of keys in the clear: %v, want %v: %s", args, code, told, want, out)
		}
	}
}
