package oauth_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/internal/peer"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

// TestJudge runs the whole flow against a Google that somebody else wrote: npm's emulate, of the version in testdata/judge.
func TestJudge(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	judge := startJudge(t, "http://"+listener.Addr().String()+"/")
	client := oauth.Client{ID: "annai-client", Secret: "annai-secret", AuthURL: judge + "/o/oauth2/v2/auth", TokenURL: judge + "/oauth2/token"}

	flow := oauth.NewFlow(client, oauth.Options{Now: time.Now})
	grant, err := flow.Loopback(t.Context(), listener, oauth.OwnerScopes(), func(page string) error {
		go agree(t, judge, page)
		return nil
	})
	if err != nil || len(grant.Missing) > 0 || !grant.Granted().CanWrite() {
		t.Fatalf("Loopback = %v, missing %q, want all that was asked for", err, grant.Missing)
	}

	store := new(oauthtest.MemStore)
	if _, err := store.Save(t.Context(), "default", grant.Token, ""); err != nil {
		t.Fatal(err)
	}
	source := oauth.NewSource(store, "default", client, oauth.SourceOptions{Now: time.Now})
	defer source.Close()
	checkRefresh(t, judge, source)
	checkWrongVerifier(t, judge, client)

	if err := oauth.Revoke(t.Context(), client, grant.Token, nil); err != nil {
		t.Errorf("Revoke = %v, want no error", err)
	}
	after := oauth.NewSource(store, "default", client, oauth.SourceOptions{Now: time.Now})
	defer after.Close()
	var p *oauth.Problem
	if _, err := after.Access(t.Context()); !errors.As(err, &p) || p.Code != oauth.InvalidGrant || !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Access after Revoke = %v, want invalid_grant, ErrDenied", err)
	}
}

// checkRefresh uses an access token, and its successor after a refusal.
func checkRefresh(t *testing.T, judge string, source *oauth.Source) {
	t.Helper()
	first, err := source.Access(t.Context())
	if err != nil {
		t.Fatalf("Access = %v", err)
	}
	second, err := source.Token(t.Context(), string(first.Token))
	if err != nil || second == string(first.Token) {
		t.Errorf("Token(refused) = the same token: %t, %v, want another", second == string(first.Token), err)
	}
	granted, err := source.Granted(t.Context())
	if err != nil || !granted.CanWrite() || !granted.CanList() {
		t.Errorf("Granted = %q, %v, want those of an owner", granted.Scopes, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, judge+"/oauth2/v2/userinfo", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+second)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("GET userinfo = %v", err)
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), "owner@example.com") {
		t.Errorf("GET userinfo = %s, %s, %v, want the owner", response.Status, body, err)
	}
}

// checkWrongVerifier changes the verifier on its way.
func checkWrongVerifier(t *testing.T, judge string, client oauth.Client) {
	t.Helper()
	flow := oauth.NewFlow(client, oauth.Options{Now: time.Now, Transport: otherVerifier{}})
	page, _, err := flow.Begin("http://127.0.0.1:1/", oauth.ReadScopes())
	if err != nil {
		t.Fatal(err)
	}
	var p *oauth.Problem
	if _, err := flow.Finish(t.Context(), redirected(t, judge, page)); !errors.As(err, &p) || p.Code != oauth.InvalidCode || !strings.Contains(p.Detail, "PKCE") {
		t.Errorf("Finish with another verifier = %v, want that PKCE failed", err)
	}
}

type otherVerifier struct{}

func (otherVerifier) RoundTrip(r *http.Request) (*http.Response, error) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(data))
	if err != nil || form.Get("code_verifier") == "" {
		return nil, errors.New("a request without a verifier")
	}
	form.Set("code_verifier", strings.Repeat("x", 43))
	again, err := http.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	again.Header = r.Header
	return http.DefaultTransport.RoundTrip(again)
}

var (
	formPattern  = regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)".*?</form>`)
	inputPattern = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
)

// redirected does what an owner does on the judge's page, and returns where the browser is sent.
func redirected(t *testing.T, judge, page string) string {
	t.Helper()
	response, err := http.Get(page)
	if err != nil {
		t.Errorf("GET the page = %v", err)
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("GET the page = %s, %v: %s", response.Status, err, text)
		return ""
	}
	for _, form := range formPattern.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(form[0], "owner@example.com") {
			continue
		}
		fields := url.Values{}
		for _, in := range inputPattern.FindAllStringSubmatch(form[0], -1) {
			fields.Set(html.UnescapeString(in[1]), html.UnescapeString(in[2]))
		}
		stay := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		sent, err := stay.PostForm(judge+html.UnescapeString(form[1]), fields)
		if err != nil {
			t.Errorf("POST the form = %v", err)
			return ""
		}
		defer sent.Body.Close()
		return sent.Header.Get("Location")
	}
	t.Errorf("the page has no button for owner@example.com:\n%s", text)
	return ""
}

// agree is a browser with an owner before it.
func agree(t *testing.T, judge, page string) {
	response, err := http.Get(redirected(t, judge, page))
	if err != nil {
		t.Errorf("GET where the browser was sent = %v", err)
		return
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(text), "接続しました") {
		t.Errorf("GET where the browser was sent = %s, %v: %s", response.Status, err, text)
	}
}

// startJudge starts emulate on a free port of loopback, and returns its address. Where it can't be had the test is skipped.
func startJudge(t *testing.T, redirect string) string {
	t.Helper()
	dir := filepath.Join("testdata", "judge")
	peer.NPM(t, dir, false)
	seed := filepath.Join(t.TempDir(), "seed.json")
	data, err := json.Marshal(map[string]any{"google": map[string]any{
		"users": []map[string]string{{"email": "owner@example.com", "name": "Owner"}},
		"oauth_clients": []map[string]any{{
			"client_id": "annai-client", "client_secret": "annai-secret", "name": "annai", "redirect_uris": []string{redirect, "http://127.0.0.1:1/"},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(seed, data, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "node", "--import", "./loopback.mjs", "node_modules/emulate/dist/index.js", "start", "--service", "google", "--seed", seed)
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = dir, endsWithUs(), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	return addressOf(t, out)
}

// addressOf waits for the line that loopback.mjs writes.
func addressOf(t *testing.T, out io.Reader) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		defer close(found)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			if address, ok := strings.CutPrefix(scanner.Text(), "listening on "); ok {
				found <- address
			}
		}
	}()
	select {
	case address, ok := <-found:
		if ok {
			return address
		}
		t.Fatal("emulate ended before it listened")
	case <-time.After(2 * time.Minute):
		t.Fatal("emulate does not listen after two minutes")
	}
	return ""
}
