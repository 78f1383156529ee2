package ocr

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/internal/text"
)

// A word is one that was read, and its box.
type word struct {
	text                     string
	left, top, width, height int
	confidence               float64
	// line tells the lines of the program apart.
	line string
}

func (w word) middle() int { return w.top + w.height/2 }

// columns are those of the program's table.
const columns = 12

// wordsOf reads the table that the program writes (tsv): a row for each word, with its box.
func wordsOf(table string) []word {
	var out []word
	for row := range strings.Lines(table) {
		field := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
		if len(field) != columns || strings.TrimSpace(field[11]) == "" {
			continue
		}
		w := word{text: strings.TrimSpace(field[11]), line: strings.Join(field[1:5], "/")}
		ok := true
		for i, to := range map[int]*int{6: &w.left, 7: &w.top, 8: &w.width, 9: &w.height} {
			n, err := strconv.Atoi(field[i])
			*to, ok = n, ok && err == nil
		}
		confidence, err := strconv.ParseFloat(field[10], 64)
		if !ok || err != nil || confidence < 0 {
			continue
		}
		w.confidence = confidence / 100
		out = append(out, w)
	}
	return out
}

// leastConfidence is how sure a line must be for it to be one.
const leastConfidence = 0.3

// linesOf puts the words of each line together, and the lines in their order on the page: what the
// program took for two columns is one line where it stands side by side.
func linesOf(words []word) []Line {
	var rows [][]word
	for i, w := range words {
		if i > 0 && w.line == words[i-1].line {
			rows[len(rows)-1] = append(rows[len(rows)-1], w)
			continue
		}
		rows = append(rows, []word{w})
	}
	rows = slices.DeleteFunc(rows, func(r []word) bool { return sure(r) < leastConfidence })
	slices.SortStableFunc(rows, func(a, b []word) int { return cmp.Compare(middle(a), middle(b)) })
	var out []Line
	for i := 0; i < len(rows); {
		row, last := slices.Clone(rows[i]), i+1
		for last < len(rows) && sideBySide(row, rows[last]) {
			row = append(row, rows[last]...)
			last++
		}
		if last > i+1 {
			slices.SortStableFunc(row, func(a, b word) int { return cmp.Compare(a.left, b.left) })
		}
		out = append(out, Line{Text: join(row), Size: letters(row), Confidence: sure(row)})
		i = last
	}
	return out
}

func middle(row []word) int {
	sum := 0
	for _, w := range row {
		sum += w.middle()
	}
	return sum / len(row)
}

// sideBySide reports whether two rows are at one height, with letters of one size, and not over each
// other.
func sideBySide(a, b []word) bool {
	high, other := letters(a), letters(b)
	apart := abs(middle(a) - middle(b))
	if float64(apart) > min(high, other)/2 || max(high, other) > 1.5*min(high, other) {
		return false
	}
	left, right := a, b
	if b[0].left < a[0].left {
		left, right = b, a
	}
	last := left[len(left)-1]
	return last.left+last.width <= right[0].left
}

func abs(n int) int { return max(n, -n) }

// sure is the mean confidence of a row, each word by its length.
func sure(row []word) float64 {
	sum, n := 0.0, 0.0
	for _, w := range row {
		length := float64(utf8.RuneCountInString(w.text))
		sum, n = sum+length*w.confidence, n+length
	}
	return sum / n
}

// letters is how large the letters of a row are. The boxes of words are as high as their highest letter
// and often cut wrongly, so it is the length of the row that says it, without the gaps between columns.
func letters(row []word) float64 {
	width := 0.0
	for _, w := range row {
		width += ems(w.text)
	}
	left, right := row[0].left, row[0].left+row[0].width
	for _, w := range row {
		left, right = min(left, w.left), max(right, w.left+w.width)
	}
	length := float64(right - left)
	size := length / width
	for i := 1; i < len(row); i++ {
		if between := float64(row[i].left - row[i-1].left - row[i-1].width); between > size {
			length -= between
		}
	}
	return length / width
}

// ems is how wide a word is in most faces, in sizes of its letters.
func ems(s string) float64 {
	sum := 0.0
	for _, r := range s {
		switch {
		case text.IsWide(r):
			sum++
		case unicode.IsUpper(r):
			sum += 0.68
		case unicode.IsLetter(r), unicode.IsDigit(r):
			sum += 0.54
		default:
			sum += 0.35
		}
	}
	return max(sum, 0.35)
}

// gap is how wide the space between two words of a row is, in sizes of letters, for it to be one where there
// are no spaces between words, as in Japanese.
const gap = 0.6

// join puts the words of a row together.
func join(row []word) string {
	size := letters(row)
	var b strings.Builder
	for i, w := range row {
		if i > 0 {
			before := row[i-1]
			last, _ := utf8.DecodeLastRuneInString(before.text)
			first, _ := utf8.DecodeRuneInString(w.text)
			space := float64(w.left - before.left - before.width)
			if space >= gap*size || !text.IsWide(last) && !text.IsWide(first) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(w.text)
	}
	return b.String()
}
