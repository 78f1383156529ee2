package emulator

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"annai/internal/peer"
	"annai/tools/calendar/google/discovery"
)

// TestJudge lets a published client of Google Calendar use the emulator, unchanged: npm's @cocal/google-calendar-mcp of the version in
// testdata/judge, which takes the emulator for Google. What it asks and what it gets is checked against the discovery document.
func TestJudge(t *testing.T) {
	const dir = "testdata/judge"
	peer.NPM(t, dir, false)
	e := New(Options{Now: time.Now})
	e.AddCalendar(Calendar{ID: "team@example.com", Summary: "Team", AccessRole: "reader"})
	if _, err := e.Put("team@example.com", Event{ID: "teams", Summary: "Team day", Start: &Time{Date: "2027-03-04"}, End: &Time{Date: "2027-03-05"}}); err != nil {
		t.Fatal(err)
	}
	j := startJudge(t, dir, e)

	j.want("list-calendars", `{}`, "owner@example.com", "team@example.com", "Team")
	j.want("create-event",
		`{"calendarId":"primary","eventId":"judge1","summary":"Lunch","start":"2027-03-01T12:00:00","end":"2027-03-01T13:00:00","timeZone":"Asia/Tokyo","location":"3F","attendees":[{"email":"guest@example.org"},{"email":"owner@example.com"}],"sendUpdates":"all"}`,
		"judge1", "Lunch", "2027-03-01T12:00:00+09:00")
	j.want("list-events", `{"calendarId":"primary","timeMin":"2027-03-01T00:00:00","timeMax":"2027-03-02T00:00:00"}`, "judge1", "Lunch")
	j.want("list-events", `{"calendarId":"team@example.com","timeMin":"2027-03-01T00:00:00","timeMax":"2027-04-01T00:00:00"}`, "Team day", "2027-03-04")
	j.want("get-event", `{"calendarId":"primary","eventId":"judge1"}`, "Lunch", "3F", "guest@example.org")
	j.want("search-events", `{"calendarId":"primary","query":"lunch","timeMin":"2027-01-01T00:00:00","timeMax":"2027-12-31T00:00:00"}`, "judge1")
	j.want("get-freebusy", `{"calendars":[{"id":"primary"},{"id":"nosuch@example.com"}],"timeMin":"2027-03-01T00:00:00+09:00","timeMax":"2027-03-02T00:00:00+09:00","timeZone":"Asia/Tokyo"}`,
		"2027-03-01T12:00:00+09:00", "notFound")
	j.want("update-event", `{"calendarId":"primary","eventId":"judge1","summary":"Late lunch","start":"2027-03-01T13:00:00","end":"2027-03-01T14:00:00","timeZone":"Asia/Tokyo"}`,
		"Late lunch", "2027-03-01T13:00:00+09:00")
	j.want("create-event",
		`{"calendarId":"primary","eventId":"judge2","summary":"Class","start":"2027-03-02T10:00:00","end":"2027-03-02T11:00:00","timeZone":"Asia/Tokyo","recurrence":["RRULE:FREQ=WEEKLY;COUNT=3"]}`, "judge2")
	j.want("list-events", `{"calendarId":"primary","timeMin":"2027-03-02T00:00:00","timeMax":"2027-04-01T00:00:00"}`,
		"judge2_20270302T010000Z", "judge2_20270309T010000Z", "judge2_20270316T010000Z")
	j.want("update-event", `{"calendarId":"primary","eventId":"judge2","summary":"Moved class","modificationScope":"thisEventOnly","originalStartTime":"2027-03-09T10:00:00+09:00","start":"2027-03-09T15:00:00","end":"2027-03-09T16:00:00","timeZone":"Asia/Tokyo"}`,
		"Moved class", "judge2_20270309T010000Z")
	j.refused("respond-to-event", `{"calendarId":"primary","eventId":"judge1","response":"accepted"}`, "organizer")
	j.want("list-colors", `{}`, "#a4bdfc")
	j.want("delete-event", `{"calendarId":"primary","eventId":"judge1"}`, "success")
	j.refused("get-event", `{"calendarId":"primary","eventId":"nosuch"}`, "not found")
	j.refused("delete-event", `{"calendarId":"team@example.com","eventId":"teams"}`, "access")
	j.check()
}

// check compares what the judge did with what there is.
func (j *judge) check() {
	j.t.Helper()
	var got []string
	for _, ev := range j.e.Events("primary") {
		got = append(got, fmt.Sprintf("%s %s %s %s", ev.ID, ev.Status, ev.Summary, ev.Start.DateTime))
	}
	want := []string{
		"judge1 cancelled Late lunch 2027-03-01T13:00:00+09:00",
		"judge2 confirmed Class 2027-03-02T10:00:00+09:00",
		"judge2_20270309T010000Z confirmed Moved class 2027-03-09T15:00:00+09:00",
	}
	if !slices.Equal(got, want) {
		j.t.Errorf("Events(primary) = %q, want %q", got, want)
	}
	for method, n := range map[string]int{"events.insert": 2, "events.patch": 2, "events.delete": 1} {
		if got := j.e.Requests()[method]; got != n {
			j.t.Errorf("Requests()[%s] = %d, want %d: %v", method, got, n, j.e.Requests())
		}
	}
	if n := j.e.Requests()["oauth.token"]; n != 1 && n != 2 { // the client renews its token when it starts and when it is first asked, once if the first is done by then
		j.t.Errorf("Requests()[oauth.token] = %d, want 1 or 2: %v", n, j.e.Requests())
	}
}

