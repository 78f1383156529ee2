package tools

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// An Example is a call of a tool and what it answered.
type Example struct {
	// By is the service that was asked; empty: none.
	By     string `json:"by,omitempty"`
	Input  string `json:"input"`
	Answer string `json:"answer"`
}

// Document returns a page in Markdown about all tools, those that are not offered too: what docs/tools.md is made of.
// examples are by the names of tools.
func (r *Registry) Document(examples map[string][]Example) string {
	var b strings.Builder
	b.WriteString("| tool | changes | may be called by | time limit | tried again | family |\n|---|---|---|---|---|---|\n")
	for _, e := range r.tools {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s | %s | %s |\n",
			e.Name, e.Name, e.changes(), e.callers(), e.Timeout, times(e.Retries), r.familyOf(e.Name))
	}
	for _, e := range r.tools {
		e.document(&b)
		for _, x := range examples[e.Name] {
			x.document(&b)
		}
	}
	return b.String()
}

// document writes the call and its answer, in lines that end between fields.
func (x Example) document(b *strings.Builder) {
	title := "For example"
	if x.By != "" {
		title = "With " + x.By
	}
	fmt.Fprintf(b, "\n%s:\n\n```json\n%s\n%s\n```\n", title, wrapped(x.Input), wrapped(x.Answer))
}

// maxLine is how long a line of an example is about, in characters.
const maxLine = 140

// wrapped breaks JSON without spaces into lines, behind commas.
func wrapped(text string) string {
	var b strings.Builder
	length := 0
	for i, field := range strings.Split(text, `,"`) {
		if i > 0 {
			b.WriteString(",")
			if length+utf8.RuneCountInString(field) > maxLine {
				b.WriteString("\n ")
				length = 0
			}
			b.WriteString(`"`)
		}
		b.WriteString(field)
		length += utf8.RuneCountInString(field) + len(`,"`)
	}
	return b.String()
}

func (e *entry) changes() string {
	switch e.Class {
	case Read:
		return "nothing"
	case KeyedWrite:
		return "once for each request"
	case UnkeyedWrite:
		return "each time"
	}
	return string(e.Class)
}

func (e *entry) callers() string {
	names := make([]string, 0, len(e.Roles))
	for _, role := range e.Roles {
		names = append(names, string(role))
	}
	return strings.Join(names, ", ")
}

func times(n int) string {
	switch n {
	case 0:
		return "no"
	case 1:
		return "once"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

// familyOf returns the name of the family whose roles and tools include the tool.
func (r *Registry) familyOf(tool string) string {
	for _, f := range r.families {
		if slices.Contains(f.Tools, tool) {
			return "`" + f.Name + "`"
		}
	}
	return ""
}

func (e *entry) document(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n%s\n", e.Name, e.Description["en"], e.Description["ja"])
	if len(e.Scopes) > 0 {
		fmt.Fprintf(b, "\nNeeds at Google: %s\n", strings.Join(e.Scopes, ", "))
	}
	if e.TTL > 0 {
		fmt.Fprintf(b, "\nAn answer may be %s old.\n", e.TTL)
	}
	if e.TextInput {
		b.WriteString("\nThe input may also be a JSON string that holds the object.\n")
	}
	if len(e.input.tree.Properties) == 0 {
		b.WriteString("\nTakes no input.\n")
	} else {
		b.WriteString("\n| input | type | |\n|---|---|---|\n")
		rows(b, e.input.tree, "", "required")
	}
	b.WriteString("\n| output | type | |\n|---|---|---|\n")
	rows(b, e.output.tree, "", "always")
}

// rows writes a line for each field, and for those in it. There is a word for those that are never left out.
func rows(b *strings.Builder, s *jsonschema.Schema, path, word string) {
	for _, one := range s.AnyOf {
		rows(b, one, "", word)
	}
	if path == "" && s.Type != "object" && len(s.AnyOf) == 0 {
		fmt.Fprintf(b, "| (the answer) | %s | |\n", typeOf(s))
	}
	if s.Type == "array" && s.Items != nil {
		rows(b, s.Items, path+"[]", word)
		return
	}
	for _, name := range s.PropertyOrder {
		property := s.Properties[name]
		field := strings.TrimPrefix(path+"."+name, ".")
		required := ""
		if slices.Contains(s.Required, name) {
			required = ", " + word
		}
		fmt.Fprintf(b, "| `%s` | %s%s | %s |\n", field, typeOf(property), required, strings.ReplaceAll(property.Description, "|", "\\|"))
		rows(b, property, field, word)
	}
}

func typeOf(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 0:
		words := make([]string, 0, len(s.Enum))
		for _, word := range s.Enum {
			words = append(words, fmt.Sprintf("`%v`", word))
		}
		return strings.Join(words, " or ")
	case s.Format != "":
		return s.Format
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf("%s from %s to %s", s.Type, limit(s.Minimum), limit(s.Maximum))
	}
	return s.Type
}
