package nodes

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
)

var (
	// endsFirst and endsFirstEnglish find where a second question begins in one utterance:
	// トイレはどこですか、あとWi-Fiはありますか; "where is the toilet and is there Wi-Fi". In English its first word
	// is the group.
	endsFirst        = regexp.MustCompile(`[?？。、,]\s*(?:あと|それと|それから|ついでに|それに|そして|もう一つ|また)(?:は|、|,)?\s*|[?？]\s*(?:and |also |oh,? |plus )*|(?:か|の)。\s*`)
	endsFirstEnglish = regexp.MustCompile(`(?i),? (?:and|also|plus)(?: also)? ((?:` + askWords + `)\b)`)
	// secondAsks finds that what follows is a question too, and no remark.
	secondAsks = regexp.MustCompile(`[?？]$|(?:か|の|は|かな|かね|ある|いる|ない|できる|使える|かかる|教えて|おしえて|ください|下さい)[。.!！]*$|^(?:` + askWords + `)\b`)
)

// askWords are those with which an English question begins.
const askWords = `what|what's|where|where's|when|how|who|which|is|are|do|does|can|could|may|should|will`

// minAsked is how many runes a question has at least that is one of two.
const minAsked = 5

// Two things are asked for in one question: 住所と電話番号を教えて, "where are the toilet and the lift?". What
// stands before and behind both belongs to each.
var (
	bothThings = regexp.MustCompile(`^(?:(?:すみません|すいません|こんにちは|あの|あのう|ちょっと)(?:が|けど)?[、。 ]?)?([^と、。]{2,16})と([^と、。]{2,16}?)((?:の(?:場所|時間|料金|値段))?(?:を(?:教え|おしえ|知り)|が知り|は(?:どこ|いくら|何|なん|あり|ある|[？?]*$)|って(?:どこ|いくら|何|あり|ある)).*)$`)
	// noThing finds that what looks like a thing is a condition or a comparison: 子どもと入れる場所, AとBの違い.
	noThing           = regexp.MustCompile(`[うくすつぬむるた][\p{Han}\p{Katakana}]|一緒|違い|どちら|どっち|比べ|どの`)
	bothThingsEnglish = regexp.MustCompile(`(?i)^(?:(?:hi|hello|hey|sorry|excuse me)[,.!]? )?(what(?:'s| is| are)|where(?:'s| is| are)|(?:please |(?:can|could|would) you (?:please )?)?(?:tell|give) me|do you have|is there|are there|have you got)( (?:the|your|a|an|any))?( [\w'-]+(?: [\w'-]+)?) and( (?:the|your|a|an|any))?( [\w'-]+(?: [\w'-]+)?)[?.! ]*$`)
)

// thingsAsked returns two things and the questions for each that one question for both stands for.
func thingsAsked(text string, lang nlu.Language) (things, questions [2]string, ok bool) {
	if lang == nlu.English {
		m := bothThingsEnglish.FindStringSubmatch(text)
		if m == nil {
			return things, questions, false
		}
		article := cmp.Or(m[4], m[2])
		return [2]string{strings.TrimSpace(m[3]), strings.TrimSpace(m[5])}, [2]string{m[1] + m[2] + m[3] + "?", m[1] + article + m[5] + "?"}, true
	}
	m := bothThings.FindStringSubmatch(text)
	if m == nil || noThing.MatchString(m[1]) || noThing.MatchString(m[2]+m[3]) {
		return things, questions, false
	}
	return [2]string{m[1], m[2]}, [2]string{m[1] + m[3], m[2] + m[3]}, true
}

// twoAsked are the two questions of one utterance.
type twoAsked struct {
	first  nlu.Understanding
	second infoWish
	// thing is what the first is about, where one question asks for two things; that of the second
	// is in its wish.
	thing string
}

// twoQuestions are the questions of an utterance that asks two, where the second is one about the
// venue that stands by itself.
func (c *Concierge) twoQuestions(s State, now time.Time) (two twoAsked, ok bool) {
	if s.Turn.Owner || s.Asked.Done || !mayBeTwo(s.Understanding.Intent) {
		return two, false
	}
	said := s.Understanding.Text
	if things, questions, ok := thingsAsked(said, s.Understanding.Language); ok {
		return c.twoThings(things, questions, now)
	}
	at, end := -1, -1
	if m := endsFirstEnglish.FindStringSubmatchIndex(said); m != nil && s.Understanding.Language == nlu.English {
		at, end = m[0], m[2]
	} else if m := endsFirst.FindStringIndex(said); m != nil {
		at, end = m[0], m[1]
	}
	if at < 0 || utf8.RuneCountInString(said[:at]) < minAsked || utf8.RuneCountInString(said[end:]) < minAsked ||
		!secondAsks.MatchString(strings.ToLower(strings.TrimSpace(said[end:]))) {
		return two, false
	}
	two.first = c.parts.Understander.Understand(said[:at]+"?", now)
	other := c.parts.Understander.Understand(said[end:], now)
	two.second = c.infoWishOf(other, now)
	if other.Reference.That {
		two.second.Beside = text.OneLine(two.first.Text, maxQuestion)
	}
	names := c.standsAlone(two.first, now) || two.first.Intent == nlu.Info && two.first.Confidence >= sure && len(two.first.Keywords) > 0
	return two, names && other.Intent == nlu.Info && c.standsAlone(other, now)
}

// twoThings are the questions for each of two things, if both are about the venue.
func (c *Concierge) twoThings(things, questions [2]string, now time.Time) (two twoAsked, ok bool) {
	first, second := c.parts.Understander.Understand(questions[0], now), c.parts.Understander.Understand(questions[1], now)
	two = twoAsked{first: first, second: c.infoWishOf(second, now), thing: things[0]}
	two.second.Thing = things[1]
	return two, first.Intent == nlu.Info && first.Confidence >= sure && second.Intent == nlu.Info && second.Confidence >= sure
}

// mayBeTwo reports whether an utterance that is read as that may ask two questions. Danger and
// calls for a person come before all questions.
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
		d.Spoken = display.Sentences(d.Text)
	}
	if also.Spoken == nil {
		also.Spoken = display.Sentences(also.Text)
	}
	if strings.Contains(d.Text, also.Text) { // both are answered by one passage
		return d, nil
	}
	d.Text, d.Spoken = display.JoinParts(d.Text, also.Text), append(slices.Clone(d.Spoken), also.Spoken...)
	d.Cards, d.Passages = append(slices.Clone(d.Cards), also.Cards...), append(slices.Clone(d.Passages), also.Passages...)
	d.Facts.Unknown = d.Facts.Unknown && also.Facts.Unknown
	if d.Facts.Knowledge == "" || also.Facts.Knowledge == statusOK {
		d.Facts.Knowledge = also.Facts.Knowledge
	}
	d.Evidence = nil // a model would word the first alone
	return d, nil
}
