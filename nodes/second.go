package nodes

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/nlu"
)

var (
	// endsFirst and endsFirstEnglish find where a second question begins in one utterance: トイレはどこですか、あとWi-Fiはありますか; "where is the toilet and
	// is there Wi-Fi". In English its first word is the group.
	endsFirst        = regexp.MustCompile(`[?？。、,]\s*(?:あと|それと|それから|ついでに|それに|そして|もう一つ|また)(?:は|、|,)?\s*|[?？]\s*(?:and |also |oh,? |plus )*|(?:か|の)。\s*`)
	endsFirstEnglish = regexp.MustCompile(`(?i),? (?:and|also|plus)(?: also)? ((?:` + askWords + `)\b)`)
	// secondAsks finds that what follows is a question too, and no remark.
	secondAsks = regexp.MustCompile(`[?？]$|(?:か|の|は|かな|かね|ある|いる|ない|できる|使える|かかる|教えて|おしえて|ください|下さい)[。.!！]*$|^(?:` + askWords + `)\b`)
)

// askWords are those with which an English question begins.
const askWords = `what|what's|where|where's|when|how|who|which|is|are|do|does|can|could|may|should|will`

// minAsked is how many runes a question has at least that is one of two.
const minAsked = 5

// twoQuestions are the questions of an utterance that asks two, where the second is one about the venue that stands by itself.
func (c *Concierge) twoQuestions(s State, now time.Time) (first nlu.Understanding, second infoWish, ok bool) {
	if s.Turn.Owner || s.Asked.Done || !mayBeTwo(s.Understanding.Intent) {
		return first, second, false
	}
	text := s.Understanding.Text
	at, end := -1, -1
	if m := endsFirstEnglish.FindStringSubmatchIndex(text); m != nil && s.Understanding.Language == nlu.English {
		at, end = m[0], m[2]
	} else if m := endsFirst.FindStringIndex(text); m != nil {
		at, end = m[0], m[1]
	}
	if at < 0 || utf8.RuneCountInString(text[:at]) < minAsked || utf8.RuneCountInString(text[end:]) < minAsked ||
		!secondAsks.MatchString(strings.ToLower(strings.TrimSpace(text[end:]))) {
		return first, second, false
	}
	first = c.parts.Understander.Understand(text[:at]+"?", now)
	other := c.parts.Understander.Understand(text[end:], now)
	second = c.infoWishOf(other, now)
	if other.Reference.That {
		second.Beside = oneLine(first.Text, maxQuestion)
	}
	names := c.standsAlone(first, now) || first.Intent == nlu.Info && first.Confidence >= sure && len(first.Keywords) > 0
	ok = names && other.Intent == nlu.Info && c.standsAlone(other, now)
	return first, second, ok
}

// mayBeTwo reports whether an utterance that is read as that may ask two questions. Danger and calls for a person come before all questions.
func mayBeTwo(intent nlu.Intent) bool {
	switch intent {
	case nlu.Info, nlu.Event, nlu.DateCalc, nlu.OutOfScope, nlu.Unclear:
		return true
	case nlu.Calendar, nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Identity, nlu.SmallTalk, nlu.CallStaff, nlu.Safety, nlu.Affirm, nlu.Deny:
	}
	return false
}

// standsAlone reports whether a question names what it is about.
func (c *Concierge) standsAlone(u nlu.Understanding, now time.Time) bool {
	switch u.Intent {
	case nlu.Event, nlu.DateCalc:
		return u.Confidence >= sure
	case nlu.Info:
		return c.infoWishOf(u, now).Hours != "" || u.Confidence >= sure && !onlyDetail(u.Keywords)
	case nlu.Calendar, nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Identity, nlu.SmallTalk, nlu.CallStaff, nlu.Safety, nlu.Affirm, nlu.Deny, nlu.OutOfScope, nlu.Unclear:
	}
	return false
}

// withSecond answers the second question of an utterance behind the first.
func (c *Concierge) withSecond(ctx context.Context, s State, d draft) (draft, error) {
	w := s.Route.Second
	if w.Text == "" {
		return d, nil
	}
	now := s.Turn.At.In(c.location(s.Turn))
	s.Route.Info, s.Understanding = w, c.parts.Understander.Understand(w.Said, now)
	also, _, err := c.inform(ctx, s, w, now)
	if err != nil {
		return d, err
	}
	if d.Spoken == nil {
		d.Spoken = sentences(d.Text)
	}
	if also.Spoken == nil {
		also.Spoken = sentences(also.Text)
	}
	if strings.Contains(d.Text, also.Text) { // both are answered by one passage
		return d, nil
	}
	d.Text, d.Spoken = joinParts(d.Text, also.Text), append(slices.Clone(d.Spoken), also.Spoken...)
	d.Cards, d.Passages = append(slices.Clone(d.Cards), also.Cards...), append(slices.Clone(d.Passages), also.Passages...)
	d.Facts.Unknown = d.Facts.Unknown && also.Facts.Unknown
	if d.Facts.Knowledge == "" || also.Facts.Knowledge == statusOK {
		d.Facts.Knowledge = also.Facts.Knowledge
	}
	d.Grounds = nil // a model would word the first alone
	return d, nil
}
