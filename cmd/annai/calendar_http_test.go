package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"annai/api"
	"annai/tools/calendar/google/emulator"
)

const calendarKey = "an-owner-key-of-these-tests"

// A desk is an owner who speaks to annai over HTTP, with a calendar at the emulator.
type desk struct {
	*testing.T
	google *emulator.Emulator
	args   []string
	server running
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{T: t}
	began := time.Now()
	noon, err := time.Parse(time.RFC3339, thursday)
	if err != nil {
		t.Fatal(err)
	}
	d.google = emulator.New(emulator.Options{Now: func() time.Time { return noon.Add(time.Since(began)) }})
	there := httptest.NewServer(d.google)
	t.Cleanup(there.Close)
	for _, setting := range googleSettings(d.google, there.URL) {
		name, value, _ := strings.Cut(setting, "=")
		t.Setenv(name, value)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "venue.yaml"), []byte(crashVenue), 0o600); err != nil {
		t.Fatal(err)
	}
	d.args = []string{"--venue", filepath.Join(folder, "venue.yaml"), "--data", filepath.Join(folder, "data"), "--owner-key-file", fileWith(t, calendarKey)}
	d.server = start(t, d.args...)
	return d
}

// googleSettings are the settings of an owner who has signed in at the emulator.
func googleSettings(e *emulator.Emulator, url string) []string {
	id, secret := e.Client()
	return []string{
		"ANNAI_GOOGLE_API_URL=" + url + "/calendar/v3/", "ANNAI_GOOGLE_TOKEN_URL=" + url + emulator.TokenPath,
		"ANNAI_GOOGLE_CLIENT_ID=" + id, "ANNAI_GOOGLE_CLIENT_SECRET=" + secret, "ANNAI_GOOGLE_CALENDAR_REFRESH_TOKEN=" + e.RefreshToken(),
	}
}

// post says something in a session, and returns the status and the answer.
func (d *desk) post(session, words string) (status int, answer api.QueryResponse) {
	d.Helper()
	body, err := json.Marshal(map[string]string{"query": words, "sessionId": session})
	if err != nil {
		d.Fatal(err)
	}
	request, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.server.url+"/query", strings.NewReader(string(body)))
	if err != nil {
		d.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+calendarKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		d.Error(err)
		return 0, answer
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil {
		d.Errorf("%q is answered with %s, %v", words, text, err)
	}
	return response.StatusCode, answer
}

// say says something, and wants an answer with these words in it.
func (d *desk) say(session, words string, want ...string) api.QueryResponse {
	d.Helper()
	status, answer := d.post(session, words)
	for _, w := range want {
		if status != http.StatusOK || !strings.Contains(answer.Text, w) {
			d.Errorf("%q in session %s = %d, %q, want %q", words, session, status, answer.Text, w)
		}
	}
	return answer
}

// has wants these entries at Google, as name and hour.
func (d *desk) has(want ...string) {
	d.Helper()
	var got []string
	for _, e := range d.google.Events("primary") {
		if e.Status == "cancelled" {
			continue
		}
		v, _ := shapeAt(e)
		got = append(got, fmt.Sprintf("%s at %d", e.Summary, v.start.Hour()))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		d.Errorf("Google has %q, want %q", got, want)
	}
}

func TestCalendarOverHTTP(t *testing.T) {
	for name, w := range map[string]struct {
		first, second, yes, done, already string
		shown                             [2]string
		to17, to18, changed, stale        string
		another, noAccess                 string
	}{
		"ja": {
			first: "11月25日の15時に歯医者を入れて", second: "11月26日の16時に読書会を入れて", yes: "はい", done: "登録しました", already: "登録してあります",
			shown: [2]string{"歯医者", "読書会"}, to17: "歯医者を17時に変更して", to18: "歯医者を18時に変更して", changed: "変更しました", stale: "他の人がこの予定を変更していた",
			another: "11月27日の15時に英会話を入れて", noAccess: "カレンダーにアクセスできません",
		},
		"en": {
			first: "Add a dentist appointment on November 25 at 3 pm", second: "Add a team lunch on November 26 at 4 pm", yes: "yes", done: "I've added", already: "in your calendar already",
			shown: [2]string{"Dentist appointment", "Team lunch"}, to17: "Move the dentist appointment to 5 pm", to18: "Move the dentist appointment to 6 pm", changed: "I've changed", stale: "Someone changed this entry meanwhile",
			another: "Add a haircut on November 27 at 3 pm", noAccess: "I cannot reach the calendar",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)

			// A restart between the question and the yes.
			if a := d.say("s", w.first); a.Interrupt == nil || a.Interrupt.Kind != "confirm" {
				t.Fatalf("%q = %q, want a question", w.first, a.Text)
			}
			d.has()
			if code := d.server.stop(); code != exitOK {
				t.Fatalf("annai serve ended with %d", code)
			}
			d.server = start(t, d.args...)
			d.say("s", w.yes, w.done)
			d.has(w.shown[0] + " at 15")
			d.say("s", w.yes, w.already)

			// The same yes, twice at once.
			d.say("s", w.second)
			d.twice(w.yes, w.done)
			d.has(w.shown[0]+" at 15", w.shown[1]+" at 16")

			// Two owners change the same entry.
			d.say("a", w.to17)
			d.say("b", w.to18)
			d.say("a", w.yes, w.changed)
			if a := d.say("b", w.yes, w.stale); a.Interrupt == nil {
				t.Errorf("%q, want a question", a.Text)
			}
			d.has(w.shown[0]+" at 17", w.shown[1]+" at 16")
			d.say("b", w.yes, w.changed)
			d.has(w.shown[0]+" at 18", w.shown[1]+" at 16")

			// The owner takes the consent back.
			d.google.RevokeAll()
			for range 2 {
				d.say("s", w.another)
				d.say("s", w.yes, w.noAccess)
			}
			d.has(w.shown[0]+" at 18", w.shown[1]+" at 16")
			if n := strings.Count(d.server.out.String(), "google calendar is disconnected"); n != 1 {
				t.Errorf("the log says %d times that the calendar is disconnected, want once: %s", n, d.server.out)
			}
		})
	}
}

// twice says yes twice at the same time: while the first is carried out, the second is told that a run is active.
func (d *desk) twice(yes, done string) {
	d.Helper()
	type result struct {
		status int
		answer api.QueryResponse
	}
	results, refused := make(chan result, 2), make(chan struct{})
	d.google.Fail(emulator.Rule{Method: "events.insert", Times: 1, Hold: func(context.Context) { <-refused }})
	for range 2 {
		go func() {
			status, answer := d.post("s", yes)
			results <- result{status, answer}
		}()
	}
	second := <-results
	close(refused)
	first := <-results
	if second.status != http.StatusConflict {
		d.Errorf("the same yes a second time = %d, %q, want %d", second.status, second.answer.Text, http.StatusConflict)
	}
	if first.status != http.StatusOK || !strings.Contains(first.answer.Text, done) {
		d.Errorf("the first of two yes = %d, %q, want %q", first.status, first.answer.Text, done)
	}
}
