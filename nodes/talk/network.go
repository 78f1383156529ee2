package talk

import (
	"annai/nlu"
	"annai/nlu/network"
)

// networkReader reads with the learnt network.
type networkReader struct{ network *network.Network }

// NewReader returns the reader that is in the program.
func NewReader(n *network.Network) Reader { return networkReader{n} }

// secondAt and negatedAt are how likely a second question and a negation have to be.
const secondAt, negatedAt = 0.6, 0.5

// Read implements [Reader].
func (r networkReader) Read(utterance string, c Context) nlu.Reading {
	out := r.network.Read(utterance, network.Context{Said: c.Said, Ask: string(c.Ask), Subject: c.Subject, Earlier: c.Earlier, InView: c.InView})
	reading := nlu.Reading{
		Act: nlu.Act(out.Act[0].Label), Ask: nlu.Ask(out.Ask[0].Label), Ref: nlu.Ref(out.Ref[0].Label),
		About: nlu.About(out.About[0].Label), When: nlu.Carry(out.When[0].Label), Negated: out.Negated >= negatedAt,
		Confidence: out.Act[0].P * out.Ask[0].P * out.Ref[0].P,
	}
	reading.Asks = map[nlu.Ask]float64{}
	for _, ask := range out.Ask {
		reading.Asks[nlu.Ask(ask.Label)] = ask.P
	}
	reading.Abouts, reading.Refs = map[nlu.About]float64{}, map[nlu.Ref]float64{}
	for _, about := range out.About {
		reading.Abouts[nlu.About(about.Label)] = about.P
	}
	for _, ref := range out.Ref {
		reading.Refs[nlu.Ref(ref.Label)] = ref.P
	}
	reading.Named = reading.Refs[nlu.RefNamed]
	reading.Pointer = pointer{r.network, out.Utterance}
	reading.Alone = nlu.Ask(out.Alone[0].Label)
	if second := out.Second[0]; second.P >= secondAt && nlu.Ask(second.Label) != reading.Ask && nlu.Ask(second.Label) != nlu.AskNone {
		reading.Second = nlu.Ask(second.Label)
	}
	return reading
}

// pointer points with the learnt network.
type pointer struct {
	network   *network.Network
	utterance *network.Utterance
}

// Point implements [nlu.Pointer].
func (p pointer) Point(things []nlu.Thing) (inTalk, alone []float64) {
	candidates := make([]network.Candidate, len(things))
	for i, t := range things {
		candidates[i] = network.Candidate(t)
	}
	pointing := p.network.Point(p.utterance, candidates)
	return pointing.InTalk, pointing.Alone
}
