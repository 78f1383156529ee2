package openapi_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/api/openapi"
)

func document(t *testing.T) openapi.Document {
	t.Helper()
	doc, err := openapi.Make(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestGolden checks that the files are what the types say. `go generate ./api/...` makes them so.
func TestGolden(t *testing.T) {
	doc := document(t)
	for name, want := range map[string][]byte{"../openapi.yaml": doc.YAML, "../openapi.json": doc.JSON, "../../docs/http.md": doc.Markdown} {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not up to date, run go generate ./api/... (-types +file):\n%s", name, diff)
		}
	}
	if api.Document() != string(doc.JSON) {
		t.Error("api.Document() is not openapi.json")
	}
}

// TestFormsAgree reads both forms and compares them.
func TestFormsAgree(t *testing.T) {
	doc := document(t)
	var forms [2]any
	for i, text := range [][]byte{doc.JSON, doc.YAML} {
		loaded, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := loaded.Validate(t.Context()); err != nil {
			t.Error(err)
		}
		again, err := loaded.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &forms[i]); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(forms[0], forms[1]); diff != "" {
		t.Errorf("JSON and YAML differ (-json +yaml):\n%s", diff)
	}
}

// TestDescribed checks that every type has a comment, and none of Go's own notation is left in it.
func TestDescribed(t *testing.T) {
	loaded, err := openapi3.NewLoader().LoadFromData(document(t).JSON)
	if err != nil {
		t.Fatal(err)
	}
	for name, schema := range loaded.Components.Schemas {
		if schema.Value.Description == "" && name != "AnyObject" {
			t.Errorf("type %s has no comment", name)
		}
		for property, value := range schema.Value.Properties {
			if value.Value != nil && strings.ContainsAny(value.Value.Description, "[]\n") {
				t.Errorf("%s.%s: description %q", name, property, value.Value.Description)
			}
		}
	}
	query := loaded.Components.Schemas["QueryRequest"].Value.Properties["query"].Value
	if !strings.HasPrefix(query.Description, "Query is what the visitor said") || query.MaxLength == nil || *query.MaxLength != 2000 {
		t.Errorf("QueryRequest.query = %+v, want its comment and its limit", query)
	}
}
