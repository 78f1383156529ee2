package nodes

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"annai/api"
	"annai/dialog"
	"annai/nlu/words"
	"annai/nodes/capture"
	"annai/nodes/owner"
	"annai/tools"
)

// nodeCapture is why something that was given goes to the calendar.
const nodeCapture = "capture"

// An utterance is a turn with what was read of what was given in it.
type utterance struct {
	dialog.Turn

	// read is nil where it is still to be read.
	read *owner.Capture
}

// capture reads what an owner gives to be added, before the turn begins: it may take longer than a turn. Of
// what is given in a request its errors tell; of an address in a talk the talk does.
func (c *Concierge) capture(ctx context.Context, t utterance) (utterance, error) {
	if c.parts.Capture == nil || t.read != nil {
		return t, nil
	}
	given, inTalk := t.Given, false
	if given == nil {
		if given, inTalk = givenIn(t.Query); !inTalk {
			return t, nil
		}
	}
	if !t.Owner { // nothing is read for others, who are told so
		t.read = &owner.Capture{}
		return t, nil
	}
	loc := t.Location
	if loc == nil {
		loc = c.parts.Venue.Location
	}
	caller := tools.Caller{
		Role: tools.Owner, Owner: t.OwnerName, Language: string(guessLanguage(t)),
		SessionID: t.SessionID, RequestID: t.RequestID,
	}
	read, err := c.parts.Capture.Read(ctx, caller, capture.Source(*given), c.opts.Now().In(loc))
	var failure *capture.Failure
	switch {
	case inTalk && errors.As(err, &failure):
		read = owner.Capture{Problem: failure.Message(caller.Language)}
	case err != nil:
		return t, err
	}
	t.read = &read
	return t, nil
}

// givenIn is what an owner's words give to be added: the address of a page, or a text of several lines
// below the order.
func givenIn(said string) (*dialog.Given, bool) {
	link, rest := addressIn(said)
	if link != "" {
		return &dialog.Given{Link: link}, ordersThis(rest)
	}
	order, text, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if strings.Count(strings.TrimSpace(text), "\n") < 1 || !ordersThis(order) || !words.This.In(order) {
		return nil, false
	}
	return &dialog.Given{Text: text}, true
}

// ordersThis reports whether words order something to be added.
func ordersThis(said string) bool {
	asks := words.Asking.In(said) || words.OrderRemove.In(said) || words.OrderChange.In(said)
	return words.OrderAdd.In(said) && !asks
}

// addressIn is the first address of a page in a text, and the words around it.
func addressIn(said string) (link, rest string) {
	at := strings.Index(said, "https://")
	if at < 0 {
		at = strings.Index(said, "http://")
	}
	if at < 0 {
		return "", said
	}
	link = said[at:]
	end := strings.IndexFunc(link, func(r rune) bool {
		return r > unicode.MaxLatin1 || unicode.IsSpace(r) || strings.ContainsRune("<>\"", r)
	})
	if end >= 0 {
		link = link[:end]
	}
	rest = said[:at] + " " + said[at+len(link):]
	return strings.TrimRight(link, ".,!?)]"), strings.TrimSpace(rest)
}

// captureOnWire is what was read, field by field.
func captureOnWire(c *owner.Capture) *api.Capture {
	if c == nil || c.From == "" {
		return nil
	}
	out := &api.Capture{From: string(c.From), Reader: c.Reader, Missing: c.Missing(), Fields: []api.CaptureField{}}
	add := func(name, value string, line int, by string) {
		if value != "" {
			out.Fields = append(out.Fields, api.CaptureField{Name: name, Value: value, Line: line, By: by})
		}
	}
	a := c.Read
	add("title", a.Title.Text, a.Title.Line, string(a.Title.By))
	w := a.When
	if !w.Day.IsZero() {
		add("date", w.Day.String(), w.DayFrom.Line, string(w.DayFrom.By))
	}
	if !w.LastDay.IsZero() {
		add("until", w.LastDay.String(), w.DayFrom.Line, string(w.DayFrom.By))
	}
	for _, m := range []struct {
		name    string
		minutes *int
	}{{"start", w.Start}, {"end", w.End}, {"doors", w.Doors}} {
		if m.minutes != nil {
			add(m.name, owner.MinuteWords(*m.minutes), w.StartFrom.Line, string(w.StartFrom.By))
		}
	}
	add("place", a.Place.Text, a.Place.Line, string(a.Place.By))
	add("timezone", c.Zone, 0, "")
	for _, t := range a.Todos {
		value := t.What
		if !t.Due.IsZero() {
			value = strings.TrimSpace(t.Due.String() + " " + t.What)
		}
		add(string(t.Kind), value, t.Line, string(t.By))
	}
	return out
}
