package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxRunes and maxSentences are what a passage should not exceed. A single sentence may be longer.
	maxRunes     = 400
	maxSentences = 4
	// blockSentences is what a list or a table counts, however many lines it has: it is one thing.
	blockSentences = 2
)

func isEnd(r rune) bool { return strings.ContainsRune("。．！？!?.…", r) }

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"mr.": true, "mrs.": true, "ms.": true, "dr.": true, "st.": true, "no.": true, "vs.": true, "e.g.": true, "i.e.": true, "approx.": true, "etc.": true,
}

// Sentences cuts text after the marks that end a sentence in Japanese or English, with the closing brackets and quotes
// that follow them. Inside brackets and Japanese quotes nothing is cut. Together the sentences are the text, but for the
// spaces between them.
func Sentences(text string) []string {
	var out []string
	start, depth := 0, 0
	for i, r := range text {
		switch {
		case strings.ContainsRune("「『（(", r):
			depth++
		case strings.ContainsRune("」』）)", r):
			depth = max(depth-1, 0)
		}
		_, size := utf8.DecodeRuneInString(text[i:]) // not that of r: a byte that is no UTF-8 reads as a rune of three
		end := i + size
		if !endsSentence(text[start:end], text[end:], r, depth) {
			continue
		}
		if s := strings.TrimSpace(text[start:end]); s != "" {
			out = append(out, s)
		}
		start = end
	}
	if s := strings.TrimSpace(text[start:]); s != "" {
		out = append(out, s)
	}
	return out
}

// endsSentence reports whether a sentence ends after before, whose last character is r.
func endsSentence(before, after string, r rune, depth int) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case depth > 0:
		return false
	case strings.ContainsRune("。！？", r):
		return !strings.ContainsRune("。！？」』）!?", next) || after == ""
	case !strings.ContainsRune(".!?", r) || !unicode.IsSpace(next):
		return false
	}
	following, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, unicode.IsSpace))
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	return !unicode.IsLower(following) && !abbreviations[strings.ToLower(word)]
}

// split groups the blocks of a section into texts of a few sentences. A text is not ended between a line that announces
// what follows (it ends in a colon) and what follows. Where a paragraph had to be cut, its last sentence is repeated.
func split(blocks []block, lang string) []string {
	g := grouper{lang: lang}
	for _, b := range blocks {
		g.add(b)
	}
	g.end()
	return g.texts
}

// A grouper collects sentences until a text is full.
type grouper struct {
	lang      string
	texts     []string
	text      string
	sentences int
}

func (g *grouper) add(b block) {
	cost := len(b.sentences)
	if b.whole {
		cost = min(cost, blockSentences)
	}
	text := b.text()
	runes := utf8.RuneCountInString(text)
	if runes > maxRunes || !b.whole && cost > maxSentences {
		g.addCut(b, runes)
		return
	}
	if !g.fits(runes, cost) {
		g.end()
	}
	g.put(text, "\n", cost)
}

// addCut adds a block of so many characters that is too long for one text, in parts of about the same size.
func (g *grouper) addCut(b block, runes int) {
	if !g.announces() {
		g.end()
	}
	parts := max((len(b.sentences)+maxSentences-1)/maxSentences, runes/maxRunes+1)
	size := (len(b.sentences) + parts - 1) / parts
	separator := " "
	if b.whole {
		separator = "\n"
	}
	for i, sentence := range b.sentences {
		full := !g.fits(utf8.RuneCountInString(sentence), 1) || g.sentences >= max(size, 1)
		if g.text != "" && full && !g.announces() {
			g.end()
			if i > 0 && !b.whole && utf8.RuneCountInString(b.sentences[i-1])+utf8.RuneCountInString(sentence) <= maxRunes {
				g.put(b.sentences[i-1], separator, 0)
			}
		}
		g.put(sentence, separator, 1)
	}
}

func (g *grouper) fits(runes, sentences int) bool {
	if g.text == "" || g.announces() {
		return true
	}
	return utf8.RuneCountInString(g.text)+1+runes <= maxRunes && g.sentences+sentences <= maxSentences
}

func (g *grouper) announces() bool {
	last, _ := utf8.DecodeLastRuneInString(g.text)
	return last == ':' || last == '：'
}

func (g *grouper) put(text, separator string, sentences int) {
	switch {
	case g.text == "":
		g.text = text
	case separator == " ":
		g.text = join(g.text, text)
	default:
		g.text += separator + text
	}
	g.sentences += sentences
}

func (g *grouper) end() {
	if g.text != "" {
		g.texts = append(g.texts, g.text)
	}
	g.text, g.sentences = "", 0
}

// text is the block as it is read.
func (b block) text() string {
	if b.whole {
		return strings.Join(b.sentences, "\n")
	}
	var text strings.Builder
	for i, s := range b.sentences {
		if i > 0 {
			text.WriteString(gap(b.sentences[i-1], s))
		}
		text.WriteString(s)
	}
	return text.String()
}
