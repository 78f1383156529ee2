package nodes

import (
	"slices"
	"strconv"
	"time"

	"annai/grounding"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/wording"
	"annai/prompts"
	"annai/rag"
	"annai/tools/calendar"
	"annai/venue"
)

// evidence is what a model may word an answer from. A draft without it is not worded by a model.
type evidence struct {
	wording.Evidence

	// Shown are the items as the model reads them.
	Shown []prompts.ModelItem `json:"shown"`
	// Passages and Cards are those of the items, by their ids: only those that are used are shown.
	Passages map[string]display.Passage `json:"passages,omitempty"`
	Cards    map[string]display.Card    `json:"cards,omitempty"`
}

// evidence of an answer about events: of a short list, of one event that was asked about, or of
// passages. A detail that the calendar has, a list that is longer, and whatever could not be read
// stay the template's.
func (t eventContext) evidence(d draft, next topic, question string) *evidence {
	failed := d.Facts.Calendar == statusError || d.Facts.Changed || d.Facts.Asking
	items := next.Items
	if d.Facts.Events == 0 {
		items = nil
	}
	many := len(items) > maxSpokenEvents || len(items) > 0 && next.Total > len(items)
	if t.spec || failed || many || t.behind(items) || t.rhythms != nil {
		return nil // what is not as asked must be said first
	}
	g := &evidence{Evidence: wording.Evidence{Question: question, Notes: d.Notes}}
	for i, e := range items {
		if e.Status == calendar.Tentative || e.Notice != "" {
			return nil
		}
		g.addEvent(t, "event-"+strconv.Itoa(i+1), e, len(items) == 1)
	}
	for _, h := range t.knowledge.Hits {
		if slices.ContainsFunc(d.Passages, func(p display.Passage) bool { return p.ID == h.Passage.ID }) {
			g.addPassage(h, t.lang)
		}
	}
	if len(g.Items) == 0 {
		return nil
	}
	return g
}

// addEvent adds an event, with all that is known of it or only when it is.
func (g *evidence) addEvent(t eventContext, id string, e display.Entry, all bool) {
	in := e.In(t.lang)
	item := grounding.Item{
		ID: id, Kind: grounding.Event, Title: display.NoBrackets(e.Title), Place: display.NoBrackets(e.Location), Text: display.NoBrackets(e.Description), URL: e.URL,
		AllDay: e.AllDay, FirstDay: e.FirstDay, EndDay: e.EndDay,
	}
	if !e.AllDay {
		item.Start, item.End = e.Start, e.End
		if e.EndInferred {
			item.End = time.Time{}
		}
	}
	when := display.WrittenWhen(e, t.now.Location(), t.lang)
	g.Items = append(g.Items, item)
	g.Shown = append(g.Shown, prompts.ModelItem{
		ID: wording.Label(len(g.Shown)), Title: display.NoBrackets(t.title(e)), When: when, Place: display.NoBrackets(in.Location), Text: display.NoBrackets(in.Description),
	})
	title := t.spokenTitle(e)
	g.Lines = append(g.Lines, wording.Line{Item: id, Text: t.say(prompts.EventTime{Title: title, When: when}), Must: true})
	if !all {
		return
	}
	if in.Location != "" {
		g.Lines = append(g.Lines, wording.Line{Item: id, Text: t.say(prompts.EventPlace{Title: title, Place: display.NoBrackets(in.Location)})})
	}
	g.addLines(id, display.NoBrackets(in.Description))
}

// addPassage adds a passage. Its sentences are the template's where they are in the language of the
// answer.
func (g *evidence) addPassage(h rag.Hit, lang nlu.Language) {
	p := h.Passage
	title, text := display.NoBrackets(p.Title), display.NoBrackets(p.Text)
	g.Items = append(g.Items, grounding.Item{ID: p.ID, Kind: grounding.Passage, Title: title, Text: text, Lang: p.Lang})
	g.Shown = append(g.Shown, prompts.ModelItem{ID: wording.Label(len(g.Shown)), Title: title, Text: text})
	if g.Passages == nil {
		g.Passages, g.Cards = map[string]display.Passage{}, map[string]display.Card{}
	}
	g.Passages[p.ID], g.Cards[p.ID] = passage(h), passageCard(h)
	if p.Lang == "" || p.Lang == string(lang) {
		g.addLines(p.ID, text)
	}
}

func (g *evidence) addLines(id, text string) {
	for _, s := range display.Sentences(text) {
		g.Lines = append(g.Lines, wording.Line{Item: id, Text: s})
	}
}

// passageEvidence is that of an answer from the passage that the template quotes. Where it quotes
// several that say the same of their siblings (the prices of room 1, 2 and 3) it is the template's:
// a model that leaves out which of them it means says something else.
func (c *Concierge) passageEvidence(s State, chosen []rag.Hit) *evidence {
	if c.parts.Model == nil || len(chosen) != 1 {
		return nil
	}
	g := &evidence{Evidence: wording.Evidence{Question: s.Route.Info.Text}}
	g.addPassage(chosen[0], s.Language)
	return g
}

// namesOf are the names of a venue, and others that its settings have, each with its spellings.
func namesOf(v *venue.Venue) (own []string, others [][]string) {
	for _, name := range []string{v.Name.JA, v.Name.EN} {
		if name != "" {
			own = append(own, name)
		}
	}
	for _, a := range v.Ambiguous {
		for _, r := range a.Readings {
			others = append(others, []string{r.Label.JA, r.Label.EN, r.Means.JA, r.Means.EN})
		}
	}
	return own, others
}
