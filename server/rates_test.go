package server

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"annai/server/door"
	"annai/server/gate"
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

// TestRatesTogether: what visitors ask at one server counts at the others within a moment, by address, by key, by a
// key's own rate and for wrong keys; where the servers do not hear each other the rate of each holds.
func TestRatesTogether(t *testing.T) {
	folder := t.TempDir()
	own := keys.New{Name: "few", Role: door.Visitor, Rate: door.Rate{Count: 4, Per: time.Minute}}
	few, err := keys.Add(t.Context(), keys.In(folder), own, noon)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		key         string
		here, there []string // from where it is asked at one server, then at another
		more        int      // how many are answered there
	}{
		"an address":       {askKey, []string{"192.0.2.1:1"}, []string{"192.0.2.1:2"}, 1},
		"a key":            {askKey, []string{"192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1"}, []string{"192.0.2.4:1"}, 3},
		"a key's own rate": {few, []string{"192.0.2.1:1", "192.0.2.2:1"}, []string{"192.0.2.3:1"}, 1},
		"a wrong key":      {"wrong", []string{"192.0.2.1:1"}, []string{"192.0.2.1:1"}, guesses - 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			var peers circle
			var background sync.WaitGroup
			start := func(peers gate.Peers) *fixture {
				f := setup{
					keyFolder: folder, keys: keys.Settings{Ask: askKey}, gate: gate.Options{Peers: peers},
					options: Options{
						AddressRate: door.Rate{Count: 4, Per: time.Minute},
						KeyRate:     door.Rate{Count: 6, Per: time.Minute},
					},
				}.fixture(t)
				background.Go(func() { f.parts.Gate.Listen(ctx) })
				background.Go(func() { f.shareRates(ctx) })
				return f
			}
			one, other, apart := start(&peers), start(&peers), start(new(circle))
			synctest.Wait()
			answered := func(f *fixture, n int, from []string) (count int) {
				for i := range n {
					w := f.do(t, "GET", "/venue", "", "X-Api-Key", test.key, "from", from[i%len(from)])
					if w.Code != http.StatusTooManyRequests {
						count++
					}
				}
				return count
			}
			if got := answered(one, 3, test.here); got != 3 {
				t.Errorf("%s: %d of 3 answered", name, got)
			}
			time.Sleep(2 * ratesEvery)
			if got := answered(other, guesses, test.there); got != test.more {
				t.Errorf("%s: %d more answered at another server, want %d", name, got, test.more)
			}
			if got := answered(apart, 3, test.here); got != 3 {
				t.Errorf("%s: %d of 3 answered at a server that hears of nobody", name, got)
			}
			stop()
			background.Wait()
		})
	}
}
