package documents

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// readCSV reads a table: the first row has the names of the columns, and each row after it is a
// passage. Columns with the names of front matter say that of the row, "id" and "text" are
// themselves, and every other column becomes a sentence, "name: value".
func readCSV(ctx context.Context, f file) ([]part, []Problem) {
	text, p := decode(f.data, "")
	if p != nil {
		return nil, []Problem{*p}
	}
	r := csv.NewReader(strings.NewReader(text))
	if strings.EqualFold(path.Ext(f.name), ".tsv") {
		r.Comma = '\t'
	}
	r.TrimLeadingSpace, r.ReuseRecord = true, false
	head, err := r.Read()
	if err != nil {
		return nil, []Problem{csvProblem(err)}
	}
	columns, p := columnsOf(head)
	if p != nil {
		return nil, []Problem{*p}
	}
	return f.rows(ctx, r, columns)
}

func (f file) rows(ctx context.Context, r *csv.Reader, columns []string) (parts []part, problems []Problem) {
	for ctx.Err() == nil && len(problems) < maxProblems {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			if len(parts) == 0 && len(problems) == 0 {
				problems = append(problems, problem(1, "there are no rows below the names of the columns"))
			}
			return parts, problems
		}
		if err != nil {
			problems = append(problems, csvProblem(err))
			if !errors.Is(err, csv.ErrFieldCount) {
				return parts, problems
			}
			continue
		}
		line, _ := r.FieldPos(0)
		if p := f.tableRow(columns, record, line); p != nil {
			parts = append(parts, *p)
		}
	}
	return parts, problems
}

// tableRow makes a part of a row, or nil of an empty one.
func (f file) tableRow(columns, record []string, line int) *part {
	var front Front
	var id, own string
	var names, values []string
	fields := front.fields()
	for i, value := range record {
		value = strings.TrimSpace(value)
		into, known := fields[columns[i]]
		switch {
		case value == "":
		case known:
			*into = value
		case columns[i] == "id":
			id = value
		case columns[i] == "text":
			own = value
		default:
			names, values = append(names, columns[i]), append(values, value)
		}
	}
	if own == "" && len(values) == 0 {
		return nil
	}
	if front.Title == "" && len(values) > 0 && !slices.Contains(columns, "title") {
		front.Title = values[0]
	}
	text := own + "\n" + strings.Join(values, "\n")
	front = f.complete(front, text)
	body := plain(own) + "\n"
	for i, value := range values {
		body += paragraph(sentence(front.Lang, names[i], value)) + "\n"
	}
	p := f.row(front, id, body, text, line)
	return &p
}

// sentence says a value with the name of its column.
func sentence(lang, column, value string) string {
	colon, end := ": ", "."
	if lang == "ja" {
		colon, end = "：", "。"
	}
	if endsSentence(value) {
		end = ""
	}
	return column + colon + value + end
}

func endsSentence(text string) bool {
	for _, end := range []string{"。", "！", "？", ".", "!", "?", "…"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// columnsOf checks the names of the columns; those of front matter may be written in any case.
func columnsOf(head []string) ([]string, *Problem) {
	var front Front
	seen := map[string]bool{}
	columns := make([]string, len(head))
	for i, name := range head {
		name = strings.Join(strings.Fields(strings.Map(dropControl, name)), " ")
		for known := range front.fields() {
			if strings.EqualFold(name, known) {
				name = known
			}
		}
		if lower := strings.ToLower(name); lower == "id" || lower == "text" {
			name = lower
		}
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		if seen[name] {
			p := problem(1, "two columns are called %q", name)
			return nil, &p
		}
		seen[name] = true
		columns[i] = name
	}
	return columns, nil
}

// csvProblem says in words what the library says of a row.
func csvProblem(err error) Problem {
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return problem(1, "the table is empty")
	case !errors.As(err, &wrong):
		return problem(0, "%v", err)
	case errors.Is(err, csv.ErrFieldCount):
		return problem(wrong.Line, "the row has another number of columns than the first")
	case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
		return problem(wrong.StartLine, "a quotation mark is out of place")
	}
	return problem(wrong.Line, "%v", wrong.Err)
}
