package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestCalendarEmulator(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &output{grew: make(chan struct{}, 1)}
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"calendar-emulator", "--demo"}, terminal{in: strings.NewReader(""), out: out, err: out})
	}()
	for !strings.Contains(out.String(), "REFRESH_TOKEN=") {
		select {
		case <-out.grew:
		case code := <-done:
			t.Fatalf("annai calendar-emulator ended with %d: %s", code, out)
		case <-time.After(2 * time.Minute):
			t.Fatalf("annai calendar-emulator is not ready: %s", out)
		}
	}
	setting := func(name string) string {
		found := regexp.MustCompile(`export ANNAI_GOOGLE_` + name + `=(\S+)`).FindStringSubmatch(out.String())
		if found == nil {
			t.Fatalf("annai calendar-emulator says no %s: %s", name, out)
		}
		return found[1]
	}
	if page := setting("AUTH_URL"); !strings.HasSuffix(page, "/o/oauth2/v2/auth") {
		t.Errorf("AUTH_URL = %s, want the page of the consent", page)
	}
	response, err := http.PostForm(setting("TOKEN_URL"), url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {setting("CALENDAR_REFRESH_TOKEN")}, "client_id": {setting("CLIENT_ID")}, "client_secret": {setting("CLIENT_SECRET")},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var token struct {
		Access string `json:"access_token"`
	}
	if err := json.NewDecoder(response.Body).Decode(&token); err != nil || token.Access == "" {
		t.Fatalf("the refresh token brings %+v, %v, want an access token", token, err)
	}
	answer, err := http.Get(setting("API_URL") + "calendars/primary/events?access_token=" + token.Access)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var list struct {
		Items []struct{} `json:"items"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&list); err != nil || answer.StatusCode != http.StatusOK || len(list.Items) < 5 {
		t.Errorf("the demo calendar = %s, %d events, %v, want at least 5", answer.Status, len(list.Items), err)
	}
	cancel()
	if code := <-done; code != exitOK {
		t.Errorf("annai calendar-emulator ended with %d after it was told to stop, want %d", code, exitOK)
	}
}

func TestCalendarEmulatorListensHereOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "127.0.0.1", "example.org:80"} {
		if code, _, errs := command(t, "", "calendar-emulator", "--listen", address); code != exitUsage || !strings.Contains(errs, "--listen") {
			t.Errorf("annai calendar-emulator --listen %s = %d, %s, want %d", address, code, errs, exitUsage)
		}
	}
}
