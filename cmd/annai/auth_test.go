package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"annai/internal/secret"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/emulator"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

// What the calendar of Google needs of its account.
var (
	_ google.Tokens  = (*oauth.Source)(nil)
	_ google.Granted = oauth.Granted{}
)

// owner is a person with a terminal, a folder and a browser, and the Google of that person.
type owner struct {
	*testing.T
	google *oauthtest.Google
	server *httptest.Server
	data   string
	all    strings.Builder // everything that was printed
}

func newOwner(t *testing.T) *owner {
	o := &owner{T: t, google: oauthtest.NewGoogle(), data: filepath.Join(t.TempDir(), "data")}
	o.server = httptest.NewServer(o.google)
	t.Cleanup(o.server.Close)
	t.Cleanup(func() {
		for _, secret := range o.google.Secrets() {
			if strings.Contains(o.all.String(), secret) {
				t.Errorf("a secret was printed:\n%s", &o.all)
			}
		}
	})
	client := o.google.Client(o.server.URL)
	t.Setenv("GOOGLE_CLIENT_ID", client.ID)
	t.Setenv("GOOGLE_CLIENT_SECRET", string(client.Secret))
	t.Setenv("ANNAI_GOOGLE_AUTH_URL", client.AuthURL)
	t.Setenv("ANNAI_GOOGLE_TOKEN_URL", client.TokenURL)
	t.Setenv("ANNAI_DATA", o.data)
	return o
}

var pageLine = regexp.MustCompile(`(?m)^http\S+$`)

// auth runs annai auth, with a browser that opens the address as soon as it is printed; what it ends at is typed in.
func (o *owner) auth(code int, args ...string) string {
	o.Helper()
	typed, in := io.Pipe()
	terminalOut := &screen{o: o, in: in, follow: !strings.Contains(strings.Join(args, " "), "--paste")}
	var errs bytes.Buffer
	got := run(o.Context(), append([]string{"auth"}, args...), terminal{in: typed, out: terminalOut, err: &errs})
	_ = in.Close()
	said := terminalOut.text.String() + errs.String()
	o.all.WriteString(said)
	if got != code {
		o.Errorf("annai auth %q = %d, want %d:\n%s", args, got, code, said)
	}
	return said
}

// screen is what the owner looks at.
type screen struct {
	o      *owner
	in     *io.PipeWriter
	follow bool
	text   bytes.Buffer
	seen   bool
}

func (s *screen) Write(p []byte) (int, error) {
	s.text.Write(p)
	if page := pageLine.FindString(s.text.String()); page != "" && !s.seen {
		s.seen = true
		go s.agree(page)
	}
	return len(p), nil
}

func (s *screen) agree(page string) {
	browser := http.Client{}
	if !s.follow {
		browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, page, http.NoBody)
	if err != nil {
		s.o.Error(err)
		return
	}
	response, err := browser.Do(request)
	if err != nil {
		s.o.Errorf("GET %s = %v", page, err)
		return
	}
	_ = response.Body.Close()
	if !s.follow { // first something else, as people do
		_, _ = io.WriteString(s.in, "what do you want?\n\nhttp://127.0.0.1/?state=guessed&code=4/x\n"+response.Header.Get("Location")+"\n")
	}
}

// says wants words in a text.
func (o *owner) says(text string, words ...string) {
	o.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			o.Errorf("%q is missing in:\n%s", word, text)
		}
	}
}

