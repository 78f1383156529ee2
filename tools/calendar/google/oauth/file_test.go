package oauth_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"annai/fault"
	"annai/tools/calendar/google/oauth"
)

const refreshToken = "1//not-to-be-seen"

// saved makes a folder with a token of the account default.
func saved(t *testing.T, key []byte) (dir string, version oauth.Version) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	version, err := fileStore(t, dir, key).Save(t.Context(), "default", oauth.Token{RefreshToken: refreshToken, ClientID: "client-of-ours"}, "")
	if err != nil {
		t.Fatal(err)
	}
	return dir, version
}

func TestFilesAreForUsOnly(t *testing.T) {
	dir, _ := saved(t, nil)
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		} else {
			names = append(names, entry.Name())
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", path, got, want)
		}
		return nil
	})
	if want := "[google-default.token google.key google.lock]"; err != nil || fmt.Sprint(names) != want {
		t.Errorf("files = %v, %v, want %s", names, err, want)
	}
	data, err := os.ReadFile(filepath.Join(dir, "google-default.token"))
	if err != nil || bytes.Contains(data, []byte("not-to-be-seen")) || bytes.Contains(data, []byte("client-of-ours")) {
		t.Errorf("the file has the token or the client as they are: %v\n%s", err, data)
	}
}

// edit changes the file of the account default as JSON.
func edit(t *testing.T, dir string, change func(map[string]any)) {
	t.Helper()
	path := filepath.Join(dir, "google-default.token")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var e map[string]any
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	change(e)
	if data, err = json.Marshal(e); err != nil {
		t.Fatal(err)
	}
	write(t, path, string(data))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, dir string)
		says  string
	}{
		"another key":        {func(t *testing.T, dir string) { write(t, dir+"/google.key", strings.Repeat("ab", 32)) }, "another key"},
		"no key":             {func(t *testing.T, dir string) { remove(t, dir+"/google.key") }, "is gone"},
		"a broken key":       {func(t *testing.T, dir string) { write(t, dir+"/google.key", "abc") }, "is no key"},
		"an empty file":      {func(t *testing.T, dir string) { write(t, dir+"/google-default.token", "") }, "damaged"},
		"a torn file":        {tear, "damaged"},
		"a foreign file":     {func(t *testing.T, dir string) { write(t, dir+"/google-default.token", `{"refresh_token":"x"}`) }, "no token of annai"},
		"another account's":  {func(t *testing.T, dir string) { edit(t, dir, func(e map[string]any) { e["account"] = "hall" }) }, "another account"},
		"a newer format":     {func(t *testing.T, dir string) { edit(t, dir, func(e map[string]any) { e["annai_google_token"] = 2 }) }, "newer"},
		"another version":    {func(t *testing.T, dir string) { edit(t, dir, func(e map[string]any) { e["version"] = "x" }) }, "was changed"},
		"no version":         {func(t *testing.T, dir string) { edit(t, dir, func(e map[string]any) { delete(e, "version") }) }, "damaged"},
		"a changed contents": {func(t *testing.T, dir string) { edit(t, dir, flip) }, "was changed"},
		"contents cut short": {func(t *testing.T, dir string) { edit(t, dir, func(e map[string]any) { e["sealed"] = "AAAA" }) }, "was changed"},
		"something else":     {func(t *testing.T, dir string) { edit(t, dir, func(e map[string]any) { e["more"] = 1 }) }, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := saved(t, nil)
			test.spoil(t, dir)
			_, _, err := fileStore(t, dir, nil).Load(t.Context(), "default")
			var p *oauth.Problem
			if !errors.As(err, &p) || p.Code != oauth.Unreadable || !errors.Is(err, fault.ErrDenied) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("Load = %v, want ErrDenied that says %q", err, test.says)
			}
			if text := fmt.Sprint(err); strings.Contains(text, "\n") || strings.Contains(text, "not-to-be-seen") || !strings.Contains(text, dir) {
				t.Errorf("Load = %q, want one line that names the file", text)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func tear(t *testing.T, dir string) {
	path := filepath.Join(dir, "google-default.token")
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()/2)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func flip(e map[string]any) {
	text := []byte(e["sealed"].(string))
	text[20] ^= 1
	e["sealed"] = string(text)
}

// TestAFileCannotStandInForAnother copies a whole file to another account, name and all.
func TestAFileCannotStandInForAnother(t *testing.T) {
	dir, _ := saved(t, nil)
	edit(t, dir, func(e map[string]any) { e["account"] = "hall" })
	if err := os.Rename(dir+"/google-default.token", dir+"/google-hall.token"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fileStore(t, dir, nil).Load(t.Context(), "hall"); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Load(hall) of a file made for default = %v, want ErrDenied", err)
	}
}

func TestTheKeyOfTheSettings(t *testing.T) {
	dir, version := saved(t, bytes.Repeat([]byte{7}, 32))
	if _, err := os.Stat(dir + "/google.key"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Stat(google.key) = %v, want none beside a key of the settings", err)
	}
	if _, _, err := fileStore(t, dir, nil).Load(t.Context(), "default"); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Load without the key = %v, want ErrDenied", err)
	}
	if _, _, err := fileStore(t, dir, make([]byte, 32)).Load(t.Context(), "default"); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Load with another key = %v, want ErrDenied", err)
	}
	if _, err := fileStore(t, dir, make([]byte, 32)).Save(t.Context(), "default", oauth.Token{RefreshToken: "1//x"}, version); err != nil {
		t.Errorf("Save over it with another key, knowing its version = %v, want it replaced", err)
	}
	for _, key := range [][]byte{{}, make([]byte, 16), make([]byte, 33)} {
		if _, err := oauth.NewFileStore(dir, oauth.FileOptions{Key: key}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("NewFileStore(key of %d bytes) = %v, want ErrInvalid", len(key), err)
		}
	}
}

