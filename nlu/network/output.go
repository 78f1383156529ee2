package network

import (
	"cmp"
	"math"
	"slices"
)

// output makes probabilities of what the labels weigh.
func (n *Network) output(logits []float32) Output {
	var all [heads][]Scored
	room := make([]Scored, 0, len(logits))
	for i, head := range n.about.Heads {
		from := len(room)
		room = appendScored(room, head, logits[from:])
		all[i] = room[from:len(room):len(room)]
	}
	negated := all[headNot][1].P // before they are sorted
	for _, some := range all[:headNot] {
		slices.SortStableFunc(some, func(a, b Scored) int { return cmp.Compare(b.P, a.P) })
	}
	return Output{
		Act: all[headAct], Ask: all[headAsk], Second: all[headSecond], Ref: all[headRef],
		When: all[headWhen], About: all[headAbout], Negated: negated,
	}
}

// appendScored appends the labels of a decision, whose logits stand first.
func appendScored(to []Scored, h head, logits []float32) []Scored {
	from := len(to)
	highest := slices.Max(logits[:len(h.Labels)])
	sum := 0.0
	for i, label := range h.Labels {
		p := math.Exp(float64(logits[i]-highest) / h.Temperature)
		to, sum = append(to, Scored{Label: label, P: p}), sum+p
	}
	for i := from; i < len(to); i++ {
		to[i].P /= sum
	}
	return to
}
