package runs_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/runs"
)

// taste is a meaning of three words; what has none of them says nothing. Each line is a part.
type taste string

func (t taste) Fingerprint() string { return string(t) }

func (taste) Vectors(_ context.Context, text string) (vectors [][]float32, _ error) {
	for line := range strings.Lines(text) {
		v, any := make([]float32, 3), false
		for n, word := range []string{"sweet", "sour", "salty"} {
			if strings.Contains(line, word) && !any {
				v[n], any = 1, true
			}
		}
		if any {
			vectors = append(vectors, v)
		}
	}
	return vectors, nil
}

func put(p *process, key, value, index string) {
	p.Helper()
	item := runs.NewItem{Namespace: []string{"food"}, Key: key, TTL: 1}
	if err := json.Unmarshal([]byte(value), &item.Value); err != nil {
		p.Fatal(err)
	}
	if index != "" {
		if err := json.Unmarshal([]byte(index), &item.Index); err != nil {
			p.Fatal(err)
		}
	}
	if err := p.PutItem(p.Context(), item); err != nil {
		p.Fatalf("PutItem(%s) = %v", key, err)
	}
}

// found searches, and says what was found: keys, and scores where there are some.
func found(p *process, query string, f runs.ItemFilter) (said string) {
	p.Helper()
	f.Prefix = []string{"food"}
	if f.Page == (runs.Page{}) {
		f.Page.Limit = 10
	}
	items, err := p.SearchItems(p.Context(), f, query)
	if err != nil {
		p.Fatalf("SearchItems(%q) = %v", query, err)
	}
	for _, i := range items {
		said += i.Key
		if i.Score != nil {
			said += map[float64]string{0: "-", 1: "+"}[*i.Score]
		}
		said += " "
	}
	return strings.TrimSpace(said)
}

func TestSearchByMeaning(t *testing.T) {
	bubble(t, func(w *world) {
		w.meaning = taste("1")
		p := w.process(runs.Options{})
		put(p, "cake", `{"is":"sweet","shop":"a"}`, "")
		put(p, "crisps", `{"list":[{"is":"nothing"},{"is":"salty"}],"shop":"a"}`, "")
		put(p, "hidden", `{"is":"sour"}`, "false")
		put(p, "lemon", `{"is":"sour","of":"sweet trees"}`, `["is"]`)
		put(p, "plum", `{"is":"sour","then":"sweet","shop":"a"}`, `["is","then"]`)
		put(p, "stone", `{"is":7}`, "")
		for _, test := range []struct {
			name, query string
			filter      runs.ItemFilter
			want        string
		}{
			{"nothing to look for", "", runs.ItemFilter{}, "cake crisps hidden lemon plum stone"},
			{"nothing that is known", "blue", runs.ItemFilter{}, "cake crisps hidden lemon plum stone"},
			{"the nearest first, then what can't be compared", "sweet?", runs.ItemFilter{}, "cake+ plum+ crisps- lemon- hidden stone"},
			{"each by its nearest part", "sour", runs.ItemFilter{}, "lemon+ plum+ cake- crisps- hidden stone"},
			{"inside of lists", "salty", runs.ItemFilter{Page: runs.Page{Limit: 1}}, "crisps+"},
			{"with a filter", "sour", runs.ItemFilter{Match: runs.Object{"shop": "a"}}, "plum+ cake- crisps-"},
			{"a page", "sweet", runs.ItemFilter{Page: runs.Page{Limit: 2, Offset: 1}}, "plum+ crisps-"},
			{"beyond the last", "sweet", runs.ItemFilter{Page: runs.Page{Limit: 2, Offset: 9}}, ""},
		} {
			if got := found(p, test.query, test.filter); got != test.want {
				t.Errorf("%s: SearchItems(%q) = %q, want %q", test.name, test.query, got, test.want)
			}
		}
		w.meaning = taste("2")
		if got, want := found(w.process(runs.Options{}), "sweet", runs.ItemFilter{}), "cake crisps hidden lemon plum stone"; got != want {
			t.Errorf("SearchItems with vectors of another model = %q, want %q, none compared", got, want)
		}
	})
}

// Only what a search returns lives on.
func TestSearchByMeaningRefreshes(t *testing.T) {
	bubble(t, func(w *world) {
		w.meaning = taste("1")
		p := w.process(runs.Options{})
		put(p, "cake", `{"is":"sweet"}`, "")
		put(p, "lemon", `{"is":"sour"}`, "")
		time.Sleep(40 * time.Second)
		found(p, "sour", runs.ItemFilter{Refresh: true, Page: runs.Page{Limit: 1}})
		time.Sleep(40 * time.Second)
		if got, want := found(p, "", runs.ItemFilter{}), "lemon"; got != want {
			t.Errorf("items after their time, one of them found meanwhile = %q, want %q", got, want)
		}
	})
}

// What counts of a value are the texts that the paths lead to; a path that leads nowhere is none.
func TestIndexPaths(t *testing.T) {
	bubble(t, func(w *world) {
		heard := new(hearer)
		w.meaning = heard
		p := w.process(runs.Options{})
		const value = `{"b":{"c":"one","d":2},"a":["two",{"c":"three"},["four"]],"e":"five"}`
		for index, want := range map[string]string{
			"":                         "two\nthree\nfour\none\nfive",
			`["$"]`:                    "two\nthree\nfour\none\nfive",
			`["e","b.c"]`:              "five\none",
			`["b"]`:                    "one",
			`["a[0]","a[-1]"]`:         "two\nfour",
			`["a[1].c","a[9].c","z"]`:  "three",
			`["a[*].c","$.e","a[*]"]`:  "three\nfive\ntwo\nthree\nfour",
			`["a[x]","b[0]","e.f",""]`: "two\nthree\nfour\none\nfive",
		} {
			put(p, "k", value, index)
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(heard.last, "\n")); diff != "" {
				t.Errorf("index %s of %s (-want +got):\n%s", index, value, diff)
			}
		}
	})
}

// hearer keeps the last text.
type hearer struct{ last string }

func (*hearer) Fingerprint() string { return "" }

func (h *hearer) Vectors(_ context.Context, text string) ([][]float32, error) {
	h.last = text
	return nil, nil
}

func FuzzIndex(f *testing.F) {
	f.Add("a[*].b", `{"a":[{"b":"c"}]}`)
	f.Add("$..[", `{"":[]}`)
	f.Add("[-9223372036854775808]", `{"[-1]":"x"}`)
	f.Fuzz(func(t *testing.T, path, value string) {
		var item runs.NewItem
		if json.Unmarshal([]byte(value), &item.Value) != nil {
			return
		}
		whole, one := runs.IndexText(runs.Index{}, item.Value), runs.IndexText(runs.Index{Fields: []string{path}}, item.Value)
		if one == "" {
			return
		}
		all := strings.Split(whole, "\n")
		for line := range strings.SplitSeq(one, "\n") {
			if !slices.Contains(all, line) {
				t.Errorf("path %q of %s leads to %q, which is no text of the value", path, value, line)
			}
		}
	})
}
