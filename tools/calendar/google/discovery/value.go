package discovery

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// localTime is a date-time without an offset, which an EventDateTime of a request may have beside its time zone.
const localTime = "2006-01-02T15:04:05"

// checker collects what is wrong with a JSON value.
type checker struct {
	d *Document
	// request is the id of the method that the value is the body of; empty for an answer.
	request  string
	problems []string
}

func (c *checker) complain(path, format string, args ...any) {
	c.problems = append(c.problems, path+": "+fmt.Sprintf(format, args...))
}

// value checks v against s. An answer has no null; a request may take something away with it.
func (c *checker) value(path string, s *Schema, v any) {
	if s.Ref != "" {
		target, ok := c.d.Schemas[s.Ref]
		if !ok {
			c.complain(path, "the document has no schema %s", s.Ref)
			return
		}
		s = target
	}
	if v == nil {
		if c.request == "" {
			c.complain(path, "is null")
		}
		return
	}
	switch s.Type {
	case "object":
		c.object(path, s, v)
	case "array":
		c.array(path, s, v)
	case "string":
		if text, ok := v.(string); !ok {
			c.complain(path, "is %s, not a string", kind(v))
		} else {
			c.text(path, s, text)
		}
	case "boolean":
		if _, ok := v.(bool); !ok {
			c.complain(path, "is %s, not a boolean", kind(v))
		}
	case "integer", "number":
		c.number(path, s, v)
	case "any":
	default:
		c.complain(path, "the document has the type %q", s.Type)
	}
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case float64, json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	default:
		return "an object"
	}
}

func (c *checker) object(path string, s *Schema, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		c.complain(path, "is %s, not an object", kind(v))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		property := s.Properties[name]
		if property == nil {
			property = s.AdditionalProperties
		}
		if property == nil {
			c.complain(path+"."+name, "is not in the document")
			continue
		}
		if c.isLocalTime(name, object) {
			continue
		}
		c.value(path+"."+name, property, object[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if _, ok := object[name]; !ok && c.request != "" && slices.Contains(s.Properties[name].Annotations.Required, c.request) {
			c.complain(path+"."+name, "is missing")
		}
	}
}

// isLocalTime reports whether the property is a time without an offset that has a time zone beside it.
func (c *checker) isLocalTime(name string, object map[string]any) bool {
	text, _ := object[name].(string)
	zone, _ := object["timeZone"].(string)
	if name != "dateTime" || zone == "" || c.request == "" {
		return false
	}
	_, err := time.Parse(localTime, text)
	return err == nil
}

func (c *checker) array(path string, s *Schema, v any) {
	items, ok := v.([]any)
	if !ok {
		c.complain(path, "is %s, not an array", kind(v))
		return
	}
	for i, item := range items {
		c.value(fmt.Sprintf("%s[%d]", path, i), s.Items, item)
	}
}

func (c *checker) number(path string, s *Schema, v any) {
	n, ok := v.(json.Number)
	if !ok {
		c.complain(path, "is %s, not a number", kind(v))
		return
	}
	c.digits(path, s, n.String())
}

// text checks the content of a string, or of a parameter.
func (c *checker) text(path string, s *Schema, text string) {
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, text) {
		c.complain(path, "is %q, not one of %s", text, strings.Join(s.Enum, ", "))
	}
	if s.Pattern != "" {
		if whole, err := regexp.Compile("^(?:" + s.Pattern + ")$"); err == nil && !whole.MatchString(text) {
			c.complain(path, "is %q, which is not of the form %s", text, s.Pattern)
		}
	}
	var err error
	switch s.Format {
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time", "google-datetime":
		_, err = time.Parse(time.RFC3339, text)
	case "google-duration":
		if seconds, ok := strings.CutSuffix(text, "s"); !ok || seconds == "" {
			err = strconv.ErrSyntax
		} else {
			_, err = strconv.ParseFloat(seconds, 64)
		}
	case "int64":
		_, err = strconv.ParseInt(text, 10, 64)
	case "uint64":
		_, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil {
		c.complain(path, "is %q, no %s", text, s.Format)
	}
}

// digits checks a number as it is written.
func (c *checker) digits(path string, s *Schema, text string) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || s.Type == "integer" && n != math.Trunc(n) {
		c.complain(path, "is %q, no %s", text, s.Type)
		return
	}
	low, high := math.Inf(-1), math.Inf(1)
	switch s.Format {
	case "int32":
		low, high = math.MinInt32, math.MaxInt32
	case "uint32":
		low, high = 0, math.MaxUint32
	}
	if at, err := strconv.ParseFloat(s.Minimum, 64); err == nil {
		low = at
	}
	if at, err := strconv.ParseFloat(s.Maximum, 64); err == nil {
		high = at
	}
	if n < low || n > high {
		c.complain(path, "is %s, not between %g and %g", text, low, high)
	}
}
