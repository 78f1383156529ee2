package venue_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"annai/venue"
)

func exampleVenue(t *testing.T) (*venue.Venue, string) {
	t.Helper()
	files, err := venue.Example()
	if err != nil {
		t.Fatal(err)
	}
	v, err := venue.Parse(files, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(files, "venue.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return v, string(text)
}

// The example is right, in both languages, and says something of every key there is.
func TestExample(t *testing.T) {
	v, text := exampleVenue(t)
	if notes := v.Notes(); len(notes) > 0 {
		t.Errorf("Notes() of the example = %v, want none", notes)
	}
	for key, both := range texts(v) {
		if both.JA == "" || both.EN == "" {
			t.Errorf("%s = %+v, want both languages", key, both)
		}
	}
	for key := range keysOf(reflect.TypeFor[venue.Venue](), map[string]bool{}) {
		if !regexp.MustCompile(`\b` + key + `\b`).MatchString(text) {
			t.Errorf("the example says nothing of %q", key)
		}
	}
}

// keysOf adds the keys of a type as they are in the file.
func keysOf(of reflect.Type, keys map[string]bool) map[string]bool {
	switch of.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Map:
		return keysOf(of.Elem(), keys)
	case reflect.Struct:
	default:
		return keys
	}
	for field := range of.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if options == "inline" {
			keysOf(field.Type, keys)
		}
		if name == "" || name == "-" {
			continue
		}
		keys[name] = true
		keysOf(field.Type, keys)
	}
	return keys
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")

// Each example of the page is a venue file, or a piece of one that can be added to a name.
func TestExamplesOfThePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "venue.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := yamlBlock.FindAllStringSubmatch(string(page), -1)
	if len(blocks) == 0 {
		t.Fatal("docs/venue.md has no example")
	}
	for _, block := range blocks {
		text := block[1]
		if !strings.HasPrefix(text, "name:") {
			text = small + text
		}
		files := fstest.MapFS{"venue.yaml": {Data: []byte(text)}, "events.ics": {}, "knowledge/a.md": {}}
		if _, err := venue.Parse(files, "venue.yaml"); err != nil {
			t.Errorf("docs/venue.md has an example that is refused: %v\n%s", err, text)
		}
	}
}
