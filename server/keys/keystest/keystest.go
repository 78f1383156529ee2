// Package keystest tests a [keys.Store] against its contract.
package keystest

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/server/door"
	"annai/server/keys"
)

// Noon is when everything happens here.
var Noon = time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)

// Run tests a store. Open returns two ways to one new store.
func Run(t *testing.T, open func(t *testing.T) (a, b keys.Store)) {
	for name, test := range map[string]func(t *testing.T, a, b keys.Store){
		"Changes": changes, "Rotation": rotation, "Uses": uses, "Many": many, "Import": imports,
	} {
		t.Run(name, func(t *testing.T) {
			a, b := open(t)
			test(t, a, b)
		})
	}
}

func add(t *testing.T, s keys.Store, n keys.New) string {
	t.Helper()
	key, err := keys.Add(t.Context(), s, n, Noon)
	if err != nil {
		t.Fatalf("Add(%+v) = %v", n, err)
	}
	return key
}

func list(t *testing.T, s keys.Store) []keys.Key {
	t.Helper()
	all, err := s.List(t.Context())
	if err != nil {
		t.Fatalf("List = %v", err)
	}
	return all
}

func version(t *testing.T, s keys.Store) string {
	t.Helper()
	v, err := s.Version(t.Context())
	if err != nil {
		t.Fatalf("Version = %v", err)
	}
	return v
}

// changes: what one does the other sees, and the version tells that there is something to see.
func changes(t *testing.T, a, b keys.Store) {
	if all := list(t, a); len(all) != 0 {
		t.Errorf("List of a new store = %+v", all)
	}
	before := version(t, b)
	rate := door.Rate{Count: 60, Per: time.Minute}
	first := add(t, a, keys.New{Name: "kiosk-1", Role: door.Visitor, Rate: rate, Expires: Noon.Add(time.Hour)})
	second := add(t, b, keys.New{Name: "hanako", Role: door.Owner, Owner: "hanako"})
	want := []keys.Key{
		{
			Name: "kiosk-1", Role: door.Visitor, Hash: keys.HashOf(first), Created: Noon, Rate: rate,
			Expires: Noon.Add(time.Hour),
		},
		{Name: "hanako", Role: door.Owner, Owner: "hanako", Hash: keys.HashOf(second), Created: Noon},
	}
	if diff := cmp.Diff(want, list(t, a)); diff != "" {
		t.Errorf("List (-want +got):\n%s", diff)
	}
	after := version(t, b)
	if before == after || after != version(t, a) {
		t.Errorf("Version = %q, then %q and %q, want that it changes, for both alike", before, after, version(t, a))
	}
	if err := keys.Revoke(t.Context(), b, "kiosk-1", Noon); err != nil {
		t.Errorf("Revoke = %v", err)
	}
	if got := list(t, a)[0]; !got.Revoked.Equal(Noon) {
		t.Errorf("List after Revoke = %+v", got)
	}
	stop := errors.New("stop")
	err := a.Change(t.Context(), func([]keys.Key) ([]keys.Key, error) { return nil, stop })
	if !errors.Is(err, stop) || len(list(t, a)) != 2 {
		t.Errorf("Change that fails = %v, want its error and nothing changed", err)
	}
	for what, n := range map[string]keys.New{
		"a bad name":       {Name: "a b", Role: door.Visitor},
		"an owner":         {Name: "x", Role: door.Visitor, Owner: "hanako"},
		"a rate of zero":   {Name: "x", Role: door.Visitor, Rate: door.Rate{Per: time.Minute}},
		"one that is over": {Name: "x", Role: door.Visitor, Expires: Noon},
	} {
		if _, err := keys.Add(t.Context(), a, n, Noon); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Add of %s = %v, want ErrInvalid", what, err)
		}
	}
	_, err = keys.Add(t.Context(), a, keys.New{Name: "kiosk-1", Role: door.Visitor}, Noon)
	if !errors.Is(err, fault.ErrConflict) {
		t.Errorf("Add of a name that was revoked = %v, want ErrConflict", err)
	}
}

