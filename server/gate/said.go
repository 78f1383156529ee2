package gate

import (
	"context"
	"time"

	"annai/server/door"
)

// A Sentence is one that was said, by the address of its sound.
type Sentence struct {
	Address  string `json:"address"`
	Text     string `json:"text"`
	Language string `json:"language"`
}

// Said asks the other processes for the sentence at an address, which one of them may have said. It
// reports whether there was one: each has a second to say so.
func (g *Gate) Said(ctx context.Context, address string) (Sentence, bool, error) {
	if g.peers.Peers == nil {
		return Sentence{}, false, nil
	}
	found, forget := g.peers.seek(address)
	defer forget()
	if err := g.peers.tell(ctx, word{Seek: address}); err != nil {
		return Sentence{}, false, err
	}
	late := time.NewTimer(answerIn)
	defer late.Stop()
	select {
	case s := <-found:
		return s, true, nil
	case <-late.C:
		return Sentence{}, false, nil
	case <-ctx.Done():
		return Sentence{}, false, door.Because(ctx, ctx.Err())
	}
}

// seek returns where a sentence of that address will be once another process says it.
func (p *peers) seek(address string) (found <-chan Sentence, forget func()) {
	c := make(chan Sentence, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sought[address] = append(p.sought[address], c)
	return c, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		var others []chan Sentence
		for _, other := range p.sought[address] {
			if other != c {
				others = append(others, other)
			}
		}
		if p.sought[address] = others; others == nil {
			delete(p.sought, address)
		}
	}
}

// found gives a sentence to all who seek it.
func (p *peers) found(s Sentence) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.sought[s.Address] {
		select {
		case c <- s:
		default: // it has one
		}
	}
}

// saidHere answers another process that seeks a sentence which was said here.
func (g *Gate) saidHere(address string) (Sentence, bool) {
	text, language, ok := g.opts.Said(address)
	return Sentence{address, text, language}, ok
}
