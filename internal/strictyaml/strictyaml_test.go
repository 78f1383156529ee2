package strictyaml_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/internal/strictyaml"
)

type file struct {
	Name  string   `yaml:"name"`
	Count int      `yaml:"count"`
	Tags  []string `yaml:"tags"`
	Inner struct {
		On bool `yaml:"on"`
	} `yaml:"inner"`
}

func TestDecode(t *testing.T) {
	var got file
	if err := strictyaml.Decode([]byte("name: あ\ncount: 2\ntags: [a, b]\ninner: {on: true}\n"), &got); err != nil {
		t.Fatalf("Decode() = %v", err)
	}
	want := file{Name: "あ", Count: 2, Tags: []string{"a", "b"}}
	want.Inner.On = true
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Decode (-want +got):\n%s", diff)
	}
	if err := strictyaml.Decode(nil, &got); err != nil || got.Name != "あ" {
		t.Errorf("Decode(nothing) = %v, %v, want what was there", err, got)
	}
	data, err := strictyaml.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	var again file
	if err := strictyaml.Decode(data, &again); err != nil || !cmp.Equal(want, again) {
		t.Errorf("Decode(Encode(v)) = %v, %v, want v", again, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"name: a\ntagz: [a]\n":     `line 2: unknown key "tagz": invalid`,
		"name: a\nname: b\n":       `line 2: key "name" is there twice, first in line 1: invalid`,
		"count: many\n":            `line 1: "many" is not a number: invalid`,
		"tags: a\n":                `line 1: "a" is not a list: invalid`,
		"tags: {a: b}\n":           `line 1: a group of keys is not a list: invalid`,
		"name: [a]\n":              `line 1: a list is not a text: invalid`,
		"inner: {on: perhaps}\n":   `line 1: "perhaps" is not true or false: invalid`,
		"inner: [on]\n":            `line 1: a list is not a group of keys: invalid`,
		"countx: 1\ntagz: 2\n":     "line 1: unknown key \"countx\"\nline 2: unknown key \"tagz\": invalid",
		"inner: {on: yes, and on}": `line 1: "and on" is no key; quote a text that has a comma: invalid`,
		"name: a\n---\nname: b\n":  "more than one document: invalid",
		"name: [a\n":               `line 1: did not find expected ',' or ']': invalid`,
	} {
		err := strictyaml.Decode([]byte(text), new(file))
		if !errors.Is(err, fault.ErrInvalid) || err.Error() != want {
			t.Errorf("Decode(%q) = %v, want %s", text, err, want)
		}
	}
}

// A text that needs quotes is named, with its own line, however the library counts.
func TestDecodeAsksForQuotes(t *testing.T) {
	const top = "name: a\ncount: 2\n"
	for text, want := range map[string]string{
		top + "tags:\n  - {ja: 今日のイベントは？, en: What is on today?}\n": `line 4: quote this text: "What is on today?": invalid`,
		top + "tags:\n  - {ja: 何時？, en: What is on today?, x: y}\n": `line 4: quote this text: "What is on today?": invalid`,
		"tags: [What is on?, b]\n":                                 `line 1: quote this text: "What is on?": invalid`,
		top + "inner:\n  question: Note: what is it\n  on: true\n": `line 4: quote this text: "Note: what is it": invalid`,
		top + "tags:\n  - @desk\n":                                 `line 4: quote this text: "@desk": invalid`,
		top + "tags:\n  - *star*\n":                                `line 4: quote this text: "*star*": invalid`,
		top + "inner: {a: 1,\n  b: 50% off, c: What?,\n  d: 1}\n":  `line 4: quote this text: "What?": invalid`,
		top + "tags:\n  - {ja: a?, en: b}\n  - {ja: c?, en: d}\n":  `line 4: quote this text: "a?": invalid`,
		top + "tags: [a\nnext: b\n":                                `line 3: did not find expected ',' or ']': invalid`,
		top + "  deep: b\n":                                        `line 3: mapping values are not allowed in this context: invalid`,
		top + "inner:\n\ton: true\n":                               `line 4: found character that cannot start any token: invalid`,
	} {
		err := strictyaml.Decode([]byte(text), new(file))
		if !errors.Is(err, fault.ErrInvalid) || err.Error() != want {
			t.Errorf("Decode(%q) = %v, want %s", text, err, want)
		}
	}
}

func TestLines(t *testing.T) {
	got := strictyaml.Lines([]byte("name: a\nlist:\n  - {a: 1}\n  - b: &x\n      c: 2\n    d: *x\n"))
	want := map[string]int{
		"name": 1, "list": 2, "list[0]": 3, "list[0].a": 3, "list[1]": 4, "list[1].b": 4, "list[1].b.c": 5, "list[1].d": 6,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Lines (-want +got):\n%s", diff)
	}
	if got := strictyaml.Lines([]byte("a: [")); len(got) != 0 {
		t.Errorf("Lines(no document) = %v, want none", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("tags: [What is on?, b]\n- a: @b")
	f.Add("a: b: c\nd: {e: f?}")
	f.Fuzz(func(t *testing.T, text string) {
		if err := strictyaml.Decode([]byte(text), new(file)); err != nil && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Decode(%q) = %v, want ErrInvalid", text, err)
		}
		strictyaml.Lines([]byte(text))
	})
}
