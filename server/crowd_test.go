package server

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"annai/server/door"
	"annai/server/keys"
)

// TestCrowds: a visitor has so much under way and no more, and others are not kept from it.
func TestCrowds(t *testing.T) {
	const there, elsewhere = "192.0.2.1:1", "192.0.2.2:1"
	visitor, moved, owner := []string{there, askKey}, []string{elsewhere, askKey}, []string{there, ownerKey}
	for name, test := range map[string]struct {
		options Options
		body    int
		first   []string // from where, with which key
		second  []string
		want    int
	}{
		"at one address":              {Options{AddressOpen: 1}, 0, visitor, visitor, 429},
		"at another address":          {Options{AddressOpen: 1}, 0, visitor, moved, 200},
		"with one key":                {Options{KeyOpen: 1}, 0, visitor, moved, 429},
		"an owner":                    {Options{AddressOpen: 1, KeyOpen: 1}, 0, owner, owner, 200},
		"large bodies":                {Options{}, 5 << 20, visitor, moved, 429},
		"bodies that are large, once": {Options{}, 3 << 20, visitor, moved, 200},
	} {
		t.Run(name, func(t *testing.T) {
			begun, end := make(chan bool, 2), make(chan bool)
			d := fakeDoor(door.Route{
				Method:  "POST",
				Path:    "/fake/waits",
				Role:    door.Visitor,
				MaxBody: 32 << 20,
				Handle:  func(*gin.Context) error { begun <- true; <-end; return nil },
			})
			f := setup{
				options: test.options,
				keys:    keys.Settings{Ask: askKey, Owner: ownerKey},
				doors:   []door.Door{d},
			}.fixture(
				t,
			)
			ask := func(who []string) *httptest.ResponseRecorder {
				return f.do(
					t,
					"POST",
					"/fake/waits",
					strings.Repeat("x", test.body),
					"from",
					who[0],
					"X-Api-Key",
					who[1],
				)
			}
			answered := make(chan int)
			go func() { answered <- ask(test.first).Code }()
			<-begun
			if test.want == http.StatusOK {
				go func() { answered <- ask(test.second).Code }()
				<-begun
				close(end)
				if got := <-answered; got != http.StatusOK {
					t.Errorf("the second = %d, want 200", got)
				}
			} else {
				w := ask(test.second)
				if w.Code != test.want || w.Header().Get("Retry-After") == "" {
					t.Errorf(
						"the second = %d, Retry-After %q, want %d and when to come again",
						w.Code,
						w.Header().Get("Retry-After"),
						test.want,
					)
				}
				close(end)
			}
			if got := <-answered; got != http.StatusOK {
				t.Errorf("the first = %d, want 200", got)
			}
			begun <- true
			if w := ask(test.second); w.Code != http.StatusOK {
				t.Errorf("one after that = %d, want 200", w.Code)
			}
		})
	}
}

// TestCharge: what a request asks for besides itself counts as if each were asked for.
func TestCharge(t *testing.T) {
	d := fakeDoor(
		door.Route{Method: "POST", Path: "/fake/many/:id", Role: door.Visitor, Handle: func(c *gin.Context) error {
			return door.Charge(c, len(c.Param("id"))-1)
		}},
	)
	rate := door.Rate{Count: 5, Per: time.Minute}
	f := setup{
		options: Options{AddressRate: rate},
		keys:    keys.Settings{Ask: askKey, Admin: adminKey},
		doors:   []door.Door{d},
	}.fixture(
		t,
	)
	for i, test := range []struct {
		many, key string
		want      int
	}{
		{"4444", askKey, 200},
		{"22", askKey, 429},
		{"1", askKey, 429},
		{"7777777", askKey, 429},
		{"7777777", adminKey, 200},
	} {
		if w := f.do(t, "POST", "/fake/many/"+test.many, "", "X-Api-Key", test.key); w.Code != test.want {
			t.Errorf("request %d = %d, want %d", i+1, w.Code, test.want)
		}
	}
	f = setup{options: Options{AddressRate: rate}, keys: keys.Settings{Ask: askKey}, doors: []door.Door{d}}.fixture(t)
	if w := f.do(t, "POST", "/fake/many/7777777", "", "X-Api-Key", askKey); w.Code != http.StatusBadRequest {
		t.Errorf("more at once than there may be in a minute = %d, want 400", w.Code)
	}
}

// TestHold: answers that nobody reads count as bodies do, the request's own body no more once there is one.
func TestHold(t *testing.T) {
	begun, end := make(chan bool), make(chan bool)
	d := fakeDoor(
		door.Route{
			Method: "POST", Path: "/fake/answers/:mib", Role: door.Visitor, MaxBody: 32 << 20,
			Handle: func(c *gin.Context) error {
				size, err := strconv.Atoi(c.Param("mib"))
				if err == nil {
					err = door.Hold(c, size<<20)
				}
				if size > 5 {
					begun <- true
					<-end
				}
				return err
			},
		},
	)
	f := setup{keys: keys.Settings{Ask: askKey, Owner: ownerKey}, doors: []door.Door{d}}.fixture(t)
	first := make(chan int)
	go func() {
		w := f.do(t, "POST", "/fake/answers/6", strings.Repeat("x", 5<<20), "X-Api-Key", askKey)
		first <- w.Code
	}()
	<-begun
	for _, test := range []struct {
		mib, key string
		want     int
	}{
		{"3", askKey, http.StatusTooManyRequests},
		{"2", askKey, http.StatusOK},
		{"3", ownerKey, http.StatusOK},
	} {
		if w := f.do(t, "POST", "/fake/answers/"+test.mib, "", "X-Api-Key", test.key); w.Code != test.want {
			t.Errorf("%s MiB beside 6 with %s = %d, want %d", test.mib, test.key, w.Code, test.want)
		}
	}
	close(end)
	if got := <-first; got != http.StatusOK {
		t.Errorf("the first = %d, want 200", got)
	}
	if w := f.do(t, "POST", "/fake/answers/3", "", "X-Api-Key", askKey); w.Code != http.StatusOK {
		t.Errorf("after that = %d, want 200", w.Code)
	}
}
