package canvas

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"annai/internal/text"
)

// The classes of characters that break lines of Japanese, after JIS X 4051 and the W3C's
// Requirements for Japanese Text Layout (JLREQ), appendix A.
const (
	openings = "「『（［｛〔【《〈“‘([{«‹"
	closings = "」』）］｝〕】》〉”’)]}»›"
	stops    = "、。，．"
	// notFirst may not begin a line: small kana, marks of repetition and length, middle dots,
	// units.
	notFirst = "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶーゝゞヽヾ々〻〜～・：；:;,.!?！？‼⁇⁈⁉%％‰°℃′″¢"
	// notLast may not end a line.
	notLast = "￥¥$＄£€＃№"
	// counters may not be parted from their number.
	counters = "年月日時分円人名回階個歳本枚"
	// joined are characters that are not parted from their like.
	joined = "…‥—―─〜～"
)

// wideOpenings and wideClosings are those of full width with an empty half.
const (
	wideOpenings = "「『（［｛〔【《〈"
	wideClosings = "」』）］｝〕】》〉" + stops
)

func isWideOpening(r rune) bool { return strings.ContainsRune(wideOpenings, r) }

func isWideClosing(r rune) bool { return strings.ContainsRune(wideClosings, r) }

// isWidePoint says whether the empty half of a closing character before r would be too much.
func isWidePoint(r rune) bool { return isWideOpening(r) || isWideClosing(r) }

// impossible is the cost of a break that is not allowed.
const impossible = math.MaxFloat64

// breakCost returns how bad it is to break a line between two characters: 0 at the seam of two
// phrases, more within one, [impossible] where the rules of Japanese or a word of Latin letters
// forbid it.
func breakCost(before, after rune) float64 {
	in := strings.ContainsRune
	switch {
	case before == ' ' || before == '　':
		return 0
	case after == ' ' || after == '　':
		return impossible // the space ends the line
	case in(openings, before), in(notLast, before), in(closings+stops+notFirst, after),
		before == after && in(joined, before), unicode.IsDigit(before) && in(counters, after):
		return impossible
	case !text.IsWide(before) && !text.IsWide(after) && !in("–—/", before):
		return impossible // within a word
	case in(closings, before) && text.ScriptOf(after) == text.Hiragana:
		return 3 // a particle belongs to what is in the brackets
	case in(closings+stops, before), in("・：；:;！？!?/／〜～-–", before):
		return 0
	case in(openings, after):
		return 0.2
	}
	return scriptCost(text.ScriptOf(before), text.ScriptOf(after), before)
}

// scriptCost tells phrases by the scripts on both sides of a break: a phrase of Japanese ends in
// hiragana, mostly a particle, and begins with anything else.
func scriptCost(before, after text.Script, last rune) float64 {
	switch {
	case before == text.Hiragana && after == text.Hiragana:
		if strings.ContainsRune("はがをにでの", last) {
			return 2
		}
		return 4
	case before == text.Hiragana:
		if strings.ContainsRune("おごう", last) {
			return 2 // the polite prefix, or half of a word
		}
		return 0.1
	case before == text.Katakana && after == text.Katakana:
		return 6
	case after == text.Hiragana:
		return 5 // an ending, or a particle
	case before == text.Kanji && after == text.Kanji:
		return 3
	default:
		return 1 // of two scripts
	}
}

//go:embed words.txt
var wordList string

// words are those of words.txt, the longest first.
var words = sync.OnceValue(func() [][]rune {
	var all [][]rune
	for line := range strings.Lines(wordList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			all = append(all, []rune(word))
		}
	}
	slices.SortStableFunc(all, func(a, b []rune) int { return len(b) - len(a) })
	return all
})

const (
	// afterShort is the cost of a break after a word of one or two Latin letters, as articles are.
	afterShort = 1.5
	// withinWord is the cost of a break within a known word, and besideWord before and after one.
	withinWord = 8
	besideWord = 0.5
)

// breakCosts returns for each character how bad a break before it is.
func breakCosts(line []rune) []float64 {
	costs := make([]float64, len(line))
	start := 0 // of the word
	for i := 1; i < len(line); i++ {
		costs[i] = breakCost(line[i-1], line[i])
		if line[i-1] != ' ' {
			continue
		}
		if i-1-start <= 2 {
			costs[i] = max(costs[i], afterShort)
		}
		start = i
	}
	for at := 0; at < len(line); {
		length := wordAt(line[at:])
		for i := max(at, 1); i <= min(at+length, len(line)-1) && length > 0; i++ {
			switch {
			case costs[i] == impossible:
			case i == at || i == at+length:
				if text.ScriptOf(line[i-1]) == text.ScriptOf(line[i]) { // the seam of a compound
					costs[i] = min(costs[i], besideWord)
				}
			default:
				costs[i] = max(costs[i], withinWord)
			}
		}
		at += max(length, 1)
	}
	return costs
}

// wordAt returns how many characters the longest known word has that the text begins with.
func wordAt(text []rune) int {
	for _, word := range words() {
		if len(word) <= len(text) && slices.Equal(word, text[:len(word)]) {
			return len(word)
		}
	}
	return 0
}

// pieces cuts a line into what can't be broken. Each but the first has the cost of the break before
// it.
func pieces(line string) []piece {
	var all []piece
	letters := []rune(line)
	for i, cost := range breakCosts(letters) {
		if i == 0 || cost != impossible {
			all = append(all, piece{cost: cost})
		}
		all[len(all)-1].text += string(letters[i])
	}
	return all
}

