package grounding

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A token is a word of a text in the form in which it is compared: a label, which is the same in
// both languages, a stem, a run of kana, or two kanji beside each other.
type token struct {
	text string
	// sign is -1 where it is denied, or says the opposite of its label; 0 where it is only near
	// what is denied.
	sign int
	// base is its sign where nothing denies it.
	base       int
	start, end int
	// named says that it is a part of a name.
	named bool
}

// A clause is a part of a sentence that says one thing.
type clause struct {
	tokens []token
	facts  []fact
	// denied says that it denies something, unknown that it says what is not known.
	denied, unknown bool
	// condition says that it only says when another holds.
	condition  bool
	start, end int
	// anchors are the clauses of the evidence that have its facts.
	anchors []*clause
}

// readClauses reads a folded text.
func readClauses(text string, now time.Time, names forms) []clause {
	if len(text) > maxSentence {
		text = strings.ToValidUTF8(text[:maxSentence], "")
	}
	named := readNames(text, names)
	facts := slices.DeleteFunc(readValues(text, now), func(f fact) bool { // those inside of names are parts of them
		return slices.ContainsFunc(named, func(n fact) bool {
			return n.n == ofEvent && f.start >= n.start && f.end <= n.end
		})
	})
	tokens := readTokens(text, facts)
	facts = append(facts, named...)
	slices.SortStableFunc(facts, func(a, b fact) int { return a.start - b.start })
	ends := cutsOf(text, facts)
	out := make([]clause, 0, len(ends))
	begin := 0
	for _, end := range ends {
		c := clause{start: begin, end: end}
		for _, t := range tokens {
			if t.start >= begin && t.start < end {
				c.tokens = append(c.tokens, t)
			}
		}
		for _, f := range facts {
			if f.start >= begin && f.start < end {
				c.facts = append(c.facts, f)
			}
		}
		c.unsignNames(named)
		c.deny(text)
		c.settle(text)
		if len(c.tokens)+len(c.facts) > 0 || c.denied || c.unknown {
			out = append(out, c)
		}
		begin = end
	}
	return out
}

// cutsOf are the ends of the clauses of a text. A comma and an "and" end one only where both sides
// of it say something.
func cutsOf(text string, facts []fact) []int {
	var all []int
	weak := map[int]bool{}
	signs := words().signs
	for i := 0; i < len(text); {
		if k := slices.IndexFunc(facts, func(f fact) bool { return i >= f.start && i < f.end }); k >= 0 {
			i = facts[k].end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		f, ok := signs["cuts"].at(text, i)
		if !ok {
			f, ok = signs["weak cuts"].at(text, i)
			ok = ok || strings.HasPrefix(text[i:], ", ")
			if ok {
				weak[i], weak[i+max(len(f.text), 1)] = true, true
			}
		}
		if ok {
			size = max(len(f.text), 1)
			end := i + size
			if isLetter(text[i]) {
				end = i // the word begins the next clause
			}
			all = append(all, end)
		}
		i += size
	}
	var out []int
	begin := 0
	for n, end := range all {
		next := len(text)
		if n+1 < len(all) {
			next = all[n+1]
		}
		if end > begin && (!weak[end] || says(text, begin, end, facts) && says(text, end, next, facts)) {
			out = append(out, end)
			begin = end
		}
	}
	return append(out, len(text))
}

// says reports whether a part of a text is more than names of things: it has a value, a verb, or
// the ending of one.
func says(text string, i, j int, facts []fact) bool {
	part := strings.TrimRight(text[i:j], "、, ")
	if strings.HasSuffix(part, "は") || strings.HasSuffix(part, "も") {
		return false // a topic
	}
	if slices.ContainsFunc(facts, func(f fact) bool { return f.kind != name && f.start >= i && f.end <= j }) {
		return true
	}
	if isJapanese(part) {
		last, _ := utf8.DecodeLastRuneInString(part)
		return j == len(text) || strings.ContainsRune("てでしりくばずいたるすみきけめれ。", last)
	}
	return contains(part, words().signs["verbs"])
}

// readNames finds the names in a text.
func readNames(text string, names forms) []fact {
	var out []fact
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		if f, ok := names.at(text, i); ok {
			out = append(out, fact{kind: name, text: f.name, n: f.n, start: i, end: i + len(f.text)})
		}
		i += size
	}
	return out
}

// readTokens reads the words of a text that are no part of a value.
func readTokens(text string, facts []fact) []token {
	v := words()
	var tokens []token
	for i := 0; i < len(text); {
		if k := slices.IndexFunc(facts, func(f fact) bool { return i >= f.start && i < f.end && f.kind != name }); k >= 0 {
			i = facts[k].end
			continue
		}
		labels := v.labels.all(text, i)
		for _, f := range labels {
			tokens = append(tokens, token{text: "a:" + f.name, sign: f.n, base: f.n, start: i, end: i + len(f.text)})
		}
		if len(labels) > 0 && text[i] < utf8.RuneSelf {
			i += len(labels[0].text)
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		switch scriptOf(r) {
		case latin, digit:
			end = wordEnd(text, i)
			word := strings.TrimSuffix(strings.TrimSuffix(text[i:end], "'s"), "'")
			if w := stem(word); !v.stop[word] && w != "" && !strings.Contains(word, "'") {
				tokens = append(tokens, token{text: w, sign: 1, base: 1, start: i, end: end})
			}
		case katakana:
			end = runEnd(text, i, katakana)
			if end > i+size {
				tokens = append(tokens, token{text: text[i:end], sign: 1, base: 1, start: i, end: end})
			}
		case kanji:
			if next, n := utf8.DecodeRuneInString(text[end:]); scriptOf(next) == kanji {
				tokens = append(tokens, token{text: text[i : end+n], sign: 1, base: 1, start: i, end: end + n})
			} else if before, _ := utf8.DecodeLastRuneInString(text[:i]); scriptOf(before) != kanji {
				tokens = append(tokens, token{text: text[i:end], sign: 1, base: 1, start: i, end: end})
			}
		default:
		}
		i = end
	}
	return tokens
}

func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if s := scriptOf(r); s != latin && s != digit && r != '\'' {
			break
		}
		i += size
	}
	return i
}

