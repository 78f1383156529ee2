package nodes

import (
	"context"
	"slices"
	"strings"

	"annai/civil"
	"annai/internal/text"
	"annai/nlu"
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

// ifMeant says of an answer about one thing what it is about, where that is not sure to be what was meant: nobody
// shall take the price of something else for that of what they asked for.
func (c *Concierge) ifMeant(s State, d draft) draft {
	title := c.toldOf(s, d)
	if title == "" || s.Route.Second.Text != "" {
		return d
	}
	if d.Spoken == nil {
		d.Spoken = display.Sentences(d.Text)
	}
	if len(d.Spoken) == 0 || !unsure(s, d, title) {
		return d
	}
	title = display.InLang(s.Language, "「"+title+"」", title)
	about := func(text string) string {
		return prompts.AnswerOther{Title: title, Text: text}.In(string(s.Language))
	}
	d.IfMeant = true
	d.Text, d.Spoken = about(d.Text), slices.Clone(d.Spoken)
	d.Spoken[0] = about(d.Spoken[0])
	return d
}

// unsure reports whether the thing of that title may not be what was meant, where the question has no word of it: it
// is not likely enough; or it is a passage whose answer has none either, or the venue while something else was spoken
// of. Who only asks on (どこで？) means what was spoken of, as surely as that was meant.
func unsure(s State, d draft, title string) bool {
	q, words := s.Question, s.Understanding.Keywords
	likely := q.Likely
	if likely > 0 && q.SubjectFrom == talk.Inherited && len(words) == 0 {
		likely = s.Memory.Last.Likely
	}
	title = strings.ToLower(title)
	switch {
	case strings.Contains(strings.ToLower(s.Turn.Query), title), hasWord(title, words):
		return false
	case s.Route.Info.Hours != "":
		return !strings.Contains(strings.ToLower(d.Text), title)
	case q.Ask == nlu.AskHowToGet && q.SubjectFrom == talk.Absent:
		return false // How do I get there? is asked of the venue
	case likely > 0 && likely < surelyMeant:
		return true
	case s.Route.Node != nodeInfo || len(d.Passages) != 1 || strings.Contains(strings.ToLower(d.Text), title):
		return false
	}
	foreign := d.Passages[0].Language != string(s.Language) // so is its title
	asksOn := q.SubjectFrom == talk.Inherited || len(contentWords(words)) == 0
	return !foreign && !asksOn && !hasWord(strings.ToLower(d.Spoken[0]), words)
}

// hasWord reports whether a text in lower case has one of the words, be it more than one in the text.
func hasWord(said string, words []string) bool {
	return mentions(said, words) || slices.ContainsFunc(strings.Fields(said), func(w string) bool {
		return slices.Contains(words, text.Singular(w))
	})
}

// toldOf is the name of the one thing that an answer tells of, in the language of the talk; "" if there is none.
func (c *Concierge) toldOf(s State, d draft) string {
	switch {
	case d.Facts.Unknown, d.Facts.Nothing, d.Facts.Calendar == statusError, d.Facts.Knowledge == statusError:
		return ""
	case s.Route.Node == nodeEvent && s.Route.Event.Subject != "":
		return display.SpokenTitle(display.TitleHalf(s.Route.Event.Subject, s.Language), s.Language)
	case s.Route.Node != nodeInfo:
		return ""
	case s.Route.Info.Hours != "":
		if s.Memory.Last.About != nlu.AboutSubject { // else it may be the hours of that which are asked for
			return ""
		}
		return c.parts.Venue.Name.In(string(s.Language))
	case len(d.Passages) == 1:
		_, heading, _ := cutLast(d.Passages[0].Title, rag.TitleSeparator)
		return heading
	}
	return ""
}

// surelyMeant is how likely the thing that an answer is about has to be what was meant for it to be told without its
// name. At seven places that nothing was learnt from, of answers about a new subject 96 of 100 were right where it was
// 0.7 or more, and 57 below; about what was spoken of before 86 and 47. Visitors who do not use the words of the data
// get 71 of 100 right answers from 0.9 on, and 39 between 0.7 and that.
const surelyMeant = 0.9

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
