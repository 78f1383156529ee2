package feed

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"annai/internal/charset"
	"annai/internal/text"
	"annai/tools/calendar/polled"
)

// An item is one of a list: what stands under a name, or "".
type item func(name string) string

// items reads the list in a file.
func (m Mapping) items(c polled.Content) ([]item, error) {
	content := strings.TrimSpace(charset.Text(c.Data, c.Type, false))
	switch {
	case content == "":
		return nil, errNothing
	case content[0] == '{' || content[0] == '[':
		return m.fromJSON(content)
	case content[0] == '<':
		return nil, errors.New("it is a page or XML, and neither JSON nor CSV")
	}
	return m.fromCSV(content)
}

func (m Mapping) fromJSON(content string) ([]item, error) {
	decoder := json.NewDecoder(strings.NewReader(content))
	decoder.UseNumber()
	var whole any
	if err := decoder.Decode(&whole); err != nil {
		return nil, errors.New("it is no JSON that can be read")
	}
	list, ok := at(whole, m.Items).([]any)
	if !ok {
		return nil, fmt.Errorf("there is no list at mapping.items, %q", m.Items)
	}
	items := make([]item, 0, len(list))
	for _, one := range list {
		items = append(items, func(name string) string { return plain(at(one, name)) })
	}
	return items, nil
}

// at is what stands at a path of names with dots; the value itself where that is empty.
func at(value any, path string) any {
	if path == "" {
		return value
	}
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

// plain is a value as text; lists and objects have none.
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return fmt.Sprint(v)
	}
	return ""
}

func (m Mapping) fromCSV(content string) ([]item, error) {
	reader := csv.NewReader(strings.NewReader(content))
	reader.FieldsPerRecord, reader.LazyQuotes, reader.TrimLeadingSpace = -1, true, true
	head, _, _ := strings.Cut(content, "\n")
	reader.Comma = separator(head)
	header, err := reader.Read()
	if err != nil {
		return nil, errors.New("it is no CSV that can be read")
	}
	columns := map[string]int{}
	for i, name := range header {
		columns[column(name)] = i
	}
	for _, name := range m.columns() {
		if _, ok := columns[column(name)]; !ok {
			return nil, fmt.Errorf("there is no column %q; there are %s", name,
				text.OneLine(strings.Join(header, ", "), 300))
		}
	}
	var items []item
	for len(items) <= maxItems {
		row, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return items, nil
		case err != nil:
			row = nil // an item that has nothing, and is said to have none
		}
		if err == nil && !slices.ContainsFunc(row, func(s string) bool { return strings.TrimSpace(s) != "" }) {
			continue
		}
		items = append(items, func(name string) string {
			i, ok := columns[column(name)]
			if !ok || i >= len(row) {
				return ""
			}
			return row[i]
		})
	}
	return items, nil
}

// column is a name by which columns are told apart, however wide its letters are.
func column(name string) string { return text.Fold(strings.TrimSpace(name)) }

// separator is what parts the columns of a head: the one of which there are most.
func separator(head string) rune {
	best, most := ',', 0
	for _, r := range ",\t;" {
		if n := bytes.Count([]byte(head), []byte(string(r))); n > most {
			best, most = r, n
		}
	}
	return best
}

// columns are the names that a mapping has.
func (m Mapping) columns() []string {
	all := []string{
		m.ID, m.Title, m.Start, m.End, m.Date, m.TimeZone, m.Place, m.Address, m.URL, m.Description, m.Capacity,
		m.Accepted, m.Status,
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}
