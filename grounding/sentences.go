package grounding

import (
	"strings"
	"unicode"

	"annai/internal/text"
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
			out = append(out, s.Close()...)
		}
	}
	return append(out, s.release(false)...)
}

// Close returns what is left. It may be a sentence that was cut off.
func (s *Sentences) Close() []string {
	s.held, s.tag = s.held+s.tag, ""
	return s.release(true)
}

// release takes the sentences out that are complete: all lines but the one that is being written,
// and of that all but the last, unless nothing can follow its mark. Of an answer that is over, all
// are.
func (s *Sentences) release(over bool) []string {
	begun := s.held[strings.LastIndexByte(s.held, '\n')+1:]
	out := split(strings.TrimSuffix(s.held, begun))
	last := split(begun)
	n := len(last)
	if n > 0 && !over && !(strings.HasSuffix(begun, "。") && len(split(begun+"x")) > n) {
		n--
	}
	s.held = ""
	if n < len(last) {
		s.held = begun[strings.LastIndex(begun, last[n]):]
	}
	return append(out, last[:n]...)
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

// split cuts a text into sentences. A line ends one as well.
func split(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		parts := text.Sentences(line)
		if len(parts) > 1 && strings.Trim(parts[0], "0123456789.") == "" { // the number of a list
			begin := strings.Index(line, parts[0])
			behind := begin + len(parts[0])
			end := behind + strings.Index(line[behind:], parts[1]) + len(parts[1])
			parts = append([]string{line[begin:end]}, parts[2:]...)
		}
		out = append(out, parts...)
	}
	return out
}
