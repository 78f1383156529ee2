package markdown

import (
	"strings"
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
