package nodes

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/api"
)

// TestOldState holds that what a session remembered of the owner's calendar before that was a
// package of its own is read as it was, and kept: every field of a plan, of a request and of an
// entry is set in it.
func TestOldState(t *testing.T) {
	old, err := os.ReadFile("testdata/state_owner.json")
	if err != nil {
		t.Fatal(err)
	}
	in := json.NewDecoder(bytes.NewReader(old))
	in.DisallowUnknownFields()
	var s State
	if err := in.Decode(&s); err != nil {
		t.Fatalf("an old state is not read: %v", err)
	}
	kept, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(old), string(kept)+"\n"); diff != "" {
		t.Errorf("an old state is kept otherwise (-old +kept):\n%s", diff)
	}
	if m := s.Topic.owners(); len(m.Events) != 2 || m.Focus != 2 || m.WroteTitle != "会議" || len(m.Slots) != 1 {
		t.Errorf("the talk about the calendar is %+v, want two entries, the second in focus, and a suggestion", m)
	}
}

// TestStateHoldsNoWire holds that what is kept of a session does not change with the HTTP contract.
func TestStateHoldsNoWire(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(at reflect.Type, path string)
	look = func(at reflect.Type, path string) {
		if seen[at] {
			return
		}
		seen[at] = true
		if at.PkgPath() == reflect.TypeFor[api.QueryResponse]().PkgPath() {
			t.Errorf("%s is a %v, want no type of the HTTP contract", path, at)
		}
		switch at.Kind() {
		case reflect.Map:
			look(at.Key(), path)
			look(at.Elem(), path)
		case reflect.Array, reflect.Pointer, reflect.Slice:
			look(at.Elem(), path)
		case reflect.Struct:
			for _, f := range reflect.VisibleFields(at) {
				look(f.Type, path+"."+f.Name)
			}
		default:
		}
	}
	look(reflect.TypeFor[State](), "State")
}