func TestAuth(t *testing.T) {
	o := newOwner(t)
	o.says(o.auth(exitFailed, "status"), "annai auth google", "接続されていません")
	o.says(o.auth(exitOK, "google"), "Connected: account default", "encrypted", "read events, write events, see free and busy, list calendars", "7 days")
	o.says(o.auth(exitOK, "google", "--account", "hall", "--read-only"), "account hall", "It can: read events, see free and busy, list calendars.")
	o.says(o.auth(exitOK, "status"), "ok    default", "ok    hall", "write events", "access token until 20", oauth.ScopeEvents, oauth.ScopeEventsReadonly)
	o.says(o.auth(exitFailed, "status", "--account", "nobody"), "nobody has no token")
	o.says(o.auth(exitOK, "google"), "Connected: account default") // once more replaces it

	tokens, err := filepath.Glob(o.data + "/google-*.token")
	if err != nil || len(tokens) != 2 {
		t.Errorf("files = %v, %v, want two tokens", tokens, err)
	}
	o.says(o.auth(exitOK, "revoke"), "Revoked at Google and deleted: account default")
	o.says(o.auth(exitFailed, "revoke"), "no token")
	o.says(o.auth(exitOK, "status"), "hall")
}

func TestAuthByPasting(t *testing.T) {
	o := newOwner(t)
	said := o.auth(exitOK, "google", "--paste")
	o.says(said, "can't open a page; that is expected", "This is not the address", "アドレスではありません", "does not belong to this attempt", "Connected")
	o.says(o.auth(exitOK, "google", "--paste", "--google-redirect", "https://annai.example/auth/google/callback"), "redirect_uri=https%3A%2F%2Fannai.example", "Connected")
}

func TestAuthFailures(t *testing.T) {
	o := newOwner(t)
	o.google.Set(func(g *oauthtest.Google) { g.Deny = true })
	o.says(o.auth(exitFailed, "google"), "not allowed", "許可されませんでした")
	o.google.Set(func(g *oauthtest.Google) { g.Deny, g.Scopes = false, []string{oauth.ScopeFreeBusy} })
	o.says(o.auth(exitOK, "google"), "It can: see free and busy.", "Not granted", oauth.ScopeEvents)
	o.google.Set(func(g *oauthtest.Google) { g.Scopes = nil })

	o.says(o.auth(exitFailed, "google", "--account", "../x"), "no name of an account")
	o.says(o.auth(exitUsage, "google", "now"), `"now"`)
	o.says(o.auth(exitOK), "google", "status", "revoke")

	o.google.Set(func(g *oauthtest.Google) { g.Down = 503 })
	o.says(o.auth(exitFailed, "status"), "FAIL", "could not be reached", "接続できませんでした")
	o.says(o.auth(exitFailed, "revoke"), "was kept", "--force")
	o.says(o.auth(exitOK, "revoke", "--force"), "Deleted here, but not revoked at Google")
	o.google.Set(func(g *oauthtest.Google) { g.Down = 0 })

	t.Setenv("GOOGLE_CLIENT_ID", "")
	o.says(o.auth(exitFailed, "google"), "google-client-id")
	t.Setenv("ANNAI_DATA", "")
	o.says(o.auth(exitFailed, "google"), "--data")
}