func runEnd(text string, i int, s script) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if scriptOf(r) != s {
			break
		}
		i += size
	}
	return i
}

// unsignNames takes the signs off the words of names: what is denied is said of them. A clause that
// has only a room's name denies that.
func (c *clause) unsignNames(named []fact) {
	in := func(t token, event bool) bool {
		return slices.ContainsFunc(named, func(n fact) bool {
			return (n.n == ofEvent || !event) && t.start >= n.start && t.end <= n.end
		})
	}
	other := slices.ContainsFunc(c.tokens, func(t token) bool { return !in(t, false) })
	for k := range c.tokens {
		t := &c.tokens[k]
		t.named = slices.ContainsFunc(named, func(n fact) bool {
			return n.n > 0 && t.start >= n.start && t.end <= n.end
		})
		if in(*t, !other) && (t.named || !words().polar[t.text]) {
			t.sign, t.base = 0, 0
		}
	}
}

// deny finds what a clause denies, and signs its words.
func (c *clause) deny(text string) {
	signs := words().signs
	part := text[c.start:c.end]
	c.unknown = contains(part, signs["unknown"])
	for i := 0; i < len(part); {
		if f, ok := signs["idioms"].at(part, i); ok {
			i += len(f.text)
			continue
		}
		if k := c.labelAt(c.start + i); k >= 0 && !strings.HasPrefix(part[i:], "n't") {
			i = c.tokens[k].end - c.start
			continue
		}
		_, size := utf8.DecodeRuneInString(part[i:])
		switch f, where := denialAt(part, i); where {
		case "before":
			c.denied = true
			c.sign(0, c.start+i, false)
			size = len(f.text)
		case "near":
			c.sign(0, c.start+i, true)
			size = len(f.text)
		case "next":
			c.sign(c.start+i, c.end, false)
			size = len(f.text)
		case "after":
			if rest := strings.TrimLeft(part[i+len(f.text):], " "); f.text != "no" || rest != "" && !strings.ContainsRune(",.:;!", rune(rest[0])) {
				c.denied = true
				c.sign(c.start+i, c.end, false)
			}
			size = len(f.text)
		case "around":
			c.denied = true
			c.sign(c.start, c.end, false)
			size = len(f.text)
		}
		i += size
	}
}

// labelAt is the label that stands at a byte, inside of which nothing is denied; -1 if none does.
func (c *clause) labelAt(i int) int {
	return slices.IndexFunc(c.tokens, func(t token) bool {
		return strings.HasPrefix(t.text, "a:") && t.text != "a:need" && i >= t.start && i < t.end
	})
}

// denialAt is the denial that stands at a byte, and where what it denies stands.
func denialAt(text string, i int) (form, string) {
	signs := words().signs
	for _, where := range [...]string{"near", "next", "before", "after", "around"} {
		if f, ok := signs["denials "+where].at(text, i); ok {
			return f, where
		}
	}
	if strings.HasPrefix(text[i:], "n't") {
		return form{text: "n't"}, "around"
	}
	return form{}, ""
}

// sign turns the signs of the words from one byte to another, or of the last of them:
// 予約なしで入れます denies the booking only.
func (c *clause) sign(i, j int, last bool) {
	before := -1
	for k := len(c.tokens) - 1; k >= 0; k-- {
		t := &c.tokens[k]
		if t.start < i || t.end > j {
			continue
		}
		if last && before >= 0 && t.end < before {
			return
		}
		before = t.start
		t.sign = -t.base
	}
}

// settle takes back signs that are none: of a condition, of a time at which something closes, of a
// fee whose amount is said.
func (c *clause) settle(text string) {
	clocks, sums := 0, 0
	for _, f := range c.facts {
		switch f.kind {
		case clock:
			clocks++
		case money:
			sums++
		case day, month, weekday, number, literal, name:
		}
	}
	for i := range c.tokens {
		t := &c.tokens[i]
		if t.text == "a:open" && clocks > 0 && contains(text[t.start:t.end]+" ", words().signs["closing"]) {
			t.sign = 0
		}
	}
	if sums > 0 && !c.denied && !slices.ContainsFunc(c.tokens, func(t token) bool { return t.text == "a:fee" }) {
		c.tokens = append(c.tokens, token{text: "a:fee", sign: 1, start: c.start, end: c.start})
	}
	conditions := words().signs["conditions"]
	part := strings.TrimRight(text[c.start:c.end], "、, ")
	c.condition = conditions.startAt(part) || conditions.endAt(part)
}

// contains reports whether a text has one of some forms.
func contains(text string, fs forms) bool {
	for i := 0; i < len(text); {
		if _, ok := fs.at(text, i); ok {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return false
}
