package main

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/internal/config"
	"annai/server"
	"annai/server/door"
	"annai/server/keys"
	"annai/web"
)

var updateRoutes = flag.Bool("update-routes", false, "rewrite testdata/routes.txt")

// openedDoors are the doors as they are served, with handlers that do nothing.
func openedDoors(t *testing.T) (*assembly, *door.Gate, []door.Door) {
	t.Helper()
	none := config.Model{Provider: "none"}
	c := config.Config{Listen: "127.0.0.1:0", SessionIdle: time.Minute, Deadline: 5 * time.Second, SourceDeadline: 2 * time.Second, Model: none, FallbackModel: none}
	a := opened(t, c)
	gate := door.NewGate(a.concierge, door.GateOptions{})
	doors, _, stop, err := openDoors(t.Context(), a, c, gate, true, discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	for i := range doors {
		doors[i].Routes = slices.Clone(doors[i].Routes)
		for j := range doors[i].Routes {
			doors[i].Routes[j].Handle = answer
		}
	}
	return a, gate, doors
}

// answer is a handler that writes nothing, which is 200.
func answer[Context any](*Context) error { return nil }

// TestRoutesOfDoors walks the tables of the real doors: every route by every role, without a key and with a wrong one. What they ask for is
// in testdata/routes.txt, where a change of it is seen.
func TestRoutesOfDoors(t *testing.T) {
	const ask, owner, admin = "an-ask-key-of-these-tests", "an-owner-key-of-these-tests", "an-admin-key-of-these-tests"
	a, gate, doors := openedDoors(t)
	ring, err := keys.NewRing(t.Context(), keys.Settings{Ask: ask, Owner: owner, Admin: admin}, nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Parts{
		Gate: gate, Keys: ring, Concierge: a.concierge, Calendar: a.calendar, Venue: a.venue, Tools: a.tools, Kiosk: web.Kiosk(), Now: a.now, Doors: doors,
	}, server.Options{})
	asked := 0 // each from an address of its own, because wrong keys are bounded
	status := func(r door.Route, key string) int {
		asked++
		path := strings.NewReplacer("*", "", ":", "").Replace(r.Path)
		w, request := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), r.Method, path, strings.NewReader("{}"))
		request.Host, request.RemoteAddr = "127.0.0.1:8080", fmt.Sprintf("10.0.%d.%d:1", asked/250, asked%250)
		request.Header.Set("Content-Type", "application/json")
		if key != "" {
			request.Header.Set("X-Api-Key", key)
		}
		s.Handler().ServeHTTP(w, request)
		return w.Code
	}
	const unauthorized, forbidden, reached = http.StatusUnauthorized, http.StatusForbidden, http.StatusOK
	want := map[door.Role][5]int{ // no key, a wrong one, ask, owner, admin
		door.Anyone:   {reached, reached, reached, reached, reached},
		door.Visitor:  {unauthorized, unauthorized, reached, reached, reached},
		door.Owner:    {unauthorized, unauthorized, forbidden, reached, reached},
		door.Operator: {unauthorized, unauthorized, forbidden, forbidden, reached},
	}
	var table []string
	for _, d := range doors {
		for _, r := range d.Routes {
			table = append(table, fmt.Sprintf("%-9s %-8s %-6s %s", d.Name, r.Role, r.Method, r.Path))
			got := [5]int{status(r, ""), status(r, admin+"x"), status(r, ask), status(r, owner), status(r, admin)}
			if got != want[r.Role] {
				t.Errorf("%s: %s %s for %s without, with a wrong, an ask, an owner's and an admin's key = %v, want %v", d.Name, r.Method, r.Path, r.Role, got, want[r.Role])
			}
		}
	}
	text := strings.Join(table, "\n") + "\n"
	if *updateRoutes {
		if err := os.WriteFile("testdata/routes.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile("testdata/routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), text); diff != "" {
		t.Errorf("the routes of doors are not those of testdata/routes.txt; see that nobody may more than they should, then run go test ./cmd/annai -run RoutesOfDoors -update-routes (-file +doors):\n%s", diff)
	}
}
