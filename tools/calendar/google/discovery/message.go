package discovery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Request returns what is wrong with a request whose body was read, a sentence each. A request that is not under the path of the
// interface is none of its business.
func (d *Document) Request(verb string, u *url.URL, header http.Header, body []byte) []string {
	if !d.concerns(u) {
		return nil
	}
	m, values, ok := d.find(verb, u)
	if !ok {
		return []string{fmt.Sprintf("%s %s is no method in the document", verb, u.Path)}
	}
	c := &checker{d: d, request: m.ID}
	c.parameters(m, values, u.Query())
	if m.Request == nil {
		if len(bytes.TrimSpace(body)) > 0 {
			c.complain("body", "%s has none", m.ID)
		}
		return c.problems
	}
	if !strings.HasPrefix(header.Get("Content-Type"), "application/json") {
		c.complain("header Content-Type", "is %q", header.Get("Content-Type"))
	}
	v, err := decode(body)
	if err != nil {
		c.complain("body", "%v", err)
		return c.problems
	}
	c.value("body", m.Request, v)
	return c.problems
}

// Message returns what is wrong with JSON that is to have the form of a schema.
func (d *Document) Message(schema string, body []byte) []string {
	form, ok := d.Schemas[schema]
	if !ok {
		return []string{"there is no schema " + schema}
	}
	c := &checker{d: d, request: schema}
	v, err := decode(body)
	if err != nil {
		return []string{err.Error()}
	}
	c.value("body", form, v)
	return c.problems
}

func (d *Document) concerns(u *url.URL) bool { return strings.HasPrefix(u.Path, "/"+d.ServicePath) }

func (c *checker) parameters(m Method, path map[string]string, query url.Values) {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		p, ok := m.Parameters[name]
		if !ok {
			p, ok = c.d.Parameters[name]
		}
		switch {
		case !ok || p.Location != "query":
			c.complain("parameter "+name, "%s has none of that name", m.ID)
			continue
		case len(query[name]) > 1 && !p.Repeated:
			c.complain("parameter "+name, "is there %d times", len(query[name]))
		}
		for _, value := range query[name] {
			c.parameter("parameter "+name, &p.Schema, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Parameters)) {
		if p := m.Parameters[name]; p.Required && path[name] == "" && query.Get(name) == "" {
			c.complain("parameter "+name, "is missing")
		}
	}
}

func (c *checker) parameter(path string, s *Schema, value string) {
	switch s.Type {
	case "boolean":
		if value != "true" && value != "false" {
			c.complain(path, "is %q, not true or false", value)
		}
	case "integer", "number":
		c.digits(path, s, value)
	default:
		c.text(path, s, value)
	}
}

// Answer returns what is wrong with the answer to a request, a sentence each.
func (d *Document) Answer(verb string, u *url.URL, status int, header http.Header, body []byte) []string {
	if !d.concerns(u) {
		return nil
	}
	c := &checker{d: d}
	m, _, ok := d.find(verb, u)
	switch {
	case status == http.StatusNotModified:
		if len(body) > 0 {
			c.complain("answer", "304 with a body")
		}
	case status >= 400:
		c.failure(status, header, body)
	case !ok:
		c.complain("answer", "%d to what is no method", status)
	case m.Response == nil:
		if status != http.StatusNoContent || len(body) > 0 {
			c.complain("answer", "%s has none, and the status is %d", m.ID, status)
		}
	default:
		c.answer(m, u, status, header, body)
	}
	return c.problems
}

func (c *checker) answer(m Method, u *url.URL, status int, header http.Header, body []byte) {
	if status != http.StatusOK {
		c.complain("answer", "the status is %d", status)
	}
	c.isJSON(header)
	v, err := decode(body)
	if err != nil {
		c.complain("answer", "%v", err)
		return
	}
	c.value("answer", m.Response, v)
	object, _ := v.(map[string]any)
	if tag, ok := object["etag"].(string); ok && tag != header.Get("ETag") {
		c.complain("answer.etag", "is %s, and the header says %s", tag, header.Get("ETag"))
	}
	if schema := c.d.Schemas[m.Response.Ref]; schema != nil && u.Query().Get("fields") == "" && schema.Properties["kind"] != nil && object["kind"] == nil {
		c.complain("answer.kind", "is missing")
	}
}

func (c *checker) isJSON(header http.Header) {
	if !strings.HasPrefix(header.Get("Content-Type"), "application/json") {
		c.complain("header Content-Type", "is %q", header.Get("Content-Type"))
	}
}

// failure checks the form of Google's errors, which the document does not describe.
func (c *checker) failure(status int, header http.Header, body []byte) {
	c.isJSON(header)
	var answer struct {
		Error *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Errors  []struct {
				Domain, Reason, Message string
			} `json:"errors"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Error == nil {
		c.complain("error", "the body is %.200q, not an error in Google's form", body)
		return
	}
	if answer.Error.Code != status {
		c.complain("error.code", "is %d, and the status is %d", answer.Error.Code, status)
	}
	if answer.Error.Message == "" || len(answer.Error.Errors) == 0 {
		c.complain("error", "lacks a message or errors: %.200s", body)
	}
	for i, item := range answer.Error.Errors {
		if item.Domain == "" || item.Reason == "" || item.Message == "" {
			c.complain(fmt.Sprintf("error.errors[%d]", i), "lacks domain, reason or message: %.200s", body)
		}
	}
}

// decode reads one JSON value, numbers as they are written.
func decode(body []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, fmt.Errorf("no JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("something behind the JSON value")
	}
	return v, nil
}