// TestAuthBroken: a dead token fails the status until the owner connects again.
func TestAuthBroken(t *testing.T) {
	o := newOwner(t)
	o.auth(exitOK, "google")
	store, err := oauth.NewFileStore(o.data, oauth.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := store.Load(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	o.google.End(token.RefreshToken)
	o.says(o.auth(exitFailed, "status"), "FAIL", "7 days", "7日ごと")
	o.auth(exitOK, "google")
	o.auth(exitOK, "status")

	if err := os.WriteFile(filepath.Join(o.data, "google-default.token"), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.says(o.auth(exitFailed, "status"), "damaged", "保存されているトークンを読めません")
	o.says(o.auth(exitFailed, "revoke"), "--force")
	o.auth(exitOK, "google") // replaces it
	o.auth(exitOK, "status")
}

func TestAuthOfTheEnvironment(t *testing.T) {
	o := newOwner(t)
	t.Setenv("ANNAI_DATA", "")
	refresh := o.google.Issue(oauth.OwnerScopes()...)
	t.Setenv("GOOGLE_CALENDAR_REFRESH_TOKEN", string(refresh))
	o.says(o.auth(exitOK, "status"), "in the settings", "write events")
	o.says(o.auth(exitFailed, "google"), "only read", "--print")
	o.says(o.auth(exitFailed, "revoke"), "revoked at Google, but kept", "google-calendar-refresh-token")
	o.says(o.auth(exitFailed, "status"), "no longer valid")

	var errs bytes.Buffer
	out := &screen{o: o, follow: true}
	if code := run(t.Context(), []string{"auth", "google", "--print"}, terminal{in: strings.NewReader(""), out: out, err: &errs}); code != exitOK {
		t.Fatalf("annai auth google --print = %d, %s", code, &errs)
	}
	_, printed, _ := strings.Cut(out.text.String(), "GOOGLE_CALENDAR_REFRESH_TOKEN=")
	if !o.google.Lives(secret.Text(strings.TrimSpace(printed))) {
		t.Errorf("annai auth google --print prints no token that lives")
	}
}

// TestAuthInSSM keeps all in a parameter store, the client too.
func TestAuthInSSM(t *testing.T) {
	o := newOwner(t)
	parameters := map[string]string{"/hall/google/client_id": "client", "/hall/google/client_secret": o.google.ClientSecret}
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Name, Value string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		said := map[string]any{"__type": "ParameterNotFound"}
		status := http.StatusBadRequest
		switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
		case "GetParameter":
			if value, ok := parameters[in.Name]; ok {
				status, said = http.StatusOK, map[string]any{"Parameter": map[string]any{"Name": in.Name, "Value": value, "Version": 1}}
			}
		case "PutParameter":
			parameters[in.Name] = in.Value
			status, said = http.StatusOK, map[string]any{"Version": 1}
		case "GetParametersByPath":
			said["__type"] = "AccessDeniedException"
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(said)
	}))
	defer fake.Close()
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_SSM": fake.URL, "AWS_REGION": "ap-northeast-1", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_CONFIG_FILE": "/nowhere", "AWS_SHARED_CREDENTIALS_FILE": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true",
		"ANNAI_GOOGLE_TOKEN_STORE": "ssm", "ANNAI_GOOGLE_SSM_PREFIX": "/hall/google", "GOOGLE_CLIENT_ID": "", "GOOGLE_CLIENT_SECRET": "", "ANNAI_DATA": "",
	} {
		t.Setenv(name, value)
	}
	o.says(o.auth(exitOK, "google"), "kept in AWS SSM below /hall/google")
	if !o.google.Lives(secret.Text(parameters["/hall/google/refresh_token"])) {
		t.Errorf("/hall/google/refresh_token is not a token that lives")
	}
	o.says(o.auth(exitOK, "status"), "ok    default", "write events")
	t.Setenv("AWS_REGION", "")
	o.says(o.auth(exitFailed, "status"), "AWS_REGION")
}

// TestAuthWithTheEmulator: a Google that gives a new refresh token each time, and ends all after a week, as a consent screen in Testing does.
func TestAuthWithTheEmulator(t *testing.T) {
	o := newOwner(t)
	now := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	google := emulator.New(emulator.Options{
		Now:   func() time.Time { return now },
		OAuth: emulator.OAuth{AutoApprove: true, Rotate: true, RefreshLife: 7 * 24 * time.Hour},
	})
	server := httptest.NewServer(google)
	defer server.Close()
	id, secret := google.Client()
	t.Setenv("GOOGLE_CLIENT_ID", id)
	t.Setenv("GOOGLE_CLIENT_SECRET", secret)
	t.Setenv("ANNAI_GOOGLE_AUTH_URL", server.URL+emulator.AuthPath)
	t.Setenv("ANNAI_GOOGLE_TOKEN_URL", server.URL+emulator.TokenPath)
	o.says(o.auth(exitOK, "google"), "write events")
	for range 3 {
		o.says(o.auth(exitOK, "status"), "write events", oauth.ScopeEvents)
	}
	now = now.Add(7 * 24 * time.Hour)
	o.says(o.auth(exitFailed, "status"), "after 7 days")
	o.says(o.auth(exitOK, "google"), "Connected")
	o.says(o.auth(exitOK, "revoke"), "Revoked at Google")
	o.says(o.auth(exitFailed, "status"), "not connected")
}
