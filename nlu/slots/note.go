package slots

import (
	"slices"
	"strings"

	"annai/nlu/datetime"
)

// cutNote finds what a command says to write beside the entry (、説明は予算の相談, ", description: bring the
// slides"), and returns the command
// without it. Where there is none the text is as it was.
func cutNote(text, lang string, times []datetime.Expression) (rest string, before []datetime.Expression, note Piece) {
	f := framesOf(lang)
	tokens := tokenize(text, lang, nil)
	whole := strip{tokens: tokens, frames: f}
	for n := range tokens {
		whole.keep = append(whole.keep, n)
	}
	for n := 1; n < len(tokens); n++ {
		from := whole.noteAt(n, lang)
		if from == 0 {
			continue
		}
		end := whole.noteEnd(from, lang)
		start := tokens[from].start
		said := strings.Trim(text[start:tokens[end-1].end], " 「」『』\"“”'")
		at := start + strings.Index(text[start:], said)
		before = slices.DeleteFunc(slices.Clone(times), func(e datetime.Expression) bool { return e.End > tokens[n].start })
		return text[:tokens[n].start], before, Piece{said, at, at + len(said)}
	}
	return text, times, Piece{}
}

// noteAt is where a note begins that the words at token n announce, or 0.
func (s *strip) noteAt(n int, lang string) int {
	f := s.frames
	if length := s.at(n, f.noteWith); length > 0 && n+length < len(s.tokens) {
		return n + length
	}
	length := s.at(n, f.noteOf)
	if length == 0 || n+length >= len(s.tokens) || !s.tokens[n].stop && s.before(n, f.noteBehind) == 0 {
		return 0
	}
	after := n + length
	is := s.at(after, f.noteIs)
	if is == 0 && !s.tokens[after].stop || after+is >= len(s.tokens) {
		return 0
	}
	return after + is
}

// noteEnd is where a note ends that begins at token from: before the words that ask to write it.
func (s *strip) noteEnd(from int, lang string) int {
	rest := &strip{tokens: s.tokens, frames: s.frames, keep: slices.Clone(s.keep[from:])}
	f := s.frames
	if lang != Japanese {
		rest.dropTail(f.polite)
	} else if n := rest.verbPhrase(f.verb); n > 0 && rest.quotes(len(rest.keep)-n) {
		rest.keep = rest.keep[:len(rest.keep)-n]
		rest.dropTail(f.noteIs | f.quote)
	} else if n := rest.before(len(rest.keep), f.polite); n > 0 && n < len(rest.keep) {
		rest.dropTail(f.polite)
		rest.dropTail(f.noteIs)
	}
	if len(rest.keep) == 0 {
		return len(s.tokens)
	}
	return rest.keep[len(rest.keep)-1] + 1
}

// quotes reports whether what stands before the n-th token kept says that the words before it are meant
// as they are: 予算の相談と|書いて.
func (s *strip) quotes(n int) bool { return s.before(n, s.frames.quote) > 0 }

// asksForNote reads a question for the note of an entry, which is no part of its title: 面接のメモは？, "the
// note of the interview".
func (i *interpreter) asksForNote() {
	if i.c.Operation != Query && i.c.Operation != Create || i.said&i.f.noteAsked == 0 {
		return
	}
	for n := range i.r.tokens {
		length := i.whole.at(n, i.f.noteAsked)
		switch {
		case length == 0:
			continue
		case i.r.lang == Japanese && n+length == len(i.r.tokens): // 打ち合わせのメモは
			i.c.Operation = Query
		case i.c.Operation != Query:
			return
		}
		i.c.NoteAsked = true
		if i.r.lang == Japanese {
			i.mark(n, len(i.r.tokens))
			return
		}
		i.mark(n, n+length)
	}
}
