package openapi

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/google/jsonschema-go/jsonschema"
)

// frame is docs/http.md without what the document says: a line {{endpoint "GET /events"}} stands for one endpoint. What only an example can
// show follows that line.
//
//go:embed http.md.tmpl
var frame string

// toMarkdown fills the frame. An endpoint that is not in it, or is there twice, is an error.
func toMarkdown(schemas object) ([]byte, error) {
	missing := map[string]Endpoint{}
	for _, e := range Endpoints() {
		missing[e.Method+" "+e.Path] = e
	}
	t, err := template.New("http.md").Funcs(template.FuncMap{"endpoint": func(name string) (string, error) {
		e, ok := missing[name]
		if !ok {
			return "", fmt.Errorf("there is no endpoint %s, or it was described before", name)
		}
		delete(missing, name)
		return e.markdown(schemas), nil
	}}).Parse(frame)
	if err != nil {
		return nil, fmt.Errorf("frame of http.md: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, nil); err != nil {
		return nil, fmt.Errorf("fill http.md: %w", err)
	}
	for name := range missing {
		return nil, fmt.Errorf("http.md does not have %s", name)
	}
	return out.Bytes(), nil
}

func (e Endpoint) markdown(schemas object) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s %s\n\n%s.", e.Method, e.Path, e.Summary)
	if e.Description != "" {
		b.WriteString(" " + e.Description)
	}
	if e.Role != "" {
		fmt.Fprintf(&b, " For: %s.", e.Role)
	}
	b.WriteString("\n")
	if rows := e.inputs(schemas); len(rows) > 0 {
		b.WriteString("\n| field | in | meaning |\n|---|---|---|\n" + strings.Join(rows, ""))
	}
	b.WriteString("\n| status | answer |\n|---|---|\n")
	for _, a := range e.Answers {
		fmt.Fprintf(&b, "| %d | %s |\n", a.Status, a.markdown())
	}
	if len(e.Errors) > 0 {
		fmt.Fprintf(&b, "| %s | [failures](#failures) |\n", numbers(e.Errors))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// inputs are the rows of what can be sent.
func (e Endpoint) inputs(schemas object) []string {
	var rows []string
	for _, p := range e.Params {
		rows = append(rows, row(p.Name, p.In, p.Description))
	}
	for _, m := range schemas {
		schema, ok := m.value.(*jsonschema.Schema)
		if m.key != e.Request || !ok {
			continue
		}
		for _, name := range schema.PropertyOrder {
			rows = append(rows, row(name, "body", named.ReplaceAllString(schema.Properties[name].Description, "")))
		}
	}
	return rows
}

// named begins the comment of a field in Go, where the name stands beside it already.
var named = regexp.MustCompile(`^[A-Z][A-Za-z]* (is|are) `)

func row(name, in, meaning string) string {
	return fmt.Sprintf("| `%s` | %s | %s |\n", name, in, strings.ReplaceAll(meaning, "|", "\\|"))
}

func (a Answer) markdown() string {
	text := a.Description
	var forms []string
	if a.Schema != "" {
		forms = append(forms, "`"+a.Schema+"`")
	}
	for _, t := range a.Texts {
		if t == "*/*" {
			t = "any type"
		}
		forms = append(forms, t)
	}
	if len(forms) > 0 {
		text += ": " + strings.Join(forms, " or ")
	}
	return text
}

func numbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}
