package nodes

import (
	"context"
	"slices"
	"strings"

	"annai/internal/civil"
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
		found, err := c.readCalendar(ctx, eventWish{Range: around(now)}, now.Location())
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