// rotation: the former key stays good for as long as was said, and no longer.
func rotation(t *testing.T, a, b keys.Store) {
	old := add(t, a, keys.New{Name: "kiosk-1", Role: door.Visitor})
	next, err := keys.Rotate(t.Context(), b, "kiosk-1", time.Hour, time.Time{}, Noon)
	if err != nil || next == old {
		t.Fatalf("Rotate = %q, %v", next, err)
	}
	now := Noon
	ring, err := keys.NewRing(t.Context(), keys.Settings{}, a, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	check := func(when, key string, good bool) {
		t.Helper()
		found, ok := ring.Find(key)
		if ok != good || ok && found.Name != "kiosk-1" {
			t.Errorf("%s: Find = %+v, %v, want %v", when, found, ok, good)
		}
		caller := door.Caller{Key: "kiosk-1", Role: door.Visitor, KeyPrint: keys.HashOf(key).Print()}
		if ring.Holds(caller) != good {
			t.Errorf("%s: Holds = %v, want %v", when, !good, good)
		}
	}
	check("within the overlap", old, true)
	check("within the overlap", next, true)
	now = now.Add(time.Hour)
	check("after the overlap", old, false)
	check("after the overlap", next, true)
	last, err := keys.Rotate(t.Context(), a, "kiosk-1", 0, now.Add(time.Minute), now)
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := ring.Reload(t.Context()); !changed || err != nil {
		t.Errorf("Reload = %v, %v", changed, err)
	}
	check("without an overlap", next, false)
	check("without an overlap", last, true)
	now = now.Add(time.Minute)
	check("once it has expired", last, false)
	if ring.Count(door.Visitor) != 0 || !ring.Guards(door.Visitor) {
		t.Error("what an expired key guarded is open")
	}
	for what, c := range map[string]struct {
		name    string
		overlap time.Duration
		want    error
	}{
		"an expired key, without a word on the next": {"kiosk-1", time.Hour, fault.ErrInvalid},
		"nobody's key":              {"kiosk-2", time.Hour, fault.ErrNotFound},
		"an overlap that is over":   {"kiosk-1", -1, fault.ErrInvalid},
		"an overlap without an end": {"kiosk-1", 9000 * time.Hour, fault.ErrInvalid},
	} {
		if _, err := keys.Rotate(t.Context(), a, c.name, c.overlap, time.Time{}, now); !errors.Is(err, c.want) {
			t.Errorf("Rotate of %s = %v, want %v", what, err, c.want)
		}
	}
}

// uses: the later of two times counts, whoever notes it.
func uses(t *testing.T, a, b keys.Store) {
	for _, step := range []struct {
		s  keys.Store
		at time.Time
	}{{a, Noon}, {b, Noon.Add(time.Hour)}, {a, Noon.Add(time.Minute)}} {
		if err := step.s.Use(t.Context(), map[string]time.Time{"kiosk-1": step.at, "kiosk-2": Noon}); err != nil {
			t.Fatalf("Use = %v", err)
		}
	}
	want := map[string]time.Time{"kiosk-1": Noon.Add(time.Hour), "kiosk-2": Noon}
	if got, err := a.Used(t.Context()); err != nil || !cmp.Equal(got, want) {
		t.Errorf("Used = %v, %v, want %v", got, err, want)
	}
	key := add(t, a, keys.New{Name: "kiosk-3", Role: door.Visitor})
	ring, err := keys.NewRing(t.Context(), keys.Settings{}, b, func() time.Time { return Noon })
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := ring.Find(key); !ok {
		t.Fatal("a key is not found")
	}
	if err := ring.Flush(t.Context()); err != nil {
		t.Fatalf("Flush = %v", err)
	}
	if got, err := a.Used(t.Context()); err != nil || !got["kiosk-3"].Equal(Noon) {
		t.Errorf("Used after Flush = %v, %v", got, err)
	}
}

// many add keys at once.
func many(t *testing.T, a, b keys.Store) {
	var all sync.WaitGroup
	for i := range 10 {
		for j, s := range []keys.Store{a, b} {
			all.Go(func() {
				n := keys.New{Name: "key-" + strconv.Itoa(2*i+j), Role: door.Visitor}
				if _, err := keys.Add(t.Context(), s, n, Noon); err != nil {
					t.Errorf("Add = %v", err)
				}
			})
		}
	}
	all.Wait()
	if got := list(t, a); len(got) != 20 {
		t.Errorf("List = %d keys, want 20", len(got))
	}
}

// imports adds what is not there, and opens nothing that was closed.
func imports(t *testing.T, a, b keys.Store) {
	add(t, a, keys.New{Name: "kiosk-1", Role: door.Visitor})
	if err := keys.Revoke(t.Context(), a, "kiosk-1", Noon); err != nil {
		t.Fatal(err)
	}
	other := keys.Key{Name: "kiosk-2", Role: door.Visitor, Hash: keys.HashOf("b"), Created: Noon, Revoked: Noon}
	from := []keys.Key{{Name: "kiosk-1", Role: door.Visitor, Hash: keys.HashOf("a"), Created: Noon}, other}
	for _, want := range []int{1, 0} {
		if n, err := keys.Import(t.Context(), b, from); n != want || err != nil {
			t.Errorf("Import = %d, %v, want %d", n, err, want)
		}
	}
	if got := list(t, a); len(got) != 2 || got[0].Revoked.IsZero() || !cmp.Equal(got[1], other) {
		t.Errorf("List after Import = %+v", got)
	}
}
