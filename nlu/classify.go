package nlu

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"annai/nlu/linear"
)

//go:generate go run ./generate ../../shared/testdata/nlu/train

// weightsFile is made from data/examples.jsonl and the utterances that NOTICE names.
//
//go:embed data/weights.bin
var weightsFile []byte

// weights is the linear model in the binary. Its labels are intents, or an intent and a sort of it
// behind a slash.
var weights = sync.OnceValue(func() *classifier {
	model, err := linear.Read(weightsFile)
	if err != nil {
		panic(fmt.Sprintf("the weights in the binary: %v", err)) // a test reads them
	}
	return newClassifier(model)
})

// classifier reads intents from n-grams.
type classifier struct {
	model *linear.Model
	// meanings are those of the labels, intents the intents among them.
	meanings []meaning
	intents  []Intent
	pool     sync.Pool
}

// meaning is what a label stands for.
type meaning struct {
	intent int // in classifier.intents
	agent  agent
	write  bool
}

func newClassifier(model *linear.Model) *classifier {
	c := &classifier{model: model, pool: sync.Pool{New: func() any { return new([]float32) }}}
	index := map[Intent]int{}
	for _, label := range model.Labels() {
		name, sort, _ := strings.Cut(label, "/")
		intent := Intent(name)
		i, known := index[intent]
		if !known {
			i = len(c.intents)
			index[intent] = i
			c.intents = append(c.intents, intent)
		}
		m := meaning{intent: i, agent: agentOf(intent)}
		switch intent {
		case Calendar:
			m.write = sort != "query"
		default:
		}
		c.meanings = append(c.meanings, m)
	}
	return c
}

// A guess is what the n-grams say.
type guess struct {
	agents [agentCount]float32 // the probabilities
	other  Intent              // the likeliest intent that is neither event nor calendar nor date, and its probability
	sure   float32
	write  bool // rather writes a calendar than reads it
}

// guess reads a text in the form of [Normalize].
func (c *classifier) guess(text string) guess {
	buffer := c.pool.Get().(*[]float32)
	defer c.pool.Put(buffer)
	n := len(c.meanings)
	if len(*buffer) == 0 {
		*buffer = make([]float32, n+len(c.intents))
	}
	p, intents := (*buffer)[:n], (*buffer)[n:]
	clear(intents)
	c.model.Score(text, p)
	var g guess
	write := float32(0)
	for i, m := range c.meanings {
		g.agents[m.agent] += p[i]
		intents[m.intent] += p[i]
		if m.write {
			write += p[i]
		}
	}
	g.write = write > g.agents[agentCalendar]/2
	for i, intent := range c.intents {
		if intent == Safety { // which package danger knows better
			continue
		}
		if agentOf(intent) == agentOther && intents[i] > g.sure {
			g.other, g.sure = intent, intents[i]
		}
	}
	return g
}

// agent is one of the four that an utterance may be for.
type agent int

const (
	agentEvent agent = iota
	agentCalendar
	agentDate
	agentOther
	agentCount
)

var agentNames = [agentCount]string{"event", "calendar", "date", "other"}

func agentOf(i Intent) agent {
	switch i {
	case Event:
		return agentEvent
	case Calendar:
		return agentCalendar
	case DateCalc:
		return agentDate
	case Info, Greeting, Thanks, Farewell, Identity, SmallTalk, CallStaff, Safety, Affirm, Deny, OutOfScope, Unclear:
	}
	return agentOther
}

// Agent is who answers an intent: "event", "calendar", "date", or "other" for all else.
func (i Intent) Agent() string { return agentNames[agentOf(i)] }
