package keys_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/server/door"
	"annai/server/keys"
	"annai/server/keys/keystest"
)

var noon = time.Date(2026, 1, 14, 3, 0, 0, 0, time.UTC)

func add(t testing.TB, file keys.File, name string, role door.Role) string {
	t.Helper()
	key, err := keys.Add(t.Context(), file, keys.New{Name: name, Role: role}, noon)
	if err != nil {
		t.Fatalf("Add(%s) = %v", name, err)
	}
	return key
}

func TestFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data") // made when it is needed
	file := keys.In(folder)
	if all, err := file.List(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("List without a file = %v, %v, want none", all, err)
	}
	kiosk, boss := add(t, file, "kiosk-1", door.Visitor), add(t, file, "boss", door.Operator)
	if kiosk == boss || len(kiosk) != len(keys.Prefix)+43 || !strings.HasPrefix(kiosk, keys.Prefix) || strings.ContainsAny(kiosk, "+/=& ") {
		t.Errorf("keys %q and %q, want different ones of 256 bits that can stand in an address", kiosk, boss)
	}
	if err := keys.Revoke(t.Context(), file, "kiosk-1", noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	want := []keys.Key{
		{Name: "kiosk-1", Role: door.Visitor, Hash: keys.HashOf(kiosk), Created: noon, Revoked: noon.Add(time.Hour)},
		{Name: "boss", Role: door.Operator, Hash: keys.HashOf(boss), Created: noon},
	}
	if got, err := file.List(t.Context()); err != nil || !cmp.Equal(want, got) {
		t.Errorf("List = %+v, %v, want %+v", got, err, want)
	}
	text, err := os.ReadFile(file.Path())
	if err != nil || strings.Contains(string(text), kiosk[len(keys.Prefix):]) || strings.Contains(string(text), boss[len(keys.Prefix):]) {
		t.Errorf("the file is %s, %v, want no key in it", text, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v, want 0600", e.Name(), info.Mode(), err)
		}
		if strings.Contains(e.Name(), ".new") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestStore(t *testing.T) {
	keystest.Run(t, func(t *testing.T) (a, b keys.Store) {
		dir := t.TempDir()
		return keys.In(dir), keys.In(dir)
	})
}

func TestFileRefuses(t *testing.T) {
	file := keys.In(t.TempDir())
	add(t, file, "kiosk-1", door.Visitor)
	for _, name := range []string{"", "a b", "-a", "客", strings.Repeat("a", 65), keys.AskKey, keys.OwnerKey, keys.AdminKey, "a\nb"} {
		_, err := keys.Add(t.Context(), file, keys.New{Name: name, Role: door.Visitor}, noon)
		if !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Add(%q) = %v, want ErrInvalid", name, err)
		}
	}
	_, err := keys.Add(t.Context(), file, keys.New{Name: "kiosk-1", Role: door.Owner}, noon)
	if !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Add of a name that is taken = %v, want ErrConflict", err)
	}
	if err := keys.Revoke(t.Context(), file, "kiosk-2", noon); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Revoke(nobody) = %v, want ErrNotFound", err)
	}
	if err := keys.Revoke(t.Context(), file, "kiosk-1", noon); err != nil {
		t.Errorf("Revoke = %v", err)
	}
	if err := keys.Revoke(t.Context(), file, "kiosk-1", noon); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Revoke again = %v, want ErrNotFound", err)
	}
	_, err = keys.Add(t.Context(), file, keys.New{Name: "kiosk-1", Role: door.Visitor}, noon)
	if !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Add of a revoked key's name = %v, want ErrConflict: a name means one key for ever", err)
	}
}

