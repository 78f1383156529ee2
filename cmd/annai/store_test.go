package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"annai/api"
	"annai/storage/postgres/pgtest"
)

// The secrets of these tests, which nobody may see.
const (
	hexKey   = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	otherKey = "f0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
	password = "hunter2"
)

// longDeadline is for every turn and every source unless a test says otherwise: how fast an answer is on a busy machine is not what is tested.
const longDeadline = "2m"

func TestMain(m *testing.M) {
	if os.Getenv(isChild) != "" {
		os.Exit(beChild())
	}
	if err := errors.Join(os.Setenv("ANNAI_DEADLINE", longDeadline), os.Setenv("ANNAI_SOURCE_DEADLINE", longDeadline)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(pgtest.Main(m))
}

// postgresSchema returns the server and the address of an empty schema in it.
func postgresSchema(t *testing.T) (s *pgtest.Server, address string) {
	t.Helper()
	s = pgtest.Shared(t)
	return s, s.Schema(t)
}

// field returns the value of a key of an address.
func field(t *testing.T, address, key string) string {
	t.Helper()
	for _, f := range strings.Fields(address) {
		if value, ok := strings.CutPrefix(f, key+"="); ok {
			return value
		}
	}
	t.Fatalf("the address %q has no %s", address, key)
	return ""
}

func fileWith(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// newerFile returns a data folder with a file that a newer annai made.
func newerFile(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(folder, "annai.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	return folder
}

// smallVenue returns a venue with a calendar and one passage, which is soon open.
func smallVenue(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"venue.yaml": `name: {ja: 図書館, en: The Library}
timezone: Asia/Tokyo
website: https://library.example
calendars: [{id: events, label: {ja: 催し, en: Events}, source: ics, path: events.ics, visibility: public}]
knowledge: [about.md]
`,
		"events.ics": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//annai//test//EN\r\nEND:VCALENDAR\r\n",
		"about.md":   "---\ntitle: About\nlang: en\ncategory: about\nsource: https://library.example\n---\n\nThe library has books.\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "venue.yaml")
}

// TestDoctorTriesTheStore has all that can be wrong with a store said by doctor, in a line among those of the other parts, and by serve.
func TestDoctorTriesTheStore(t *testing.T) {
	t.Parallel()
	folder, sealed := t.TempDir(), t.TempDir()
	key, other := fileWith(t, hexKey), fileWith(t, otherKey)
	for _, c := range []struct {
		name string
		args []string
		says string
		ok   bool
	}{
		{"memory", nil, "in memory", true},
		{"a file", []string{"--data", folder}, "in " + folder, true},
		{"an encrypted file", []string{"--data", sealed, "--encryption-key-file", key, "--compress-above", "1KiB"}, "annai.db, encrypted", true},
		{"the same", []string{"--data", sealed, "--encryption-key-file", key}, "annai.db, encrypted", true},
		{"another key", []string{"--data", sealed, "--encryption-key-file", other}, "were written with another encryption key, or without one", false},
		{"no key", []string{"--data", sealed}, "are encrypted, and no encryption key is set", false},
		{"a key too late", []string{"--data", folder, "--encryption-key-file", key}, "were written with another encryption key, or without one", false},
		{"a newer file", []string{"--data", newerFile(t)}, "the file has format 99, this annai knows up to", false},
		{"a folder that can't be written", []string{"--data", "/proc"}, "can't be written", false},
		{"no server", []string{"--postgres", "host=/nowhere user=a dbname=b password=" + password}, "the PostgreSQL server can't be reached", false},
		{"nobody listens", []string{"--postgres", "postgres://a:" + password + "@127.0.0.1:1/b"}, "the PostgreSQL server can't be reached", false},
		{"no such mode", []string{"--postgres", "postgres://a:" + password + "@127.0.0.1:1/b?sslmode=so"}, "sslmode is invalid", false},
	} {
		t.Run(c.name, func(t *testing.T) { tryStore(t, c.args, c.says, c.ok) })
	}
}

func TestDoctorTriesPostgreSQL(t *testing.T) {
	s, address := postgresSchema(t)
	rules := filepath.Join(field(t, address, "host"), "data", "pg_hba.conf")
	before, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(rules, append([]byte("local all stranger scram-sha-256\n"), before...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Kill(), s.Restart(t.Context())); err != nil {
		t.Fatal(err)
	}
	stranger := strings.Replace(address, "user=annai", "user=stranger password="+password, 1)
	key, other := fileWith(t, hexKey), fileWith(t, otherKey)
	for _, c := range []struct {
		name string
		args []string
		says string
		ok   bool
	}{
		{"encrypted", []string{"--postgres", address, "--encryption-key-file", key}, "in PostgreSQL, encrypted", true},
		{"by file", []string{"--postgres-file", fileWith(t, address), "--encryption-key-file", key, "--data", t.TempDir()}, "in PostgreSQL, encrypted", true},
		{"another key", []string{"--postgres", address, "--encryption-key-file", other}, "in PostgreSQL were written with another encryption key", false},
		{"no key", []string{"--postgres", address}, "are encrypted, and no encryption key is set", false},
		{"a wrong password", []string{"--postgres", stranger}, `refuses the user or the password: open postgres`, false},
	} {
		t.Run(c.name, func(t *testing.T) { tryStore(t, c.args, c.says, c.ok) })
	}
}

// tryStore runs doctor, and serve where that must refuse.
func tryStore(t *testing.T, args []string, says string, ok bool) {
	t.Helper()
	args = append(args, "--log-level", "debug", "--venue", smallVenue(t))
	mark, wanted := "ok    sessions", exitOK
	if !ok {
		mark, wanted = "FAIL  sessions", exitFailed
	}
	code, out, errs := command(t, "", append([]string{"doctor"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; code != wanted || !strings.HasPrefix(last, mark) || !strings.Contains(last, says) || len(lines) < 3 {
		t.Errorf("annai doctor %q = %d, %s%s; want the other parts and then a line %q that says %q", args, code, out, errs, mark, says)
	}
	if !ok {
		var said string
		code, _, said = command(t, "", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
		if code != exitFailed || !strings.Contains(said, says) || strings.Count(said, "\n") != 1 {
			t.Errorf("annai serve %q = %d, %q; want one line that says %q", args, code, said, says)
		}
		errs += said
	}
	keepsSecrets(t, out+errs)
}

func keepsSecrets(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{hexKey[:20], otherKey[:20], password} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is shown in:\n%s", secret, text)
		}
	}
}

// post asks, and returns the status and the body, of an answer or of an apology.
func (r running) post(t *testing.T, body string) (status int, answer struct {
	api.QueryResponse

	Error api.ErrorBody `json:"error"`
},
) {
	t.Helper()
	response, err := http.Post(r.url+"/query", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatalf("POST /query %s = %d %s: %v", body, response.StatusCode, data, err)
	}
	return response.StatusCode, answer
}

const (
	firstQuestion  = `{"query": "今日のイベントは？", "sessionId": "s1"}`
	secondQuestion = `{"query": "場所は？", "sessionId": "s1"}`
)

// recovers asks until there is an answer, which must know what the session was about. Each connection from before an outage may fail once.
func (r running) recovers(t *testing.T) {
	t.Helper()
	const connections = 20
	for range connections {
		status, answer := r.post(t, secondQuestion)
		if status == http.StatusOK {
			if !answer.Metadata.ProcessingInfo.ContextInherited {
				t.Errorf("once the store is back the session is forgotten: %q", answer.Text)
			}
			return
		}
	}
	t.Error("the store is back, and still there is no answer")
}

// TestPostgresGoesAway kills the server under annai serve.
func TestPostgresGoesAway(t *testing.T) {
	pg, address := postgresSchema(t)
	args := []string{"--postgres", address, "--encryption-key-file", fileWith(t, hexKey), "--log-level", "debug"}
	s, beside := start(t, args...), start(t, args...)
	if status, answer := s.post(t, firstQuestion); status != http.StatusOK || answer.Emotion != "excited" {
		t.Fatalf("the first answer = %d, %+v", status, answer)
	}
	if err := pg.Kill(); err != nil {
		t.Fatal(err)
	}
	for body, sorry := range map[string]string{
		secondQuestion: "すみません",
		`{"query": "Where is it?", "sessionId": "s1"}`:        "Sorry",
		`{"query": "今日のイベントは？", "sessionId": "s2"}`:           "すみません",
		`{"query": "What's on today?", "sessionId": "elses"}`: "Sorry",
	} {
		status, answer := s.post(t, body)
		if status != http.StatusServiceUnavailable || answer.Error.Code != api.CodeUnavailable || answer.Emotion != "apologetic" || !strings.Contains(answer.Text, sorry) {
			t.Errorf("%s without a server = %d, %+v, want 503 with an apology", body, status, answer)
		}
	}
	// Nothing can be missing of a session that begins.
	status, answer := s.post(t, `{"query": "What's on today?"}`)
	if status != http.StatusOK || answer.Emotion != "excited" {
		t.Errorf("who comes while there is no server is told %d, %+v, want an answer", status, answer)
	}
	if err := pg.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.recovers(t)
	beside.recovers(t) // a session is everybody's
	s.stop()
	beside.stop()
	keepsSecrets(t, s.out.String())
	again := start(t, args...)
	again.recovers(t)
}

// TestPostgresHangs has a server that is there and does not answer.
func TestPostgresHangs(t *testing.T) {
	pg, address := postgresSchema(t)
	line, address := pg.Line(t, address)
	s := start(t, "--postgres", address, "--deadline", "4s", "--source-deadline", "4s")
	for try := 1; ; try++ { // on a busy machine the first one may take longer than the deadline
		status, answer := s.post(t, firstQuestion)
		if status == http.StatusOK {
			break
		}
		if try == 5 {
			t.Fatalf("the first answer = %d, %+v", status, answer)
		}
	}
	line.Hold()
	var asked sync.WaitGroup
	for body, sorry := range map[string]string{secondQuestion: "すみません", `{"query": "What's on today?", "sessionId": "elses"}`: "Sorry"} {
		asked.Go(func() {
			status, answer := s.post(t, body)
			if status != http.StatusGatewayTimeout || answer.Error.Code != api.CodeDeadline || answer.Emotion != "apologetic" || !strings.Contains(answer.Text, sorry) {
				t.Errorf("%s while the server hangs = %d, %+v, want 504 with an apology", body, status, answer)
			}
		})
	}
	asked.Wait()
	line.Release()
	s.recovers(t)
}
