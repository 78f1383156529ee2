package server

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/server/door"
	"annai/server/keys"
)

const (
	askKey   = "a-key-for-kiosks-and-avatars"
	adminKey = "a-key-for-whoever-operates"
)

// rolesDoor has a route for each role, as doors have them; one of them may have its key in its address.
func rolesDoor() door.Door {
	d := fakeDoor(long(func(*gin.Context) error { return nil }))
	for _, r := range []door.Role{door.Anyone, door.Owner, door.Operator} {
		d.Routes = append(d.Routes, door.Route{Method: "POST", Path: "/fake/" + string(r) + "/:id", Role: r, Handle: func(*gin.Context) error { return nil }})
	}
	return d
}

// callers are who there may be: what they send, and what role they are known by where there are all keys.
var callers = []struct {
	name    string
	headers []string
	role    door.Role
	unknown bool
}{
	{name: "no key", role: door.Anyone},
	{name: "ask key", headers: []string{"Authorization", "Bearer " + askKey}, role: door.Visitor},
	{name: "ask key by another header", headers: []string{"X-Api-Key", askKey}, role: door.Visitor},
	{name: "owner key", headers: []string{"Authorization", "bearer " + ownerKey}, role: door.Owner},
	{name: "admin key", headers: []string{"Authorization", "Bearer " + adminKey}, role: door.Operator},
	{name: "wrong key", headers: []string{"Authorization", "Bearer " + adminKey + "x"}, unknown: true},
	{name: "wrong key by another header", headers: []string{"X-Api-Key", "x" + adminKey}, unknown: true},
	{name: "empty key", headers: []string{"Authorization", "Bearer "}, unknown: true},
	{name: "another scheme", headers: []string{"Authorization", "Basic " + adminKey}, unknown: true},
}

// TestRoutesByKey asks for every route of ours, and one of a door for each role, by every role, without a key and with a wrong one, depending on
// which keys there are. What the routes of all doors are for is in the table of cmd/annai (TestAccess).
func TestRoutesByKey(t *testing.T) {
	asked := 0
	for name, test := range map[string]struct {
		keys    keys.Settings
		options Options
		from    string
		// visitors and operators say whether those without a key may do as these do.
		visitors, operators bool
		// known says whether the keys of callers are.
		known bool
	}{
		"no keys":                        {visitors: true, operators: true},
		"no keys, asked from elsewhere":  {options: Options{KeyElsewhere: true}, from: "192.0.2.9:1"},
		"no keys, but insecure":          {from: "192.0.2.9:1", visitors: true, operators: true},
		"all keys":                       {keys: keys.Settings{Ask: askKey, Owner: ownerKey, Admin: adminKey}, known: true},
		"all keys, asked from elsewhere": {keys: keys.Settings{Ask: askKey, Owner: ownerKey, Admin: adminKey}, options: Options{KeyElsewhere: true}, from: "192.0.2.9:1", known: true},
	} {
		f := setup{keys: test.keys, options: test.options, doors: []door.Door{rolesDoor()}}.fixture(t)
		for _, r := range append(all(f), f.parts.Doors[0].Routes...) {
			for _, who := range callers {
				caller := door.Caller{Role: door.Anyone, Operates: test.operators}
				if test.visitors {
					caller.Role = door.Visitor
				}
				want := http.StatusUnauthorized
				switch {
				case test.known && who.role != door.Anyone && !who.unknown:
					caller = door.Caller{Role: who.role}
					want = http.StatusForbidden
				case test.known && who.unknown:
					caller = door.Caller{}
				}
				allowed := r.Role == door.Anyone || caller.Role != "" && caller.Is(r.Role)
				body := ""
				if r.Path == "/query" {
					body = goodBody
				}
				asked++ // each from an address of its own: this test is not about how often
				from := fmt.Sprintf("127.0.%d.%d:1", asked/250, asked%250+1)
				if test.from != "" {
					from = fmt.Sprintf("198.18.%d.%d:1", asked/250, asked%250+1)
				}
				headers := append([]string{"from", from}, who.headers...)
				w := f.do(t, r.Method, example(r), body, headers...)
				got := w.Code
				if refused := got == http.StatusUnauthorized || got == http.StatusForbidden; refused == allowed {
					t.Errorf("%s: %s %s for %s by %s = %d %s, want allowed %v", name, r.Method, r.Path, r.Role, who.name, got, w.Body, allowed)
				} else if refused && got != want {
					t.Errorf("%s: %s %s for %s by %s = %d, want %d", name, r.Method, r.Path, r.Role, who.name, got, want)
				}
				if got == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s: %s %s by %s: WWW-Authenticate = %q, want Bearer", name, r.Method, r.Path, who.name, w.Header().Get("WWW-Authenticate"))
				}
			}
		}
		if strings.Contains(f.log.String(), askKey) || strings.Contains(f.log.String(), ownerKey) || strings.Contains(f.log.String(), adminKey) {
			t.Errorf("%s: a key is in the log", name)
		}
	}
}

