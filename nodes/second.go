package nodes

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
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

// A secondQuestion is one that stands behind another one in the same utterance.
type secondQuestion struct {
	// Text is the question as it was said.
	Text     string        `json:"text,omitempty"`
	Question talk.Question `json:"question,omitzero"`
	Info     infoWish      `json:"info,omitzero"`
	// Other is what the first question is about, where the same is asked of two things.
	Other string `json:"other,omitempty"`
}

// twoQuestions are the questions of an utterance that asks two, where the second is one about the
// venue: the state with the first in place of both, and the second. Where it asks one the second has
// no text.
func (c *Concierge) twoQuestions(ctx context.Context, s State) (State, secondQuestion, error) {
	none := secondQuestion{}
	if s.Turn.Owner || s.Asked.Done || !wantsAnswer(s.Question) || s.Question.AskFrom != talk.Said {
		return s, none, nil
	}
	things, questions, ok := parted(s.Understanding.Text, s.Understanding.Language)
	if !ok {
		return s, none, nil
	}
	first, err := c.readAs(ctx, s, questions[0])
	if err != nil {
		return s, none, err
	}
	second, err := c.readAs(ctx, s, questions[1])
	if err != nil || !first.asksByItself() || !second.asksByItself() {
		return s, none, err
	}
	if things[1] == "" && onlyAsks(second.Understanding.Keywords) { // it is about what the first one is about
		if second, err = c.readAs(ctx, s.after(questions[0], first.Question), questions[1]); err != nil {
			return s, none, err
		}
	}
	r, err := c.where(ctx, second)
	if err != nil || r.Node != nodeInfo {
		return s, none, err
	}
	r.Info.Thing = things[1]
	return first, secondQuestion{questions[1], second.Question, r.Info, things[0]}, nil
}

// after is the state behind a question that was answered.
func (s State) after(said string, asked talk.Question) State {
	var about []talk.Subject
	if !asked.Subject.IsZero() {
		about = append(about, asked.Subject)
	}
	s.Memory = s.Memory.Next(said, asked, about)
	return s
}

// asksByItself reports whether a half of an utterance is a question that names what it is about.
func (s State) asksByItself() bool {
	q := s.Question
	return wantsAnswer(q) && q.AskFrom == talk.Said && q.SubjectFrom != talk.Inherited
}

// parted are the two questions of which an utterance consists, and the things that they are about,
// where it asks the same of two.
func parted(said string, lang nlu.Language) (things, questions [2]string, ok bool) {
	if things, questions, ok = thingsAsked(said, lang); ok {
		return things, questions, true
	}
	at, end := -1, -1
	if m := endsFirstEnglish.FindStringSubmatchIndex(said); m != nil && lang == nlu.English {
		at, end = m[0], m[2]
	} else if m := endsFirst.FindStringIndex(said); m != nil {
		at, end = m[0], m[1]
	}
	if at < 0 || utf8.RuneCountInString(said[:at]) < minAsked || utf8.RuneCountInString(said[end:]) < minAsked ||
		!secondAsks.MatchString(strings.ToLower(strings.TrimSpace(said[end:]))) {
		return things, questions, false
	}
	return things, [2]string{said[:at] + "?", said[end:]}, true
}

// withSecond answers the second question of an utterance behind the first.
func (c *Concierge) withSecond(ctx context.Context, s State, d draft) (draft, error) {
	two := s.Route.Second
	if two.Text == "" {
		return d, nil
	}
	now := s.Turn.At.In(c.location(s.Turn))
	s.Route.Info, s.Question, s.Understanding = two.Info, two.Question, c.parts.Understander.Understand(two.Text, now)
	also, _, err := c.inform(ctx, s, two.Info, now)
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