func TestFileThatCannotBeRead(t *testing.T) {
	hash := strings.Repeat("0", 64)
	for name, text := range map[string]string{
		"no JSON":      "{",
		"no role":      `{"keys":[{"name":"a","role":"boss","sha256":"` + hash + `"}]}`,
		"no hash":      `{"keys":[{"name":"a","role":"ask"}]}`,
		"a short hash": `{"keys":[{"name":"a","role":"ask","sha256":"00"}]}`,
		"a long hash":  `{"keys":[{"name":"a","role":"ask","sha256":"` + hash + `00"}]}`,
		"no name":      `{"keys":[{"name":"","role":"ask","sha256":"` + hash + `"}]}`,
		"two of one":   `{"keys":[{"name":"a","role":"ask","sha256":"` + hash + `"},{"name":"a","role":"ask","sha256":"` + hash + `"}]}`,
		"too large":    strings.Repeat(" ", 5<<20),
	} {
		file := keys.In(t.TempDir())
		if err := os.WriteFile(file.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := file.List(t.Context()); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: List = %v, %v, want ErrInvalid", name, all, err)
		}
		_, err := keys.Add(t.Context(), file, keys.New{Name: "b", Role: door.Visitor}, noon)
		if !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: Add = %v, want ErrInvalid", name, err)
		}
		if _, err := keys.NewRing(t.Context(), keys.Settings{}, file, time.Now); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: NewRing = %v, want ErrInvalid", name, err)
		}
	}
	file := keys.In(filepath.Join(t.TempDir(), "file"))
	if err := os.WriteFile(filepath.Dir(file.Path()), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Add(t.Context(), file, keys.New{Name: "a", Role: door.Visitor}, noon); err == nil {
		t.Error("Add in a folder that is a file = nil, want an error")
	}
}

// TestManyAtOnce adds keys from many sides.
func TestManyAtOnce(t *testing.T) {
	file := keys.In(t.TempDir())
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			n := keys.New{Name: "key-" + strconv.Itoa(i), Role: door.Visitor}
			if _, err := keys.Add(t.Context(), keys.In(filepath.Dir(file.Path())), n, noon); err != nil {
				t.Errorf("Add = %v", err)
			}
		})
	}
	all.Wait()
	if got, err := file.List(t.Context()); err != nil || len(got) != 20 {
		t.Errorf("List = %d keys, %v, want 20", len(got), err)
	}
}