// TestSomeKeys holds what one key does to those without.
func TestSomeKeys(t *testing.T) {
	for name, test := range map[string]struct {
		keys             keys.Settings
		query, metrics   int // without a key
		withKey, asOwner int // POST /query and GET /metrics with the key
	}{
		"an ask key locks both":              {keys.Settings{Ask: askKey}, 401, 401, 200, 403},
		"an owner key locks neither":         {keys.Settings{Owner: askKey}, 200, 200, 200, 200},
		"an admin key locks what operates":   {keys.Settings{Admin: askKey}, 200, 401, 200, 200},
		"keys are not looked at without any": {keys.Settings{}, 200, 200, 200, 200},
	} {
		f := setup{keys: test.keys}.fixture(t)
		bearer := []string{"Authorization", "Bearer " + askKey}
		got := [4]int{
			f.do(t, "POST", "/query", goodBody).Code, f.do(t, "GET", "/metrics", "").Code,
			f.do(t, "POST", "/query", goodBody, bearer...).Code, f.do(t, "GET", "/metrics", "", bearer...).Code,
		}
		if want := [4]int{test.query, test.metrics, test.withKey, test.asOwner}; got != want {
			t.Errorf("%s: POST /query and GET /metrics without, then with = %v, want %v", name, got, want)
		}
	}
}

// TestOwnersTurn checks that a turn knows whether it is its owner's.
func TestOwnersTurn(t *testing.T) {
	f := setup{keys: keys.Settings{Ask: askKey, Owner: ownerKey, Admin: adminKey}}.fixture(t)
	for key, owner := range map[string]bool{askKey: false, ownerKey: true, adminKey: true} {
		f.do(t, "POST", "/query", goodBody, "Authorization", "Bearer "+key)
		if got := f.concierge.last(t).Owner; got != owner {
			t.Errorf("POST /query with %s: turn's Owner = %v, want %v", key, got, owner)
		}
	}
	f = newFixture(t, Options{})
	if f.do(t, "POST", "/query", goodBody); f.concierge.last(t).Owner {
		t.Error("whoever sends no key is the owner where there are no keys")
	}
}

// TestKeyInURL checks that a key is taken from addresses only where there is no other place, and that it goes no further.
func TestKeyInURL(t *testing.T) {
	var seen string
	f := setup{keys: keys.Settings{Ask: askKey}, doors: []door.Door{fakeDoor(long(func(c *gin.Context) error {
		seen = c.Request.URL.String() + " " + c.Request.RequestURI
		return nil
	}))}}.fixture(t)
	if w := f.do(t, "GET", "/fake/long?a=b&key="+askKey, ""); w.Code != http.StatusOK || seen != "/fake/long?a=b /fake/long?a=b" {
		t.Errorf("GET /fake/long with its key = %d, handled as %q, want 200 without the key", w.Code, seen)
	}
	for _, path := range []string{"/fake/hello?key=" + askKey, "/fake/long?key=wrong", "/fake/long?key=", "/fake/long"} {
		if w := f.do(t, "GET", path, ""); w.Code != http.StatusUnauthorized {
			t.Errorf("GET %s = %d, want 401", path, w.Code)
		}
	}
	if strings.Contains(f.log.String(), askKey) {
		t.Error("the key is in the log")
	}
}

// TestNamedKeys adds and revokes keys while the server runs: a long answer to a revoked key ends.
func TestNamedKeys(t *testing.T) {
	folder := t.TempDir()
	file := keys.In(folder)
	synctest.Test(t, func(t *testing.T) {
		begun, ended := make(chan struct{}), make(chan struct{})
		f := setup{keyFolder: folder, doors: []door.Door{fakeDoor(long(func(c *gin.Context) error {
			close(begun)
			<-c.Request.Context().Done()
			close(ended)
			return nil
		}))}}.fixture(t)
		_, served, stop := pipe(t, f)
		if w := f.do(t, "POST", "/query", goodBody); w.Code != http.StatusOK {
			t.Fatalf("POST /query before there are keys = %d, want 200", w.Code)
		}
		key, err := keys.Add(t.Context(), file, keys.New{Name: "kiosk-1", Role: door.Visitor}, noon)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(keysEvery + time.Millisecond)
		bearer := []string{"Authorization", "Bearer " + key}
		checkEnvelope(t, f.do(t, "POST", "/query", goodBody), http.StatusUnauthorized, api.CodeUnauthorized)
		if w := f.do(t, "POST", "/query", goodBody, bearer...); w.Code != http.StatusOK {
			t.Errorf("POST /query with a new key = %d, want 200", w.Code)
		}
		go f.do(t, "GET", "/fake/long", "", bearer...)
		<-begun
		if err := keys.Revoke(t.Context(), file, "kiosk-1", noon); err != nil {
			t.Fatal(err)
		}
		<-ended
		for _, headers := range [][]string{nil, bearer} {
			checkEnvelope(t, f.do(t, "POST", "/query", goodBody, headers...), http.StatusUnauthorized, api.CodeUnauthorized)
		}
		if err := os.WriteFile(file.Path(), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * keysEvery)
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		if got := strings.Count(f.log.String(), "keys not read"); got != 1 {
			t.Errorf("a broken file is told %d times, want once", got)
		}
	})
}
