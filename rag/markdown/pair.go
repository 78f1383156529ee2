package markdown

import (
	"fmt"

	"annai/fault"
)

// pair gives the same Pair to the passages that say the same in the two languages: "hours#2", the
// third section of the documents whose pair is hours, or "hours#2.1", the second part of it. The
// documents need the same number of sections, otherwise none is paired and a problem says so. A
// section that was cut into more parts in one language stays unpaired.
func pair(documents []document) []Problem {
	var problems []Problem
	first := map[string]*document{}
	for i := range documents {
		d := &documents[i]
		if d.front.Pair == "" {
			continue
		}
		other := first[d.front.Pair]
		if other == nil {
			first[d.front.Pair] = d
			continue
		}
		if reason := mismatch(other, d); reason != "" {
			problems = append(problems, Problem{
				File: d.file, Line: d.sections[0].line, Reason: reason,
				kind: fault.ErrInvalid,
			})
			continue
		}
		pairSections(other, d)
		other.paired = true
	}
	return problems
}

// mismatch says why two documents can't be paired, or "".
func mismatch(a, b *document) string {
	switch {
	case a.front.Lang == b.front.Lang:
		return fmt.Sprintf("pair %s: %s has the same language", a.front.Pair, a.file)
	case a.paired:
		return fmt.Sprintf("pair %s: %s is paired already", a.front.Pair, a.file)
	case len(a.sections) != len(b.sections):
		return fmt.Sprintf("pair %s: %d sections here and %d in %s, so the two are not paired", a.front.Pair,
			len(b.sections), len(a.sections), a.file)
	}
	return ""
}

func pairSections(a, b *document) {
	for i := range a.sections {
		ours, theirs := a.sections[i].passages, b.sections[i].passages
		if len(ours) != len(theirs) {
			continue
		}
		for j := range ours {
			name := fmt.Sprintf("%s#%d", a.front.Pair, i)
			if len(ours) > 1 {
				name += fmt.Sprintf(".%d", j)
			}
			ours[j].Pair, theirs[j].Pair = name, name
		}
	}
}
