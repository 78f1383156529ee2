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
	"strings"
	"testing"

	"annai/internal/peer"
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

// needNode asks for Node and the packages of package-lock.json.
func needNode(t *testing.T) { t.Helper(); peer.NPM(t, ".", true) }

// needChromium asks for a browser.
func needChromium(t *testing.T) { t.Helper(); peer.Chromium(t) }

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
