package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"annai/web"

	"github.com/google/go-cmp/cmp"
)

var (
	screenshots = flag.String("screenshots", "", "folder for a picture of every screen of the kiosk")
	visits      = flag.String("visits", "", "regular expression of the visits to the kiosk that are made (all)")
)

// TestKiosk visits the kiosk with a headless Chromium; the checks are in test/kiosk.test.mjs.
func TestKiosk(t *testing.T) {
	needNode(t)
	needChromium(t)
	server := httptest.NewServer(newFake())
	defer server.Close()
	args := []string{"test/kiosk.test.mjs", server.URL}
	if *visits != "" {
		args = append([]string{"--test-name-pattern=" + *visits}, args...)
	}
	if *screenshots != "" {
		args = append(args, *screenshots)
	}
	run(t, "node", args...)
}

// TestUnits runs the tests of the page's own logic: state, streams, dates, speech.
func TestUnits(t *testing.T) {
	needNode(t)
	run(t, "npm", "run", "--silent", "check")
	run(t, "npm", "run", "--silent", "unit")
}

// TestDistIsFresh builds the pages again and compares them with what is committed and embedded.
func TestDistIsFresh(t *testing.T) {
	needNode(t)
	out := t.TempDir()
	run(t, "npm", "run", "--silent", "build", "--", "--outDir", out, "--logLevel", "error")
	got, want := readTree(t, web.Kiosk()), readTree(t, os.DirFS(out))
	if diff := cmp.Diff(keys(want), keys(got)); diff != "" {
		t.Fatalf("files in dist/kiosk are not those of a fresh build; run npm run build (-fresh +committed):\n%s", diff)
	}
	for name := range want {
		if !bytes.Equal(want[name], got[name]) {
			t.Errorf("dist/kiosk/%s differs from a fresh build; run npm run build", name)
		}
	}
}

func TestKioskHasItsPage(t *testing.T) {
	page, err := fs.ReadFile(web.Kiosk(), "index.html")
	if err != nil || !bytes.Contains(page, []byte(`src="/kiosk/assets/`)) {
		t.Errorf("ReadFile(index.html) = %q, %v, want a page with its script under /kiosk/assets/", page, err)
	}
}

// missing skips the test, or fails it where skips are forbidden.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("ANNAI_TEST_NOSKIP") == "1" {
		t.Fatalf("cannot run without %s", what)
	}
	t.Skipf("SKIPPED, NOT TESTED: cannot run without %s", what)
}

// needNode asks for Node 20 and the packages of package-lock.json, which it installs if they are not there.
func needNode(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		missing(t, "node and npm, version 20 or later")
	}
	if _, err := os.Stat("node_modules/.package-lock.json"); err == nil {
		return
	}
	if out, err := command("npm", "ci", "--no-audit", "--no-fund"); err != nil {
		missing(t, "the packages of web/package-lock.json: npm ci: "+err.Error()+"\n"+string(out))
	}
}

// needChromium asks for Debian's Chromium and a Japanese font, which it installs where it may.
func needChromium(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/usr/bin/chromium"); err == nil {
		return
	}
	if _, err := exec.LookPath("apt-get"); err != nil || runtime.GOOS != "linux" || os.Getuid() != 0 {
		missing(t, "/usr/bin/chromium; on Debian: apt-get install chromium fonts-noto-cjk")
	}
	_, _ = command("apt-get", "update", "-q")
	if out, err := command(
		"apt-get",
		"install",
		"-qy",
		"--no-install-recommends",
		"chromium",
		"fonts-noto-cjk",
	); err != nil {
		missing(t, "chromium: apt-get install: "+err.Error()+"\n"+string(out))
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := command(name, args...); err != nil {
		t.Errorf("%s %v: %v\n%s", name, args, err, out)
	} else {
		t.Logf("%s", out)
	}
}

func command(name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "NO_COLOR=1")
	return cmd.CombinedOutput()
}

func readTree(t *testing.T, tree fs.FS) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		if strings.HasSuffix(name, ".gz") { // libraries compress in their own ways
			data, err = unpack(data)
		}
		files[filepath.ToSlash(name)] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func keys(files map[string][]byte) map[string]bool {
	names := map[string]bool{}
	for name := range files {
		names[name] = true
	}
	return names
}
