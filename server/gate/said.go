package gate

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"annai/dialog"
	"annai/server/door"
)

// A Sentence is one that was said, by the address of its sound.
type Sentence struct {
	Address  string `json:"address"`
	Text     string `json:"text"`
	Language string `json:"language"`
}

// sentencePrefix is how a question begins that is for the sentence at an address.
const sentencePrefix = "sentence/"

// A Resident is what is in this process beside the turns: others ask it what only one of them knows.
type Resident struct {
	// Answer says what is known here of a question; false: nothing. It must be quick and safe for concurrent use.
	Answer func(question string) (answer string, ok bool)
	// Ended is told of each session that was ended in another process, likewise.
	Ended func(session dialog.Session)
	// Taken is told how often visitors asked in another process, by names that only the residents understand, likewise.
	Taken func(taken map[string]int)
}

// maxTaken is how many names are in one word, so that it is not too long.
const maxTaken = 150

// TellTaken tells the residents of other processes how often visitors asked here. Nothing is told of nobody.
func (g *Gate) TellTaken(ctx context.Context, taken map[string]int) error {
	part := map[string]int{}
	for name, n := range taken {
		part[name] = n
		if len(part) < maxTaken {
			continue
		}
		if err := g.peers.tell(ctx, word{Taken: part}); err != nil {
			return err
		}
		part = map[string]int{}
	}
	if len(part) == 0 {
		return nil
	}
	return g.peers.tell(ctx, word{Taken: part})
}

// House has a resident answer what other processes ask. It is called before [Gate.Listen], once at most.
func (g *Gate) House(r Resident) { g.resident = r }

// Alone reports whether there are no other processes.
func (g *Gate) Alone() bool { return g.peers.Peers == nil }

// A finding is what a process knows of a question.
type finding struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// MaxFinding is how long an answer to another process may be, in bytes of JSON.
const MaxFinding = 7000

// Said asks the other processes for the sentence at an address, which one of them may have said. It
// reports whether there was one: each has a second to say so.
func (g *Gate) Said(ctx context.Context, address string) (s Sentence, ok bool, err error) {
	answer, ok, err := g.Find(ctx, sentencePrefix+address)
	if !ok || err != nil {
		return s, false, err
	}
	ok = json.Unmarshal([]byte(answer), &s) == nil && s.Address == address
	return s, ok, nil
}

// Find asks the other processes a question that one of them may be able to answer. It reports whether one
// did: each has a second to do so.
func (g *Gate) Find(ctx context.Context, question string) (answer string, ok bool, err error) {
	if g.Alone() {
		return "", false, nil
	}
	found, forget := g.peers.seek(question)
	defer forget()
	if err := g.peers.tell(ctx, word{Seek: question}); err != nil {
		return "", false, err
	}
	late := time.NewTimer(answerIn)
	defer late.Stop()
	select {
	case answer := <-found:
		return answer, true, nil
	case <-late.C:
		return "", false, nil
	case <-ctx.Done():
		return "", false, door.Because(ctx, ctx.Err())
	}
}

// seek returns where the answer to a question will be once another process gives one.
func (p *peers) seek(question string) (found <-chan string, forget func()) {
	c := make(chan string, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sought[question] = append(p.sought[question], c)
	return c, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		var others []chan string
		for _, other := range p.sought[question] {
			if other != c {
				others = append(others, other)
			}
		}
		if p.sought[question] = others; others == nil {
			delete(p.sought, question)
		}
	}
}

// found gives an answer to all who asked for it.
func (p *peers) found(f finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.sought[f.Question] {
		select {
		case c <- f.Answer:
		default: // it has one
		}
	}
}

// known is what this process knows of a question of another one.
func (g *Gate) known(question string) (finding, bool) {
	if address, ok := strings.CutPrefix(question, sentencePrefix); ok {
		text, language, ok := g.opts.Said(address)
		answer, err := json.Marshal(Sentence{address, text, language})
		return finding{question, string(answer)}, ok && err == nil
	}
	if g.resident.Answer == nil {
		return finding{}, false
	}
	answer, ok := g.resident.Answer(question)
	return finding{question, answer}, ok
}
