package markdown

import (
	"regexp"
	"strings"
)

var separatorCell = regexp.MustCompile(`^:?-+:?$`)

func isRow(line string) bool { return strings.HasPrefix(line, "|") && strings.Count(line, "|") > 1 }

// readTable turns each row into a sentence: "a: b" for two columns, else "a: heading b, heading c". Without a line of
// dashes there are no headings.
func readTable(rows []string, lang string) []string {
	var headings []string
	if len(rows) > 1 && isSeparator(cells(rows[1])) {
		headings, rows = cells(rows[0]), rows[2:]
	}
	var out []string
	for _, row := range rows {
		if line := readRow(cells(row), headings, lang); line != "" {
			out = append(out, finish(line, lang))
		}
	}
	return out
}

func readRow(row, headings []string, lang string) string {
	comma, colon := ", ", ": "
	if lang == "ja" {
		comma, colon = "、", "："
	}
	var values []string
	for i := 1; i < len(row); i++ {
		switch {
		case row[i] == "":
		case len(row) > 2 && i < len(headings) && headings[i] != "":
			values = append(values, join(headings[i], row[i]))
		default:
			values = append(values, row[i])
		}
	}
	if len(values) == 0 || row[0] == "" {
		return row[0] + strings.Join(values, comma)
	}
	return row[0] + colon + strings.Join(values, comma)
}

// cells returns the cells of a row as plain text. A bar after a backslash is part of a cell.
func cells(row string) []string {
	const bar = "\x00"
	row = strings.ReplaceAll(row, `\|`, bar)
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	var out []string
	for cell := range strings.SplitSeq(row, "|") {
		out = append(out, inline(strings.TrimSpace(strings.ReplaceAll(cell, bar, "|"))))
	}
	return out
}

func isSeparator(row []string) bool {
	for _, cell := range row {
		if !separatorCell.MatchString(cell) {
			return false
		}
	}
	return len(row) > 0
}
