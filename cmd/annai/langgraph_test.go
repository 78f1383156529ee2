package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// call asks a running server, which must say yes, and decodes what it says.
func (r running) call(t testing.TB, method, path string, body, into any) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, r.url+path, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode/100 != 2 {
		t.Fatalf("%s %s = %s %s, %v", method, path, response.Status, said, err)
	}
	if into != nil {
		if err := json.Unmarshal(said, into); err != nil {
			t.Fatalf("%s %s = %s: %v", method, path, said, err)
		}
	}
}

// Items of the store are found by what they mean, in either language, and after a restart too.
func TestItemsByMeaning(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := start(t, "--data", data)
	for key, text := range map[string]string{
		"food": "I can't stand mushrooms, and I love noodles.", "work": "昼間は図書館で司書として働いています。", "pet": "うちには三毛猫が二匹います。", "marks": "🙂🙂",
	} {
		item := map[string]any{"namespace": []string{"people", "u1"}, "key": key, "value": map[string]any{"text": text, "seen": 3}}
		first.call(t, http.MethodPut, "/store/items", item, nil)
	}
	first.stop()
	s := start(t, "--data", data)
	for query, want := range map[string]string{
		"好きな食べ物は？": "food", "What does she do for a living?": "work", "Do they have any animals at home?": "pet", "which dish should we serve?": "food",
	} {
		var found struct {
			Items []struct {
				Key   string
				Score *float64
			}
		}
		s.call(t, http.MethodPost, "/store/items/search", map[string]any{"namespace_prefix": []string{"people"}, "query": query}, &found)
		if len(found.Items) != 4 || found.Items[0].Key != want || found.Items[0].Score == nil || found.Items[3].Key != "marks" || found.Items[3].Score != nil {
			t.Errorf("search for %q = %+v, want %s first and marks, of which nothing is known, last", query, found.Items, want)
		}
	}
}

// Among so many items that there is an index, what was just written or forgotten counts at once.
func TestManyItemsByMeaning(t *testing.T) {
	t.Parallel()
	s := start(t, "--data", t.TempDir())
	put := func(user, key, text string) {
		item := map[string]any{"namespace": []string{"people", user}, "key": key, "value": map[string]any{"text": text}}
		s.call(t, http.MethodPut, "/store/items", item, nil)
	}
	first := func() string {
		var found struct{ Items []struct{ Key string } }
		asked := map[string]any{"namespace_prefix": []string{"people"}, "query": "好きな食べ物は？", "limit": 3}
		s.call(t, http.MethodPost, "/store/items/search", asked, &found)
		if len(found.Items) != 3 {
			t.Fatalf("found %+v, want 3 items", found.Items)
		}
		return found.Items[0].Key
	}
	for n := range 70 {
		put("u1", fmt.Sprint("room", n), fmt.Sprintf("Room %d is on floor %d.", n, n/10))
	}
	put("u2", "food", "I can't stand mushrooms, and I love noodles.")
	if got := first(); got != "food" {
		t.Errorf("the first of 71 = %s, want food", got)
	}
	put("u1", "room7", "うどんが大好物です。")
	if got := first(); got != "room7" {
		t.Errorf("the first, once another item says so = %s, want room7", got)
	}
	for _, key := range []string{"room7", "food"} {
		user := map[string]string{"room7": "u1", "food": "u2"}[key]
		item := map[string]any{"namespace": []string{"people", user}, "key": key}
		s.call(t, http.MethodDelete, "/store/items", item, nil)
	}
	if got := first(); !strings.HasPrefix(got, "room") || got == "room7" {
		t.Errorf("the first, once both are forgotten = %s, want another room", got)
	}
}
