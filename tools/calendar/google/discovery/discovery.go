// Package discovery checks requests to Google Calendar v3, and to Google Tasks v1, and their answers against Google's own description of that interface, the
// discovery document, which ships in the Go module google.golang.org/api. It keeps the emulator and the client honest: what neither
// Google's document nor the test expects is a failure of the test.
//
// The idea to hold: [Check] stands between a client and the network, looks at everything that passes, changes nothing, and fails the test
// with what was wrong. It knows the document and the form of Google's errors, and nothing of what a calendar is.
package discovery

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A Document is the description of an interface.
type Document struct {
	ServicePath string               `json:"servicePath"`
	Parameters  map[string]Parameter `json:"parameters"` // of every method
	Schemas     map[string]*Schema   `json:"schemas"`
	Resources   map[string]resource  `json:"resources"`
	methods     []Method
}

type resource struct {
	Methods   map[string]Method   `json:"methods"`
	Resources map[string]resource `json:"resources"`
}

// A Method is what can be asked.
type Method struct {
	ID         string               `json:"id"` // "calendar.events.list"
	HTTPMethod string               `json:"httpMethod"`
	Path       string               `json:"path"`
	Parameters map[string]Parameter `json:"parameters"`
	Request    *Schema              `json:"request"`
	Response   *Schema              `json:"response"`
	Scopes     []string             `json:"scopes"`
}

// A Parameter stands in the path or the query.
type Parameter struct {
	Schema
	Location string `json:"location"`
	Required bool   `json:"required"`
	Repeated bool   `json:"repeated"`
}

// A Schema is the form of a JSON value.
type Schema struct {
	Ref                  string             `json:"$ref"`
	Type                 string             `json:"type"`
	Format               string             `json:"format"`
	Enum                 []string           `json:"enum"`
	Minimum              string             `json:"minimum"`
	Maximum              string             `json:"maximum"`
	Pattern              string             `json:"pattern"`
	Properties           map[string]*Schema `json:"properties"`
	AdditionalProperties *Schema            `json:"additionalProperties"`
	Items                *Schema            `json:"items"`
	Annotations          struct {
		Required []string `json:"required"`
	} `json:"annotations"`
}

// Read reads a discovery document.
func Read(text []byte) (*Document, error) {
	d := new(Document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("discovery document: %w", err)
	}
	d.collect(d.Resources)
	return d, nil
}

func (d *Document) collect(resources map[string]resource) {
	for _, r := range resources {
		for _, m := range r.Methods {
			d.methods = append(d.methods, m)
		}
		d.collect(r.Resources)
	}
}

// Method returns the method with the id, "calendar.events.list".
func (d *Document) Method(id string) (Method, bool) {
	for _, m := range d.methods {
		if m.ID == id {
			return m, true
		}
	}
	return Method{}, false
}

// find returns the method that a request is for, and what the path says.
func (d *Document) find(verb string, u *url.URL) (Method, map[string]string, bool) {
	path, ok := strings.CutPrefix(u.EscapedPath(), "/"+d.ServicePath)
	if !ok {
		return Method{}, nil, false
	}
	var found Method
	var values map[string]string
	for _, m := range d.methods {
		got, ok := match(m.Path, path)
		if ok && m.HTTPMethod == verb && (values == nil || len(got) < len(values)) { // the one with fewer variables is the closer one
			found, values = m, got
		}
	}
	return found, values, values != nil
}

// match compares an escaped path with a template, a segment at a time.
func match(template, path string) (map[string]string, bool) {
	wanted, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(wanted) != len(got) {
		return nil, false
	}
	values := map[string]string{}
	for i, segment := range wanted {
		name, isVariable := strings.CutPrefix(segment, "{")
		if !isVariable {
			if segment != got[i] {
				return nil, false
			}
			continue
		}
		value, err := url.PathUnescape(got[i])
		if err != nil {
			return nil, false
		}
		values[strings.TrimSuffix(name, "}")] = value
	}
	return values, true
}

// Calendar returns the document of Calendar v3 from the Go module google.golang.org/api at the version that go.mod names. The go command
// must be there.
var Calendar = sync.OnceValues(func() (*Document, error) { return fromModule("calendar", "v3", "calendar-api.json") })

// Places returns that of the Places API (New), like [Calendar].
var Places = sync.OnceValues(func() (*Document, error) { return fromModule("places", "v1", "places-api.json") })

// Tasks is [Calendar] for Google Tasks v1.
var Tasks = sync.OnceValues(func() (*Document, error) { return fromModule("tasks", "v1", "tasks-api.json") })

// Models is that of Vertex AI, whose messages for models are those of the Gemini API, which has none in the module.
var Models = sync.OnceValues(func() (*Document, error) {
	return fromModule("aiplatform", "v1", "aiplatform-api.json")
})

func fromModule(path ...string) (*Document, error) {
	dir, err := exec.CommandContext(context.Background(), "go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/api").Output()
	if err != nil {
		return nil, fmt.Errorf("look for the module google.golang.org/api: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(append([]string{strings.TrimSpace(string(dir))}, path...)...))
	if err != nil {
		return nil, fmt.Errorf("discovery document: %w", err)
	}
	return Read(text)
}
