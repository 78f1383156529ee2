package nlu

import (
	"math"
	"strings"
	"unicode/utf8"
)

// decision is an intent with how sure it is and what made it.
type decision struct {
	intent     Intent
	confidence float64
	reason     string
	danger     Danger
	// weight is what a rule counts against the n-grams: by how much it raises the logarithm of the
	// odds of its intent's agent.
	weight weight
	// ownerUnknown says that the rule does not tell whose time is asked about: it counts for
	// [Calendar] as for [Event].
	ownerUnknown    bool
	agentConfidence float64
	write           bool
}

// weight is how precise a rule is, measured on utterances to other assistants and on questions to a
// venue.
type weight float64

const (
	none    weight = 0 // no rule: the n-grams decide
	slight  weight = 0.7
	fair    weight = 1.5
	strong  weight = 8
	certain weight = 100 // the n-grams are not asked
)

// decide asks the rules. What they say is final, if they are certain; otherwise it is weighed
// against the n-grams.
func (r *Reader) decide(s *sentence, u *Understanding) decision {
	d := r.rule(s, u)
	if d.weight == certain {
		d.agentConfidence = d.confidence
		return d
	}
	text := Fold(string(s.lower))
	g := r.classifier.guess(text)
	if d.weight == none && (isBabble(s.content) || r.classifier.model.Known(text) < leastKnown) {
		d.confidence, d.agentConfidence = max(d.confidence, leastSure), float64(g.agents[agentOf(d.intent)])
		return d
	}
	if g.other == Affirm || g.other == Deny {
		s.answers = r.answered(s)
	}
	return s.weigh(d, g)
}

// leastSure is the confidence in what only a rule without weight says.
const leastSure = 0.3

// leastKnown is the share of n-grams that must be known; with fewer it is gibberish, of which they
// would say anything.
const leastKnown = 0.15

// isBabble reports whether a text is one character over and over: ああああ.
func isBabble(text string) bool {
	first, size := utf8.DecodeRuneInString(text)
	return len(text) > size && strings.Count(text, string(first))*size == len(text)
}

// rule is what the rules say: the first group that knows the utterance.
func (r *Reader) rule(s *sentence, u *Understanding) decision {
	for _, known := range [...]func(*sentence, *Understanding) (decision, bool){
		r.safety, repetition, r.answer, correction,
	} {
		if d, ok := known(s, u); ok {
			return d
		}
	}
	for _, rules := range [...][]rule{courtesy, schedule, dates, happenings, outside, venue} {
		if d, ok := firstOf(rules, s, u); ok {
			return d
		}
	}
	return fallback(s, u)
}

// together are the probabilities of the agents by what a rule says and by the n-grams.
func (s *sentence) together(d decision, g guess) [agentCount]float64 {
	const least = 1e-4 // no n-gram excludes anything
	raise := float64(d.weight)
	if s.atVenue {
		raise *= 2 // the rules were made for a venue, and what the n-grams come from was said elsewhere
	}
	var p [agentCount]float64
	sum := 0.0
	for a := range p {
		p[a] = max(float64(g.agents[a]), least)
		if agent(a) == agentOf(d.intent) || d.ownerUnknown && agent(a) == agentCalendar {
			p[a] *= math.Exp(raise)
		}
		sum += p[a]
	}
	for a := range p {
		p[a] /= sum
	}
	return p
}

// weigh decides between what a rule says and what the n-grams say.
func (s *sentence) weigh(d decision, g guess) decision {
	says, p := agentOf(d.intent), s.together(d, g)
	best := says
	for a := range p {
		if p[a] > p[best] {
			best = agent(a)
		}
	}
	sure := p[best]
	if best != says {
		d = decision{intent: [...]Intent{Event, Calendar, DateCalc, Info}[best], reason: NGrams}
	}
	d.agentConfidence, d.write = sure, best != says && g.write
	if best == agentOther {
		return s.among(d, g)
	}
	d.confidence = sure
	return d
}

// How sure the n-grams must be of an intent that no rule sees: a question that is refused is worse
// than one that is looked up in vain.
const (
	sureOutside = 0.9
	sureManners = 0.5
	sureChat    = 0.75 // of small talk that names something, which may be the venue's
	never       = 2
)

// among tells the intents apart that are neither event nor calendar nor date.
func (s *sentence) among(d decision, g guess) decision {
	needs, outweighs := float32(sureManners), none
	switch g.other {
	case OutOfScope:
		needs = sureOutside
		if s.plausiblyAboutVenue() {
			needs = never
		}
	case CallStaff:
		outweighs = slight
	case SmallTalk:
		if s.content != "" {
			needs = sureChat
		}
	case Info:
		needs = 0
	default:
	}
	if (g.other == Affirm || g.other == Deny) && !s.answers[g.other] || d.weight > outweighs || g.sure < needs {
		d.confidence = max(d.confidence, 0.3)
		return d
	}
	d.intent, d.danger, d.confidence, d.reason = g.other, "", float64(g.sure), NGrams
	return d
}
