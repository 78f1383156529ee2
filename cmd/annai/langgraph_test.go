package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
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
