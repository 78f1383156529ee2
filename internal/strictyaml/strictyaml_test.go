package strictyaml_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/internal/fault"
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
		"name: a\ntagz: [a]\n":    `line 2: unknown key "tagz": invalid`,
		"name: a\nname: b\n":      `line 2: key "name" is there twice, first in line 1: invalid`,
		"count: many\n":           `line 1: "many" is not a number: invalid`,
		"tags: a\n":               `line 1: "a" is not a list: invalid`,
		"tags: {a: b}\n":          `line 1: a group of keys is not a list: invalid`,
		"name: [a]\n":             `line 1: a list is not a text: invalid`,
		"inner: {on: perhaps}\n":  `line 1: "perhaps" is not true or false: invalid`,
		"inner: [on]\n":           `line 1: a list is not a group of keys: invalid`,
		"countx: 1\ntagz: 2\n":    "line 1: unknown key \"countx\"\nline 2: unknown key \"tagz\": invalid",
		"name: a\n---\nname: b\n": "more than one document: invalid",
		"name: [a\n":              `line 1: did not find expected ',' or ']': invalid`,
	} {
		err := strictyaml.Decode([]byte(text), new(file))
		if !errors.Is(err, fault.ErrInvalid) || err.Error() != want {
			t.Errorf("Decode(%q) = %v, want %s", text, err, want)
		}
	}
}
