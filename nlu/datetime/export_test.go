package datetime

import "time"

// Work is how many components are read in a text, and of how many tokens it is.
func Work(text string, reference time.Time) (components, tokens int) {
	p := newParser(text, reference)
	for range p.expressions() {
	}
	return p.steps, len(p.tokens)
}
