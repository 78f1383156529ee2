package rag

import (
	"slices"
	"strings"

	"annai/internal/text"
)

// An alternative is one way to say something: its terms, each once, all of which should be found.
type alternative []term

func newAlternative(ts []term) alternative {
	var out alternative
	seen := map[string]bool{}
	for _, t := range ts {
		if !seen[t.text] {
			seen[t.text] = true
			out = append(out, t)
		}
	}
	return out
}

// A unit is one thing that a question asks for, in one or more ways to say it.
type unit struct {
	alternatives []alternative
	weight       float32
	// whole says that the whole question is about it.
	whole bool
}

// question returns the units of a text, each once, first those that the whole question is about.
func (s *Synonyms) question(asked string) []unit {
	phrases, rest, _ := s.cut(text.Fold(asked))
	var units []unit
	seen := map[int]bool{}
	for _, p := range phrases {
		if !seen[p.group] {
			seen[p.group] = true
			if u := s.groups[p.group]; u.whole {
				units = slices.Insert(units, 0, u)
			} else {
				units = append(units, u)
			}
		}
	}
	for _, t := range newAlternative(terms(rest)) {
		units = append(units, unit{alternatives: []alternative{{term{t.text, 1}}}, weight: t.weight})
	}
	return units
}

// subject returns what a question is about: its words without those that only make it a question. It may be empty.
func (s *Synonyms) subject(asked string) string {
	_, _, content := s.cut(text.Fold(asked))
	words := slices.DeleteFunc(strings.Fields(content),
		func(w string) bool { return stopWords[strings.Trim(w, ".,!?")] })
	return strings.Join(words, " ")
}

// cut takes the phrases out of folded text and returns those that belong to a group, in order, what remains, and the
// content: all but the phrases that say nothing.
func (s *Synonyms) cut(text string) (phrases []phrase, rest, content string) {
	var b, c strings.Builder
	rs := runs(text)
	for i, done := 0, 0; i < len(rs); i++ {
		r := rs[i]
		for at := r.start; at < r.start+len(r.text); {
			if at < done {
				at += runeLength(text[at:])
				continue
			}
			if at == r.start && !r.joined {
				b.WriteByte(' ')
				c.WriteByte(' ')
			}
			if p, end := s.match(text, at, rs, i); end > 0 {
				b.WriteByte(' ')
				if done = end; p.group >= 0 {
					phrases = append(phrases, p)
					c.WriteString(text[at:end])
				} else {
					c.WriteByte(' ')
				}
				continue
			}
			n := runeLength(text[at:])
			if r.script == scriptWord {
				n = len(r.text)
			}
			b.WriteString(text[at : at+n])
			c.WriteString(text[at : at+n])
			at += n
		}
	}
	return phrases, b.String(), c.String()
}