type piece struct {
	text string
	cost float64
}

// Break breaks text into lines of at most that many pixels, by the rules for Japanese (kinsoku) and
// between Latin words. Only a piece that alone is wider than a line is cut where it must be.
func (t Type) Break(text string, width float64) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, p := range pieces(paragraph) {
			if t.Width(trim(line+p.text)) <= width {
				line += p.text
				continue
			}
			if trim(line) != "" {
				lines, line = append(lines, trim(line)), ""
			}
			for _, r := range p.text {
				if line != "" && t.Width(line+string(r)) > width {
					lines, line = append(lines, line), ""
				}
				line += string(r)
			}
		}
		lines = append(lines, trim(line))
	}
	return lines
}

func trim(line string) string { return strings.TrimFunc(line, unicode.IsSpace) }

// more is what stands for the rest after a character: Japanese faces have their "…" at half the
// height.
func more(last rune) string {
	if text.IsWide(last) {
		return "…"
	}
	return "..."
}

// Clamp is [Type.Break] with at most that many lines; the last one ends in dots if there is more.
func (t Type) Clamp(text string, width float64, most int) []string {
	lines := t.Break(text, width)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:max(most, 0)]
	if last := []rune(strings.Join(lines[max(most-1, 0):], "")); len(last) > 0 {
		cannotEnd := func(r rune) bool { return strings.ContainsRune(openings+stops, r) }
		dots := more(last[len(last)-1])
		for len(last) > 0 && (t.Width(string(last)+dots) > width || cannotEnd(last[len(last)-1])) {
			last = last[:len(last)-1]
		}
		lines[most-1] = trim(string(last)) + dots
	}
	return lines
}

// A Box is the room for a headline.
type Box struct {
	Width, Height float64
	// Smallest and Largest are the sizes that may be taken, in pixels.
	Smallest, Largest float64
	// Leading is from one baseline to the next, in ems.
	Leading float64
	// Lines is the highest number of lines.
	Lines int
}

// Fit sets a headline as large as it fits, in lines of about the same width that end where phrases
// do. A text that is too long even in the smallest size is cut, and ends in "…".
func (t Type) Fit(text string, box Box) (Type, []string) {
	whole := pieces(strings.ReplaceAll(text, "\n", " "))
	width := t.widths(whole)
	best, bestScore, bestLines := t, 0.0, []string(nil)
	for n := 1; n <= min(box.Lines, len(whole)); n++ {
		lines, cost := balance(whole, width, n)
		set := t
		set.Size = min(box.Largest, box.Height/(float64(n)*box.Leading), t.fill(lines, box.Width))
		if set.Size < box.Smallest {
			continue
		}
		if score := set.Size * math.Pow(0.93, cost); score > bestScore {
			best, bestScore, bestLines = set, score, lines
		}
	}
	if bestLines == nil {
		best.Size = box.Smallest
		most := max(1, min(box.Lines, int(box.Height/(box.Smallest*box.Leading))))
		bestLines = best.Clamp(text, box.Width, most)
	}
	return best, bestLines
}

// fill returns the size at which the widest line fills a width.
func (t Type) fill(lines []string, width float64) float64 {
	t.Size = 1
	widest := 0.0
	for _, line := range lines {
		widest = max(widest, t.Width(line))
	}
	if widest == 0 {
		return math.Inf(1)
	}
	return width / widest
}

// widths measures pieces: width(i, j) is how wide a line of those from i to before j is, in ems.
func (t Type) widths(whole []piece) (width func(i, j int) float64) {
	t.Size = 1
	before := make([]float64, len(whole)+1) // what all pieces before one need
	last := make([]float64, len(whole)+1)   // what is saved where the piece before one ends the line
	for i, p := range whole {
		before[i+1] = before[i] + t.Width(p.text) + t.Tracking
		last[i+1] = t.Width(p.text) - t.Width(trim(p.text)) + t.Tracking
	}
	return func(i, j int) float64 { return before[j] - before[i] - last[j] }
}

// balance breaks pieces into n lines such that the sum of what the breaks cost and of how uneven
// the lines are is least, and returns the cost of the breaks.
func balance(whole []piece, width func(i, j int) float64, n int) (lines []string, cost float64) {
	target := max(width(0, len(whole))/float64(n), 1e-9)
	uneven := func(i, j int) float64 {
		off := (width(i, j) - target) / target
		return 12 * off * off
	}
	// least[k][j] is the least sum for the first j pieces in k lines, whose last begins at
	// from[k][j].
	least, from := make([][]float64, n+1), make([][]int, n+1)
	for k := range least {
		least[k], from[k] = slices.Repeat([]float64{math.Inf(1)}, len(whole)+1), make([]int, len(whole)+1)
	}
	least[0][0] = 0
	for k := 1; k <= n; k++ {
		for j := k; j <= len(whole); j++ {
			for i := k - 1; i < j; i++ {
				if sum := least[k-1][i] + whole[i].cost + uneven(i, j); sum < least[k][j] {
					least[k][j], from[k][j] = sum, i
				}
			}
		}
	}
	for k, j := n, len(whole); k > 0; k, j = k-1, from[k][j] {
		line := ""
		for _, p := range whole[from[k][j]:j] {
			line += p.text
		}
		lines = append(lines, trim(line))
		cost += whole[from[k][j]].cost
	}
	slices.Reverse(lines)
	return lines, cost
}