func TestRing(t *testing.T) {
	file := keys.In(t.TempDir())
	named := add(t, file, "kiosk-1", door.Visitor)
	r, err := keys.NewRing(t.Context(), keys.Settings{Owner: "the-owner's-key-of-settings"}, file, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when, key, name string, ok bool) {
		t.Helper()
		if found, got := r.Find(key); got != ok || found.Name != name {
			t.Errorf("%s: Find(%s) = %q, %v, want %q, %v", when, key, found.Name, got, name, ok)
		}
	}
	guards := func() string {
		var all []string
		for _, role := range []door.Role{door.Visitor, door.Owner, door.Operator} {
			if r.Guards(role) {
				all = append(all, string(role))
			}
		}
		return strings.Join(all, " ")
	}
	check("at first", named, "kiosk-1", true)
	check("at first", "the-owner's-key-of-settings", keys.OwnerKey, true)
	check("at first", "", "", false)
	check("at first", named+"x", "", false)
	check("at first", named[:len(named)-1], "", false)
	if got := guards(); got != "visitor owner" || !r.Any() {
		t.Errorf("guards %q, want visitor owner", got)
	}
	if changed, err := r.Reload(t.Context()); changed || err != nil {
		t.Errorf("Reload of the same = %v, %v, want false", changed, err)
	}
	second := add(t, file, "kiosk-2", door.Operator)
	if err := keys.Revoke(t.Context(), file, "kiosk-1", noon); err != nil {
		t.Fatal(err)
	}
	if changed, err := r.Reload(t.Context()); !changed || err != nil {
		t.Errorf("Reload = %v, %v, want true", changed, err)
	}
	check("after a change", named, "", false)
	check("after a change", second, "kiosk-2", true)
	holds := func(name, key string, role door.Role) bool {
		return r.Holds(door.Caller{Key: name, KeyPrint: keys.HashOf(key).Print(), Role: role})
	}
	if holds("kiosk-1", named, door.Visitor) || !holds("kiosk-2", second, door.Operator) ||
		holds("kiosk-2", second, door.Visitor) || holds("kiosk-2", named, door.Operator) ||
		!r.Holds(door.Caller{Role: door.Visitor}) {
		t.Error("Holds says that a revoked key is good, or that a good one is not")
	}
	if got := [3]int{r.Count(door.Visitor), r.Count(door.Owner), r.Count(door.Operator)}; got != [3]int{0, 1, 1} {
		t.Errorf("Count of visitors', owners' and operators' keys = %v, want 0, 1 and 1", got)
	}
	if err := os.Remove(file.Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if changed, err := r.Reload(t.Context()); !changed || err != nil {
		t.Errorf("Reload without the file = %v, %v, want true", changed, err)
	}
	check("without the file", second, "", false)
	check("without the file", "the-owner's-key-of-settings", keys.OwnerKey, true)
	if got := guards(); got != "visitor owner operator" {
		t.Errorf("guards %q once all keys are gone, want those from before: nothing opens by itself", got)
	}
	if err := os.WriteFile(file.Path(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if changed, err := r.Reload(t.Context()); changed || !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Reload of a broken file = %v, %v, want ErrInvalid", changed, err)
	}
	if changed, err := r.Reload(t.Context()); changed || err != nil {
		t.Errorf("Reload of the same broken file = %v, %v, want nothing new", changed, err)
	}
}

// TestFindTakesAsLong compares how long it takes to find the first key, the last and none among many: a search that ends early is a
// thousand times faster for one of them.
func TestFindTakesAsLong(t *testing.T) {
	const many = 3000
	file := keys.In(t.TempDir())
	all := make([]keys.Key, many)
	for i := range all {
		all[i] = keys.Key{Name: "key-" + strconv.Itoa(i), Role: door.Visitor, Hash: keys.HashOf("key-" + strconv.Itoa(i)), Created: noon}
	}
	data, err := json.Marshal(map[string]any{"keys": all})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file.Path(), data, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := keys.NewRing(t.Context(), keys.Settings{}, file, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	candidates := map[string]bool{"key-0": true, "key-" + strconv.Itoa(many-1): true, "key-" + strconv.Itoa(many): false}
	took := map[string][]time.Duration{}
	for range 61 {
		for key, known := range candidates {
			begin := time.Now()
			if _, ok := r.Find(key); ok != known {
				t.Fatalf("Find(%s) = %v, want %v", key, ok, known)
			}
			took[key] = append(took[key], time.Since(begin))
		}
	}
	var medians []time.Duration
	for _, times := range took {
		slices.Sort(times)
		medians = append(medians, times[len(times)/2])
	}
	if least, most := slices.Min(medians), slices.Max(medians); most > 3*least {
		t.Errorf("medians of Find from %s to %s, want them alike", least, most)
	}
}

func BenchmarkFind(b *testing.B) {
	r, err := keys.NewRing(b.Context(), keys.Settings{
		Ask: "a-key-for-kiosks-and-avatars", Owner: "a-key-that-nobody-guesses", Admin: "a-key-for-whoever-operates",
	}, nil, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.Find("a-key-for-whoever-operates")
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"keys":[{"name":"a","role":"ask","sha256":"` + strings.Repeat("0a", 32) + `","created":"2026-01-14T03:00:00Z"}]}`))
	f.Add([]byte(`{"keys":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := keys.In(t.TempDir())
		if err := os.WriteFile(file.Path(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := file.List(t.Context())
		if err != nil {
			return
		}
		again, err := json.Marshal(map[string]any{"keys": all})
		if err != nil {
			t.Fatalf("keys of %q can't be written: %v", data, err)
		}
		if err := os.WriteFile(file.Path(), again, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := file.List(t.Context()); err != nil || !cmp.Equal(got, all) {
			t.Errorf("%q is read as %+v, and after being written as %+v, %v", data, all, got, err)
		}
	})
}
