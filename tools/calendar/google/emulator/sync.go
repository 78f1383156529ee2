package emulator

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// page is a list from which some was answered: the rest is kept, so that what happens between two pages changes nothing in them.
type page struct {
	rest     any // []T
	number   int
	revision int64
	query    string
}

// part is a page as it is answered.
type part[T any] struct {
	items []T
	// next is the token for the page behind it; empty on the last.
	next string
	// revision is the change as of which the list is.
	revision int64
}

// paged returns the page that the request asks for: the first of all, where it has no page token.
func paged[T any](e *Emulator, c *call, all func() []T, size, most int) (part[T], error) {
	if text := c.query.Get("maxResults"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return part[T]{}, badParameter("maxResults", text)
		}
		size = min(n, most)
	}
	token := c.query.Get("pageToken")
	p := e.pages[token]
	if token == "" {
		p = &page{rest: all(), revision: e.revision, query: fingerprint(c)}
	}
	if p == nil || p.query != fingerprint(c) {
		return part[T]{}, badParameter("pageToken", token)
	}
	rest, ok := p.rest.([]T)
	if !ok {
		return part[T]{}, badParameter("pageToken", token)
	}
	switch {
	case e.opts.ShortPages && p.number%2 == 1:
		size = 0
	case e.opts.ShortPages:
		size = (size + 1) / 2
	}
	n := min(size, len(rest))
	answer := part[T]{items: append([]T{}, rest[:n]...), revision: p.revision}
	if n < len(rest) || e.opts.ShortPages && p.number == 0 {
		answer.next = e.fresh("page")
		e.pages[answer.next] = &page{rest: rest[n:], number: p.number + 1, revision: p.revision, query: p.query}
	}
	return answer, nil
}

// fingerprint tells lists apart: the address without what may change from page to page.
func fingerprint(c *call) string {
	rest := url.Values{}
	for name, values := range c.query {
		if name != "pageToken" && name != "maxResults" && name != "prettyPrint" && name != "alt" && name != "fields" {
			rest[name] = values
		}
	}
	return c.r.URL.Path + "?" + rest.Encode()
}

// fresh returns a text that was not there before.
func (e *Emulator) fresh(what string) string {
	e.made++
	return fmt.Sprintf("%s-%06d", what, e.made)
}

// mark is what a sync token says.
type mark struct {
	What     string    `json:"w"` // the list
	Revision int64     `json:"r"`
	Issued   time.Time `json:"t"`
}

func (e *Emulator) syncToken(what string, revision int64) string {
	text, err := json.Marshal(mark{what, revision, e.opts.Now()})
	if err != nil {
		return ""
	}
	return base64.URLEncoding.EncodeToString(text)
}

// readSyncToken returns the change since which the token asks.
func (e *Emulator) readSyncToken(token, what string) (int64, error) {
	text, err := base64.URLEncoding.DecodeString(token)
	if err != nil {
		return 0, invalid("Invalid sync token value.")
	}
	var m mark
	if err := json.Unmarshal(text, &m); err != nil || m.What != what {
		return 0, invalid("Invalid sync token value.")
	}
	if m.Revision < e.forgotten || !e.opts.Now().Before(m.Issued.Add(e.opts.SyncTokenLife)) {
		return 0, errFullSync
	}
	return m.Revision, nil
}

// ForgetSyncTokens makes every sync token that was given so far expire.
func (e *Emulator) ForgetSyncTokens() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forgotten = e.change()
}
