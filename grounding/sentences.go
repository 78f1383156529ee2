package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts a streamed answer into sentences as they complete. The zero value is ready. A
// sentence ends with its mark or its line; the dot of a number, an address or an abbreviation ends
// none, nor does a mark inside 「」. A tag such as [happy] is taken out, even where it comes in
// pieces: the face is not the model's to choose.
type Sentences struct {
	held string // what is not released yet, without tags
	tag  string // a tag that has begun
}

// Lengths at which waiting ends, in bytes.
const (
	maxHeld = 1500 // of a sentence without an end
	maxTag  = 40
)

// Write takes the next piece of the answer and returns the sentences that it completes, in order,
// without space around them.
func (s *Sentences) Write(piece string) []string {
	var out []string
	for _, r := range piece {
		s.take(r)
		if len(s.held) > maxHeld {
			out = s.release(out, len(s.held))
		}
	}
	for {
		n := sentenceEnd(s.held)
		if n == 0 {
			return out
		}
		out = s.release(out, n)
	}
}

// Close returns what is left. It may be a sentence that was cut off.
func (s *Sentences) Close() []string {
	s.held += s.tag
	s.tag = ""
	var out []string
	for {
		n := sentenceEnd(s.held + "\n")
		out = s.release(out, min(n, len(s.held)))
		if s.held == "" {
			return out
		}
	}
}

// take adds a character, or holds it back as part of a tag.
func (s *Sentences) take(r rune) {
	if s.tag == "" && r != '[' && r != '［' {
		s.held += string(r)
		return
	}
	if s.tag != "" && (r == '[' || r == '［' || r == '\n') || len(s.tag) > maxTag {
		s.held, s.tag = s.held+s.tag, ""
		s.take(r)
		return
	}
	s.tag += string(r)
	if r == ']' || r == '］' {
		if !isTag(s.tag) {
			s.held += s.tag
		}
		s.tag = ""
	}
}

// isTag reports whether a text in brackets is a word of Latin letters, as the names of faces are.
func isTag(s string) bool {
	name := strings.TrimSpace(strings.Trim(s, "[]［］"))
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !unicode.Is(unicode.Latin, r) && r != '_' && r != '-' && r != ':' && (r < '0' || r > '9')
	}) < 0
}

// release moves the first n bytes out.
func (s *Sentences) release(out []string, n int) []string {
	sentence := strings.TrimSpace(s.held[:n])
	s.held = s.held[n:]
	if sentence == "" {
		return out
	}
	return append(out, sentence)
}

// sentenceEnd is where the first sentence of a text ends; 0 if what follows may still belong to it.
func sentenceEnd(text string) int {
	depth := 0
	for i, r := range text {
		next := i + utf8.RuneLen(max(r, 0))
		if r == utf8.RuneError {
			_, size := utf8.DecodeRuneInString(text[i:])
			next = i + size
		}
		switch r {
		case '\n':
			return next
		case '「', '『', '（', '“', '(':
			depth++
		case '」', '』', '）', '”', ')':
			depth = max(0, depth-1)
		case '。':
			if depth == 0 {
				return next
			}
		case '！', '？', '!', '?':
			if end := marks(text, next); depth == 0 && end > 0 {
				return end
			}
		case '.':
			if depth == 0 && dotEnds(text, i) {
				return closers(text, next)
			}
		}
	}
	return 0
}

// marks is where a run of ! and ? ends that ends a sentence; 0 if it does not, or not yet.
func marks(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case strings.ContainsRune("!?！？", r):
			i += size
			continue
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/=&%_", r)):
			return 0
		}
		return closers(text, i)
	}
	return 0
}

// closers is where quotes and brackets that close after a mark end.
func closers(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune("\"')”’」』）", r) {
			break
		}
		i += size
	}
	return i
}

// abbreviations are words after whose dot a sentence goes on.
var abbreviations = set("mr mrs ms dr prof st vs no approx e.g i.e etc inc ltd co dept est tel fig jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun")

// ambiguous are abbreviations that also end sentences: a capital letter after them begins the next.
var ambiguous = set("a.m p.m etc inc ltd co u.s")

// dotEnds reports whether the dot at i ends a sentence. It must be followed by space.
func dotEnds(text string, i int) bool {
	rest := closers(text, i+1)
	if rest >= len(text) || !unicode.IsSpace(rune(text[rest])) && text[rest] < utf8.RuneSelf {
		return false
	}
	from := strings.LastIndexAny(text[:i], " \n\t(\"") + 1
	w := strings.ToLower(text[from:i])
	if strings.Trim(w, "0123456789") == "" && strings.TrimSpace(text[:from]) == "" {
		return false // 1. at the start of a line
	}
	if ambiguous[w] || strings.HasSuffix(w, "a.m") || strings.HasSuffix(w, "p.m") {
		return beginsAnew(text[rest:])
	}
	return !abbreviations[w] && (len(w) != 1 || w[0] < 'a' || w[0] > 'z' || w == "i")
}

// beginsAnew reports whether what follows begins like a sentence.
func beginsAnew(rest string) bool {
	if strings.HasPrefix(rest, "\n") {
		return true
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \t"))
	return unicode.IsUpper(r) || r == '\n' || r > 0x2E80 && r != utf8.RuneError
}

// split cuts a finished text into sentences.
func split(text string) []string {
	var s Sentences
	return append(s.Write(text), s.Close()...)
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
