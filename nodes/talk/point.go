package talk

import (
	"cmp"
	"slices"

	"annai/nlu"
)

// maxPointed is how many candidates a reader looks at: what was spoken of, and the nearest ones. What
// is meant is among them as often as among all.
const maxPointed = 12

// Point returns candidates and what was spoken of or listed, with how likely the utterance is about each,
// where whoever read it can say so.
func Point(r nlu.Reading, m Memory, near []Candidate) []Candidate {
	near = withMemory(near, m)
	if r.Pointer == nil {
		return near
	}
	order := make([]int, len(near))
	for i := range order {
		order[i] = i
	}
	kept := func(c Candidate) float64 { return flag(m.has(c.Subject)) }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(kept(near[b]), kept(near[a])), cmp.Compare(near[b].Score, near[a].Score))
	})
	order = order[:min(maxPointed, len(order))]
	things := make([]nlu.Thing, len(order))
	for i, at := range order {
		things[i] = thing(near[at], m)
	}
	inTalk, alone := r.Pointer.Point(things)
	for i, at := range order {
		near[at].InTalk, near[at].Alone = inTalk[i], alone[i]
	}
	return near
}

// withMemory returns candidates, and those of a talk that are not among them.
func withMemory(near []Candidate, m Memory) []Candidate {
	near = slices.Clone(near)
	for _, s := range slices.Concat(m.Subjects, m.InView) {
		if !slices.ContainsFunc(near, func(c Candidate) bool { return c.Subject.Same(s) }) {
			near = append(near, Candidate{Subject: s, Strength: -1})
		}
	}
	return near
}

// has reports whether a subject was spoken of or listed.
func (m Memory) has(s Subject) bool {
	return slices.ContainsFunc(m.Subjects, s.Same) || slices.ContainsFunc(m.InView, s.Same)
}

// thing is a candidate as a reader sees it.
func thing(c Candidate, m Memory) nlu.Thing {
	at := slices.IndexFunc(m.Subjects, c.Subject.Same)
	return nlu.Thing{
		Title: cmp.Or(c.Title, c.Subject.Title), Text: c.Text, Event: c.Subject.Kind == Event,
		Last: at == 0, Earlier: at > 0, Shown: slices.ContainsFunc(m.InView, c.Subject.Same),
	}
}

// none is how likely an utterance is about none of some candidates, in its talk and by its words alone; 0
// where nobody looked.
func none(near []Candidate) (inTalk, alone float64) {
	for _, c := range near {
		inTalk, alone = inTalk+c.InTalk, alone+c.Alone
	}
	if alone == 0 {
		return 0, 0
	}
	return max(0, 1-inTalk), max(0, 1-alone)
}
