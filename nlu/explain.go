package nlu

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"annai/nlu/linear"
)

// An Explanation is how an understanding came about, for people.
type Explanation struct {
	Understanding Understanding
	// Tokens are the words that rules look at, in order.
	Tokens []Token
	// Rule is what the first rule says that knows the utterance.
	Rule Rule
	// Intents are those that the n-grams alone find likeliest, at most five. Like Agents it is
	// empty when the rule is certain.
	Intents []Likely
	// Agents are what n-grams and rule say of each agent, the likeliest first. It is empty when the
	// rule is certain.
	Agents []Evidence
}

// A Token is a word, or several, or a temporal expression.
type Token struct {
	Text string
	// Says is what it says to the rules.
	Says []string
}

// A Rule is what a rule says.
type Rule struct {
	Intent Intent
	Reason string
	// Weight is by how much it raises the logarithm of the odds of the intent's agent. Certain says
	// that it alone decides.
	Weight  float64
	Certain bool
}

// Likely is an intent with its probability.
type Likely struct {
	Intent      Intent
	Probability float64
}

// Evidence is what is said for an agent.
type Evidence struct {
	Agent string
	// NGrams is its probability by the n-grams alone, Together that with the rule.
	NGrams, Together float64
	// Features are the n-grams that tell most between it and the likeliest other agent: for it, or
	// against it if the weight is negative.
	Features []linear.Feature
}

// How many features an explanation has at most for an agent, and how many intents.
const (
	shownFeatures = 12
	shownIntents  = 5
)

// Explain understands an utterance as [Reader.Understand] does and says why.
func (r *Reader) Explain(utterance string, at time.Time) Explanation {
	s, u := r.listen(utterance, at)
	rule := r.rule(s, &u)
	r.conclude(s, &u, r.decide(s, &u))
	e := Explanation{
		Understanding: u, Tokens: s.tokens(),
		Rule: Rule{
			Intent: rule.intent, Reason: rule.reason, Weight: float64(rule.weight),
			Certain: rule.weight == certain,
		},
	}
	if !e.Rule.Certain {
		text := Fold(string(s.lower))
		guess := r.classifier.guess(text)
		e.Intents = r.classifier.likely(text)
		e.Agents = r.classifier.evidence(text, guess, s.together(rule, guess))
	}
	return e
}

// tokens are the words and times of a sentence, in order.
func (s *sentence) tokens() []Token {
	type token struct {
		at int
		Token
	}
	var found []token
	for _, h := range s.hits {
		found = append(found, token{h.start, Token{string(s.text[h.start:h.end]), h.tags.names()}})
	}
	for i, span := range s.spans {
		found = append(found, token{span[0], Token{s.times[i].Text, []string{"time"}}})
	}
	slices.SortStableFunc(found, func(a, b token) int { return cmp.Compare(a.at, b.at) })
	tokens := make([]Token, len(found))
	for i, t := range found {
		tokens[i] = t.Token
	}
	return tokens
}

func (t tag) names() []string {
	var names []string
	for i, name := range tagNames {
		if t&(1<<i) != 0 {
			names = append(names, strings.ReplaceAll(name, "_", " "))
		}
	}
	return names
}

// evidence is what is said for each agent, the likeliest first.
func (c *classifier) evidence(text string, g guess, together [agentCount]float64) []Evidence {
	agents := []agent{agentEvent, agentCalendar, agentDate, agentOther}
	slices.SortStableFunc(agents, func(a, b agent) int { return cmp.Compare(together[b], together[a]) })
	likeliest := c.likeliest(text)
	evidence := make([]Evidence, len(agents))
	for i, a := range agents {
		rival := agents[0]
		if i == 0 {
			rival = agents[1]
		}
		evidence[i] = Evidence{
			Agent: agentNames[a], NGrams: float64(g.agents[a]), Together: together[a],
			Features: c.model.Explain(text, likeliest[a], likeliest[rival], shownFeatures),
		}
	}
	return evidence
}

// likely are the intents that the n-grams find likeliest.
func (c *classifier) likely(text string) []Likely {
	p := make([]float32, len(c.meanings))
	c.model.Score(text, p)
	all := make([]Likely, len(c.intents))
	for i, intent := range c.intents {
		all[i].Intent = intent
	}
	for label, m := range c.meanings {
		all[m.intent].Probability += float64(p[label])
	}
	slices.SortStableFunc(all, func(a, b Likely) int { return cmp.Compare(b.Probability, a.Probability) })
	return all[:shownIntents]
}

// likeliest is for every agent the label that the n-grams find most probable.
func (c *classifier) likeliest(text string) (labels [agentCount]int) {
	p := make([]float32, len(c.meanings))
	c.model.Score(text, p)
	var highest [agentCount]float32
	for label, m := range c.meanings {
		if p[label] >= highest[m.agent] {
			labels[m.agent], highest[m.agent] = label, p[label]
		}
	}
	return labels
}
