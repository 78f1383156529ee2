package tables

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"annai/runs"
	"annai/storage/row"
)

// held says whether an object has all labels of another, as a search finds out.
func held(t *testing.T, s *Store, have, want runs.Object) bool {
	t.Helper()
	all, err := s.labels(have)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := s.labels(want)
	if err != nil {
		t.Fatal(err)
	}
	return !slices.ContainsFunc(wanted, func(l string) bool { return !slices.Contains(all, l) })
}

// FuzzLabels compares searches by labels with what they stand for.
func FuzzLabels(f *testing.F) {
	for _, pair := range [][2]string{
		{`{"a":1,"b":{"c":"d","e":[1,{"f":null}]}}`, `{"b":{"e":[1,{"f":null}]}}`},
		{`{"a":{}}`, `{"a":{}}`},
		{`{"a":{"b":1}}`, `{"a":{}}`},
		{`{"a":[1,2]}`, `{"a":[1]}`},
		{`{"a":0}`, `{"a":-0}`},
		{`{"a":[0,{"b":[-0]}]}`, `{"a":[-0,{"b":[0]}]}`},
		{`{"a":null}`, `{"b":null}`},
		{`{"灯":"🏮"}`, `{"灯":"🏮"}`},
		{`{"a":{"b.c":1}}`, `{"a.b":{"c":1}}`},
	} {
		f.Add(pair[0], pair[1])
	}
	s := &Store{codec: new(row.Codec)}
	f.Fuzz(func(t *testing.T, have, want string) {
		var h, w runs.Object
		if json.Unmarshal([]byte(have), &h) != nil || json.Unmarshal([]byte(want), &w) != nil {
			t.Skip("no objects")
		}
		if got, right := held(t, s, h, w), runs.Contains(h, w); got != right {
			t.Errorf("labels of %s hold those of %s: %t, want %t", have, want, got, right)
		}
		if !held(t, s, h, h) {
			t.Errorf("labels of %s do not hold themselves", have)
		}
	})
}

func TestPath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "a", "b", "\x00", "\x01", "\xff", "ab", "灯"}
	labels := func() (l []string) {
		for range 1 + r.IntN(4) {
			l = append(l, pieces[r.IntN(len(pieces))]+pieces[r.IntN(len(pieces))])
		}
		return l
	}
	for range 10_000 {
		a, b := labels(), labels()
		if got := labelsOf(path(a...)); !slices.Equal(got, a) {
			t.Fatalf("labelsOf(path(%q)) = %q", a, got)
		}
		if got, want := bytes.Compare(path(a...), path(b...)), slices.Compare(a, b); got != want {
			t.Fatalf("the paths of %q and %q compare as %d, want %d", a, b, got, want)
		}
	}
}