// TestAnUnreadableFileCanBeDeleted, so that an owner can connect anew.
func TestAnUnreadableFileCanBeDeleted(t *testing.T) {
	dir, version := saved(t, nil)
	write(t, dir+"/google-default.token", "rubbish")
	s := fileStore(t, dir, nil)
	if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//x"}, version); !errors.Is(err, fault.ErrDenied) {
		t.Errorf("Save over rubbish = %v, want ErrDenied", err)
	}
	if err := s.Delete(t.Context(), "default"); err != nil {
		t.Errorf("Delete = %v", err)
	}
	if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: "1//x"}, ""); err != nil {
		t.Errorf("Save after that = %v", err)
	}
}

func TestAFolderBelowAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, "")
	s := fileStore(t, filepath.Join(path, "data"), nil)
	if _, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: refreshToken}, ""); !errors.Is(err, fault.ErrUnavailable) || !strings.Contains(err.Error(), path) {
		t.Errorf("Save below a file = %v, want ErrUnavailable that names it", err)
	}
	if _, _, err := s.Load(t.Context(), "default"); err == nil {
		t.Errorf("Load below a file = %v, want an error", err)
	}
}

// TestTwoProcesses lets other processes save at once with us: of all that know the same version one wins.
func TestTwoProcesses(t *testing.T) {
	if dir := os.Getenv("ANNAI_TEST_OAUTH_SAVE"); dir != "" {
		_, err := fileStore(t, dir, nil).Save(t.Context(), "default", oauth.Token{RefreshToken: "1//child"}, oauth.Version(os.Getenv("ANNAI_TEST_OAUTH_VERSION")))
		fmt.Fprintf(os.Stderr, "saved %t conflict %t\n", err == nil, errors.Is(err, fault.ErrConflict))
		return
	}
	dir, version := saved(t, nil)
	const children = 4
	won := 0
	said := make(chan string, children)
	for range children {
		go func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTwoProcesses$")
			cmd.Env = append(os.Environ(), "ANNAI_TEST_OAUTH_SAVE="+dir, "ANNAI_TEST_OAUTH_VERSION="+string(version))
			out, err := cmd.CombinedOutput()
			said <- fmt.Sprint(string(out), err)
		}()
	}
	for range children {
		switch out := <-said; {
		case strings.Contains(out, "saved true"):
			won++
		case !strings.Contains(out, "saved false conflict true"):
			t.Errorf("a child said %s, want a conflict", out)
		}
	}
	if won != 1 {
		t.Errorf("%d of %d processes saved, want 1", won, children)
	}
}

// FuzzTokenFile: whatever stands in the file of a token, it is refused and nothing breaks.
func FuzzTokenFile(f *testing.F) {
	dir := f.TempDir()
	s, err := oauth.NewFileStore(dir, oauth.FileOptions{Key: make([]byte, 32)})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := s.Save(f.Context(), "default", oauth.Token{RefreshToken: refreshToken}, ""); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, "google-default.token")
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"annai_google_token":1,"account":"default","version":"x","key":"x","sealed":"="}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, _, err := s.Load(t.Context(), "default")
		if same := got.RefreshToken == refreshToken; err == nil && !same || err != nil && !errors.Is(err, fault.ErrDenied) {
			t.Errorf("Load(%q) = the token: %t, %v, want it or ErrDenied", data, same, err)
		}
	})
}
