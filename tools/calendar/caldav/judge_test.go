package caldav_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/internal/peer"
	"annai/tools/calendar"
	"annai/tools/calendar/caldav"
	"annai/tools/calendar/calendartest"
)

// radicale starts a server of somebody else's over an empty folder, and returns its address.
func radicale(t *testing.T) string {
	t.Helper()
	python := peer.Python(t, "testdata/judge")
	dir := t.TempDir()
	users := filepath.Join(dir, "users")
	if err := os.WriteFile(users, []byte("hanako:a-password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0") // it takes no port 0
	if err != nil {
		t.Fatal(err)
	}
	at := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-m", "radicale", "--config", "",
		"--server-hosts", at, "--storage-filesystem-folder", filepath.Join(dir, "data"),
		"--auth-type", "htpasswd", "--auth-htpasswd-filename", users, "--auth-htpasswd-encryption", "plain",
		"--auth-delay", "0", "--logging-level", "info")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready, ended := make(chan bool, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), "server ready") {
				ready <- true
			}
		}
		close(ready)
	}()
	t.Cleanup(func() {
		_ = cmd.Cancel()
		<-ended
		_ = cmd.Wait()
	})
	if !<-ready {
		t.Fatal("radicale did not start")
	}
	return "http://" + at
}

// make makes a calendar at the server.
func makeCalendar(t *testing.T, server, name string) {
	t.Helper()
	body := `<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>` +
		`<d:displayname>` + name +
		`</d:displayname></d:prop></d:set></c:mkcalendar>`
	r, err := http.NewRequestWithContext(
		t.Context(),
		"MKCALENDAR",
		server+"/hanako/"+name+"/",
		strings.NewReader(body),
	)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("hanako", "a-password")
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Body.Close()
	if w.StatusCode != http.StatusCreated {
		t.Fatalf("MKCALENDAR = %s", w.Status)
	}
}

func account(t *testing.T, address string, opts caldav.Options) *caldav.Account {
	t.Helper()
	opts.Now, opts.Domains = time.Now, []string{"example.org"}
	if opts.User == "" {
		opts.User, opts.Password = "hanako", "a-password"
	}
	a, err := caldav.NewAccount(address, opts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCalendar(t *testing.T) {
	server, n := radicale(t), 0
	calendartest.RunWriter(t, func(t *testing.T, seed []calendar.Event) calendar.Writer {
		n++
		name := fmt.Sprint("calendar", n)
		makeCalendar(t, server, name)
		c := account(t, server, caldav.Options{}).Calendar("test", name)
		for _, e := range seed {
			if _, err := c.Create(context.WithoutCancel(t.Context()), e); err != nil {
				t.Fatalf("Create(%+v) = %v", e, err)
			}
		}
		return c
	})
}

func readAll(t *testing.T, w *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