// judge is the client, which speaks the Model Context Protocol: a line of JSON-RPC each way.
type judge struct {
	t     *testing.T
	e     *Emulator
	in    io.Writer
	lines chan string
	asked int
}

// startJudge starts the client as one that was signed in long ago: it has a refresh token, and an access token that expired.
func startJudge(t *testing.T, dir string, e *Emulator) *judge {
	t.Helper()
	proxy, certificate := google(t, discovery.Handler(t, e))
	home := t.TempDir()
	credentials := write(t, home, "client.json", fmt.Sprintf(
		`{"installed":{"client_id":%q,"client_secret":%q,"redirect_uris":["http://localhost:3000/oauth2callback"]}}`, e.opts.OAuth.ClientID, e.opts.OAuth.ClientSecret))
	tokens := write(t, home, "tokens.json", fmt.Sprintf(
		`{"normal":{"access_token":"old","refresh_token":%q,"scope":"https://www.googleapis.com/auth/calendar","token_type":"Bearer","expiry_date":1}}`, e.RefreshToken()))
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "node", "node_modules/@cocal/google-calendar-mcp/build/index.js")
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = dir, endsWithUs(), os.Stderr
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GOOGLE_OAUTH_CREDENTIALS=" + credentials, "GOOGLE_CALENDAR_MCP_TOKEN_PATH=" + tokens,
		"HTTPS_PROXY=" + proxy, "NODE_EXTRA_CA_CERTS=" + write(t, home, "ca.pem", certificate),
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	j := &judge{t: t, e: e, in: in, lines: make(chan string)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(j.lines)
		for scanner := lines(out); scanner.Scan(); {
			select {
			case j.lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-read
		_ = cmd.Wait() // it was killed
	})
	j.call("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"annai","version":"1"}}`)
	j.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return j
}

func lines(r io.Reader) *bufio.Scanner {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 16<<20)
	return scanner
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (j *judge) send(line string) {
	j.t.Helper()
	if _, err := io.WriteString(j.in, line+"\n"); err != nil {
		j.t.Fatal(err)
	}
}

// call makes a call and returns its result.
func (j *judge) call(method, params string) json.RawMessage {
	j.t.Helper()
	j.asked++
	j.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, j.asked, method, params))
	late := time.After(3 * time.Minute)
	for {
		select {
		case line, ok := <-j.lines:
			if !ok {
				j.t.Fatalf("%s: the judge ended", method)
			}
			var answer struct {
				ID     int             `json:"id"`
				Result json.RawMessage `json:"result"`
				Error  json.RawMessage `json:"error"`
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.ID != j.asked {
				continue // a notification
			}
			if answer.Error != nil {
				j.t.Fatalf("%s(%s): %s", method, params, answer.Error)
			}
			return answer.Result
		case <-late:
			j.t.Fatalf("%s(%s): no answer after three minutes", method, params)
		}
	}
}

// want calls a tool; what it says must have all of the words.
func (j *judge) want(tool, arguments string, words ...string) {
	j.t.Helper()
	j.tool(tool, arguments, false, words)
}

// refused calls a tool that has to fail, with the words.
func (j *judge) refused(tool, arguments string, words ...string) {
	j.t.Helper()
	j.tool(tool, arguments, true, words)
}

func (j *judge) tool(tool, arguments string, fails bool, words []string) {
	j.t.Helper()
	var result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		IsError bool `json:"isError"`
	}
	text := j.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if err := json.Unmarshal(text, &result); err != nil || len(result.Content) != 1 || result.IsError != fails {
		j.t.Errorf("%s(%s) = %s, want a failure: %t", tool, arguments, text, fails)
		return
	}
	for _, word := range words {
		if !strings.Contains(result.Content[0].Text, word) {
			j.t.Errorf("%s(%s) = %s, want %q in it", tool, arguments, result.Content[0].Text, word)
		}
	}
}

// google serves the handler as every host of Google: behind a proxy that leads all connections to it, and with a certificate for them.
func google(t *testing.T, handler http.Handler) (proxy, certificate string) {
	t.Helper()
	served := httptest.NewUnstartedServer(handler)
	served.TLS = &tls.Config{Certificates: []tls.Certificate{selfSigned(t)}}
	served.StartTLS()
	t.Cleanup(served.Close)
	through := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.Host)
		if r.Method != http.MethodConnect || !strings.HasSuffix(host, ".googleapis.com") {
			t.Errorf("the judge wants to speak to %s %s", r.Method, r.Host)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		tunnel(w, r, served.Listener.Addr().String())
	}))
	t.Cleanup(through.Close)
	return through.URL, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: served.TLS.Certificates[0].Certificate[0]}))
}

// tunnel leads a connection to the address, until one side ends it.
func tunnel(w http.ResponseWriter, r *http.Request, address string) {
	there, err := new(net.Dialer).DialContext(r.Context(), "tcp", address)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	_, _ = io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(here, there)
		_ = here.Close()
	}()
	_, _ = io.Copy(there, buffered)
	_ = there.Close()
	<-done
}

func selfSigned(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "calendar emulator"}, DNSNames: []string{"*.googleapis.com"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
