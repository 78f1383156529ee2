package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"annai/api"
)

// keptThread is the thread in the folders of testdata/folders.
const keptThread = "6f1d3f0e-5f0b-4f57-9d3c-3c4a5a1f0001"

// soon is some minutes after what is in these folders was said.
const soon = "2026-11-19T10:02:00+09:00"

// askAs asks with a key, or without one if it is "".
func askAs(t *testing.T, r running, key, session, words string) (answer api.QueryResponse) {
	t.Helper()
	body := map[string]any{"query": words, "sessionId": session}
	if status := callAs(t, r, key, http.MethodPost, "/query", body, &answer); status != http.StatusOK {
		t.Fatalf("%s in session %s = %d", words, session, status)
	}
	return answer
}

// callAs calls with a key, or without one if it is "".
func callAs(t *testing.T, r running, key, method, path string, body, into any) (status int) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, r.url+path, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if into != nil && response.StatusCode == http.StatusOK {
		if err := json.Unmarshal(said, into); err != nil {
			t.Fatalf("%s %s = %s: %v", method, path, said, err)
		}
	}
	return response.StatusCode
}

// newKey makes one with annai keys add.
func newKey(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := command(t, "", append([]string{"keys", "add"}, args...)...)
	key := regexp.MustCompile(`annai_[\w-]+`).FindString(out)
	if code != exitOK || key == "" {
		t.Fatalf("annai keys add = %d, %q, %q", code, out, errs)
	}
	return key
}

// TestFoldersOfOlderVersions: whole data folders that older versions left behind go on: a talk, a
// question that is open, a plan that waits for its yes, events, tasks, knowledge, keys, threads and
// a run that was not begun. They are backups, which are made by
//
//	annai backup --data FOLDER testdata/folders/DAY.backup
//
// of a folder without knowledge.vectors, which is made anew.
func TestFoldersOfOlderVersions(t *testing.T) {
	t.Parallel()
	key := fileWith(t, strings.Repeat(hexKey[:16], 4))
	for file, more := range map[string][]string{
		"2026-11-23.backup":           nil,
		"2026-11-28-encrypted.backup": {"--encryption-key-file", key},
	} {
		t.Run(file, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			code, _, errs := command(t, "", "restore", "--data", data, filepath.Join("testdata", "folders", file))
			if code != exitOK {
				t.Fatalf("annai restore = %d, %s", code, errs)
			}
			admin := newKey(t, "--role", "admin", "--name", "new", "--data", data)
			s := start(t, append([]string{
				"--now", soon, "--data", data, "--venue", filepath.Join("testdata", "folders", "venue", "venue.yaml"),
				"--owner-key-file", fileWith(t, calendarKey), "--session-idle", "1h",
			}, more...)...)
			goOn(t, s)
			if more != nil { // before, owners had one session of a name together, whatever their keys
				planGoesOn(t, s)
			}
			runGoesOn(t, s, admin)
		})
	}
}

func goOn(t *testing.T, s running) {
	t.Helper()
	for _, c := range []struct{ what, key, session, words, want string }{
		{"a talk", "", "kiosk-1", "場所は？", "和室"},
		{"an open question", "", "kiosk-2", "屋上", "屋上カフェ"},
		{"an event", calendarKey, "other", "明日の私の予定は？", "歯医者"},
		{"knowledge", "", "kiosk-4", "落とし物はどこに届きますか？", "総合受付"},
	} {
		if got := askAs(t, s, c.key, c.session, c.words); !strings.Contains(got.Text, c.want) {
			t.Errorf("%s: %s = %q, want %s in it", c.what, c.words, got.Text, c.want)
		}
	}
	status := callAs(t, s, "", http.MethodPost, "/threads/search", map[string]any{}, nil)
	if status != http.StatusUnauthorized {
		t.Errorf("POST /threads/search without a key = %d, want 401: there was an admin key", status)
	}
}

func planGoesOn(t *testing.T, s running) {
	t.Helper()
	const planned = "山田さんと打ち合わせ"
	for _, words := range []string{"はい", "来週月曜の私の予定は？"} {
		if got := askAs(t, s, calendarKey, "desk", words); !strings.Contains(got.Text, planned) {
			t.Errorf("a plan: %s = %q, want %s in it", words, got.Text, planned)
		}
	}
}

