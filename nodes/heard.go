package nodes

import (
	"context"
	"time"

	"annai/internal/kana"
	"annai/internal/text"
	"annai/rag"
)

// surelyHeard is how alike an utterance and the name of an event must sound for the event to be
// meant.
const surelyHeard = 0.85

// heardTitles is an index of the titles of events by how they sound.
func heardTitles(passages []rag.Passage) *kana.Index {
	var titles []string
	for _, p := range passages {
		if n := len(titles); n == 0 || titles[n-1] != p.Pair {
			titles = append(titles, p.Pair)
		}
	}
	return kana.NewIndex(titles)
}

// asWritten adds to what was said the name of the event that is heard in it, as the event's title
// writes it, so that words and meaning find it: すくらっち is Scratch, and 早段 is 相談. What has the name
// in letters stays as it is, and so does all while the calendars can't be read.
func (c *Concierge) asWritten(ctx context.Context, said string, now time.Time) string {
	if _, err := c.programmeIndex(ctx, now); err != nil {
		return said
	}
	p := &c.programme
	p.mu.Lock()
	names := p.heard
	p.mu.Unlock()
	if name, ok := named(said, names); ok && !text.ContainsWord(said, name) {
		return said + " " + name
	}
	return said
}

// named are the words of a title that are heard in an utterance.
func named(utterance string, titles *kana.Index) (name string, ok bool) {
	if titles == nil {
		return "", false
	}
	m, ok := titles.Find(utterance)
	return m.Written, ok && m.Score >= surelyHeard
}
