package server

import (
	"net/http"
	"testing"
	"time"

	"annai/server/door"
	"annai/server/keys"
)

// TestOwnRate: a key that has a rate of its own is bounded by that, whatever its role and from
// wherever it is sent, and by no other.
func TestOwnRate(t *testing.T) {
	folder := t.TempDir()
	file, made := keys.In(folder), map[string]string{}
	for name, n := range map[string]keys.New{
		"few":   {Role: door.Visitor, Rate: door.Rate{Count: 2, Per: time.Minute}},
		"many":  {Role: door.Visitor, Rate: door.Rate{Count: 9, Per: time.Minute}},
		"owner": {Role: door.Owner, Rate: door.Rate{Count: 3, Per: time.Minute}},
		"plain": {Role: door.Visitor},
	} {
		n.Name = name
		key, err := keys.Add(t.Context(), file, n, noon)
		if err != nil {
			t.Fatal(err)
		}
		made[name] = key
	}
	f := setup{
		keyFolder: folder, options: Options{AddressRate: door.Rate{Count: 5, Per: time.Minute}},
	}.fixture(t)
	for name, want := range map[string]int{"few": 2, "many": 9, "owner": 3, "plain": 5} {
		answered := 0
		for i := range 12 {
			from := []string{"192.0.2.1:1", "192.0.2.2:1"}[i%2]
			if name == "plain" { // which the address bounds
				from = "192.0.2.3:1"
			}
			if f.do(t, "GET", "/venue", "", "X-Api-Key", made[name], "from", from).Code == http.StatusOK {
				answered++
			}
		}
		if answered != want {
			t.Errorf("with %s %d of 12 requests are answered, want %d", name, answered, want)
		}
	}
}