func runGoesOn(t *testing.T, s running, admin string) {
	t.Helper()
	var state struct {
		Values struct{ Messages []struct{ Type string } }
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		status := callAs(t, s, admin, http.MethodGet, "/threads/"+keptThread+"/state", nil, &state)
		if n := len(state.Values.Messages); status == http.StatusOK && n == 4 {
			return
		} else if time.Now().After(end) {
			t.Fatalf("GET of the thread = %d with %d messages, want those of two runs", status, n)
		}
	}
}

// TestBackupWhileServing: a backup has what was answered before it, is for nobody else to read, and
// has nothing in the clear that the folder has not.
func TestBackupWhileServing(t *testing.T) {
	t.Parallel()
	const mark = "GIRAFFEMARK"
	folder := t.TempDir()
	data, file := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	args := []string{"--data", data, "--venue", smallVenue(t), "--encryption-key-file", fileWith(t, hexKey)}
	s := start(t, args...)
	first := s.ask(t, `{"query": "`+mark+`について教えて", "sessionId": "s1"}`)
	code, out, errs := command(t, "", "backup", "--data", data, file)
	if code != exitOK || !strings.Contains(out, "databases") {
		t.Fatalf("annai backup = %d, %q, %q", code, out, errs)
	}
	code, _, errs = command(t, "", "restore", "--replace", "--data", data, file)
	if code != exitFailed || !strings.Contains(errs, "stop annai first") {
		t.Errorf("annai restore under a server = %d, %q, want that it be stopped", code, errs)
	}
	s.stop()
	if code, _, errs := command(t, "", "restore", "--replace", "--data", data, file); code != exitOK {
		t.Fatalf("annai restore = %d, %q", code, errs)
	}
	again := start(t, args...)
	answer := again.ask(t, `{"query": "もう一度言って", "sessionId": "s1"}`)
	if answer.Text != first.Text {
		t.Errorf("after a restore the session is gone: %q, want %q", answer.Text, first.Text)
	}
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unzipped, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(unzipped)
	if err != nil || bytes.Contains(all, []byte(mark)) || !bytes.Contains(all, []byte("annai.db")) {
		t.Errorf("what was said is in the clear in the backup, or it is none: %v", err)
	}
}

func TestBackupSaysWhatIsMissing(t *testing.T) {
	for says, args := range map[string][]string{
		"which file?":      {"backup", "--data", t.TempDir()},
		"add --data":       {"backup", "x"},
		"pg_dump":          {"backup", "--postgres", "host=127.0.0.1", "x"},
		"there is no":      {"backup", "--data", filepath.Join(t.TempDir(), "none"), "x"},
		"no such file":     {"restore", "--data", t.TempDir(), filepath.Join(t.TempDir(), "none")},
		"is no backup":     {"restore", "--data", t.TempDir(), fileWith(t, "hello")},
		"which file? anna": {"restore"},
	} {
		code, _, errs := command(t, "", args...)
		if code == exitOK || !strings.Contains(strings.ToLower(errs), says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("annai %q = %d, %q, want %q in one line", args, code, errs, says)
		}
	}
}

// TestDumpOfPostgres tries the recipe of docs/operations.md: what pg_dump wrote while a server ran
// goes on in another database.
func TestDumpOfPostgres(t *testing.T) {
	server, address := postgresSchema(t)
	args := []string{"--venue", smallVenue(t), "--postgres"}
	s := start(t, append(args, address)...)
	s.ask(t, `{"query": "Do you have books?", "sessionId": "s1"}`)
	tool := func(name string, more ...string) {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), server.Program(name), more...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q = %v: %s", name, more, err, out)
		}
	}
	file := filepath.Join(t.TempDir(), "annai.dump")
	schema := field(t, address, "search_path")
	plain := strings.ReplaceAll(address, "search_path="+schema, "")
	tool("pg_dump", "--format=custom", "--no-owner", "--schema="+schema, "--file="+file, "--dbname="+plain)
	s.stop()
	other := server.Database(t)
	tool("pg_restore", "--exit-on-error", "--no-owner", "--dbname="+other, file)
	again := start(t, append(args, other+" search_path="+schema)...)
	answer := again.ask(t, `{"query": "Pardon?", "sessionId": "s1"}`)
	if !strings.Contains(answer.Text, "books") {
		t.Errorf("after a restore the talk is gone: %q", answer.Text)
	}
}
