package keys_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"annai/fault"
	"annai/server/door"
	"annai/server/keys"
)

func TestOwners(t *testing.T) {
	file := keys.In(t.TempDir())
	key, err := keys.Add(t.Context(), file, keys.New{Name: "hanako-phone", Role: door.Owner, Owner: "hanako"}, noon)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := keys.NewRing(t.Context(), keys.Settings{Owner: "the-owner-key-of-the-settings"}, file, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for sent, want := range map[string]string{key: "hanako", "the-owner-key-of-the-settings": ""} {
		if got, ok := ring.Find(sent); !ok || got.Owner != want || got.Role != door.Owner {
			t.Errorf("Find(a key) = %+v, %v, want the owner %q", got, ok, want)
		}
	}
	for owner, role := range map[string]door.Role{
		"hanako": door.Visitor, "taro": door.Operator, "../x": door.Owner, "a b": door.Owner,
	} {
		_, err := keys.Add(t.Context(), file, keys.New{Name: "other", Role: role, Owner: owner}, noon)
		if !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Add(%s key of %q) = %v, want ErrInvalid", role, owner, err)
		}
	}
	text := `{"keys":[{"name":"a","role":"ask","owner":"hanako","sha256":"` + string(
		mustText(t, keys.HashOf("a")),
	) + `"}]}`
	if err := os.WriteFile(file.Path(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := file.List(t.Context()); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("List of a visitor's key that names an owner = %v, want ErrInvalid", err)
	}
}

func mustText(t *testing.T, h keys.Hash) []byte {
	t.Helper()
	text, err := h.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
