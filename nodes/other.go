package nodes

import (
	"context"
	"slices"
	"strings"

	"annai/civil"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
)

// withOther adds to an answer what states the same of the other thing that the question may be about,
// where it was nearly as likely: the price of a coffee beside that of the Coffee Chat.
func (c *Concierge) withOther(ctx context.Context, s State, d draft) (draft, error) {
	other, ok := s.Question.MayMean()
	if !ok || !s.Route.mayTellOther() || slices.Contains(anySentence, s.Question.Ask) {
		return d, nil
	}
	title, said, err := c.statedOf(ctx, s, other)
	if err != nil || len(said) == 0 || containsAll(d.Text, said) {
		return d, err
	}
	remark := prompts.AnswerOther{Title: title, Text: display.JoinSentences(said, s.Language)}.In(string(s.Language))
	return d.with(remark), nil
}

// ifMeant says of an answer about one thing what it is about, where that is not sure to be what was meant and
// the answer does not name it: nobody shall take the price of something else for that of what they asked for.
func ifMeant(s State, d draft) draft {
	title := toldOf(s, d)
	if q := s.Question; title == "" || q.Likely == 0 || q.Likely >= surelyMeant || s.Route.Second.Text != "" {
		return d
	}
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	if len(d.Spoken) == 0 || strings.Contains(strings.ToLower(d.Spoken[0]), strings.ToLower(title)) {
		return d
	}
	title = display.InLang(s.Language, "「"+title+"」", title)
	about := func(text string) string {
		return prompts.AnswerOther{Title: title, Text: text}.In(string(s.Language))
	}
	d.Text, d.Spoken = about(d.Text), slices.Clone(d.Spoken)
	d.Spoken[0] = about(d.Spoken[0])
	return d
}

// toldOf is the name of the one thing that an answer tells of; "" if there is none.
func toldOf(s State, d draft) string {
	switch {
	case d.Facts.Unknown, d.Facts.Nothing, d.Facts.Calendar == statusError, d.Facts.Knowledge == statusError:
		return ""
	case s.Route.Node == nodeEvent && s.Route.Event.Subject != "":
		return display.SpokenTitle(display.TitleHalf(s.Route.Event.Subject, s.Language), s.Language)
	case s.Route.Node != nodeInfo || s.Route.Info.Hours != "":
		return ""
	case len(s.Route.Info.Parts) == 0 && len(d.Passages) == 1:
		_, heading, _ := cutLast(d.Passages[0].Title, rag.TitleSeparator)
		return heading
	}
	return ""
}

// surelyMeant is how likely the thing that an answer is about has to be what was meant for it to be told
// without its name. At seven places that nothing was learnt from 96 of 100 answers about a new subject were
// right from there on, and 57 below; about what was spoken of before 86 and 47.
const surelyMeant = 0.7

// mayTellOther reports whether a route leads to an answer about one thing that evidence states. What is
// said of a part of the venue leaves no other, as passages may be about the same part.
func (r route) mayTellOther() bool {
	stated := r.Node == nodeEvent || r.Node == nodeInfo && r.Info.Hours == "" && len(r.Info.Parts) == 0
	return stated && r.Second.Text == ""
}

// containsAll reports whether a text has all of some sentences.
func containsAll(text string, sentences []string) bool {
	return !slices.ContainsFunc(sentences, func(s string) bool { return !strings.Contains(text, s) })
}

// statedOf are the sentences that state what is asked of a thing, in the language of the talk, and
// its name.
func (c *Concierge) statedOf(ctx context.Context, s State, of talk.Subject) (title string, said []string, err error) {
	now := s.Turn.At.In(c.location(s.Turn))
	title, ask := of.In(s.Language), detailAsked(s.Question)
	var text string
	switch of.Kind {
	case talk.Passage:
		found, err := c.readKnowledge(ctx, rag.Query{
			Text: s.Question.Text, Lang: string(s.Language), On: civil.DateOf(now), Limit: maxNear, Near: true,
		})
		if err != nil {
			return "", nil, err
		}
		i := slices.IndexFunc(found.Hits, func(h rag.Hit) bool { return h.Passage.ID == of.ID })
		if i < 0 || found.Hits[i].Passage.Lang != string(s.Language) {
			return "", nil, nil
		}
		text = found.Hits[i].Passage.Text
	case talk.Event:
		found, err := c.readCalendar(ctx, eventWish{Range: around(now), Subject: of.Title}, now.Location())
		if err != nil {
			return "", nil, err
		}
		all := instances(found.Events, of.Title)
		if len(all) == 0 {
			return "", nil, nil
		}
		title = display.TitleHalf(of.Title, s.Language)
		text = all[len(all)-1].In(s.Language).Description
	case talk.Part:
		return "", nil, nil
	}
	said, _ = stating(text, ask, s.Understanding.Keywords)
	return display.InLang(s.Language, "「"+title+"」", title), said, nil
}
