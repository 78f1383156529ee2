package nodes

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"annai/internal/text"
	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/rag"
	"annai/venue"
)

// The categories of what stands in the index of subjects.
const (
	categoryEvent = "event"
	// categoryEvents is that of passages about events as such.
	categoryEvents = "events"
	categoryPart   = "part"
)

// partPassages are the parts of a venue as passages, one in each language: what they are called, and what the venue
// file says of them. Document is the id of the part.
func partPassages(v *venue.Venue) []rag.Passage {
	var out []rag.Passage
	for i := range v.Parts {
		p := &v.Parts[i]
		for _, lang := range []nlu.Language{nlu.Japanese, nlu.English} {
			l := string(lang)
			out = append(out, rag.Passage{
				ID: l + ":" + categoryPart + ":" + p.ID, Pair: categoryPart + ":" + p.ID, Document: p.ID,
				Category: categoryPart, Lang: l,
				Title: strings.Join(p.Names(l), rag.TitleSeparator), Text: writtenOf(v, p, lang),
			})
		}
	}
	return out
}

// writtenOf is all that the venue file says of a part but its names and hours, for what looks for it.
func writtenOf(v *venue.Venue, p *venue.Part, lang nlu.Language) string {
	l := string(lang)
	text := []string{prompts.PartFloor{Floor: p.Floor}.In(l), p.Where.In(l), p.Description.In(l)}
	a := partAnswer{venue: v, part: p, lang: lang}
	for _, row := range p.Prices {
		r := a.row(row)
		text = append(text, a.say(prompts.PartPriceLabel(r)), a.say(prompts.PartPriceAmount(r)))
	}
	text = append(text, a.seats()...)
	text = append(text, p.Booking.How.In(l), p.For.Who.In(l))
	for _, act := range slices.Concat(p.Allows, p.Forbids) {
		text = append(text, act.In(l))
	}
	return strings.Join(slices.DeleteFunc(text, func(t string) bool { return t == "" }), " ")
}

// A nameMatch is a place in a text at which a name of parts stands.
type nameMatch struct {
	from, until int
	parts       []string // their ids
}

// partsNamed are the ids of the parts that a text names, in its order. Where names overlap, that of
// fewer parts counts, and then the longer one: in 2階の会議室1 it is 会議室1.
func partsNamed(v *venue.Venue, text string) []string {
	matches := slices.SortedFunc(slices.Values(namesIn(v, strings.ToLower(text))), func(a, b nameMatch) int {
		return cmp.Or(len(a.parts)-len(b.parts), (b.until-b.from)-(a.until-a.from))
	})
	var kept []nameMatch
	for _, m := range matches {
		if !slices.ContainsFunc(kept, func(k nameMatch) bool { return m.from < k.until && k.from < m.until }) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b nameMatch) int { return a.from - b.from })
	var out []string
	for _, m := range kept {
		for _, id := range m.parts {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// namesIn are the places of a text in lower case at which names of parts stand.
func namesIn(v *venue.Venue, low string) []nameMatch {
	var out []nameMatch
	at := map[string]int{}
	for i := range v.Parts {
		p := &v.Parts[i]
		for _, name := range p.Names("") {
			name = strings.ToLower(name)
			from := whereNamed(low, name)
			if from < 0 {
				continue
			}
			n, there := at[name]
			if !there {
				n, at[name] = len(out), len(out)
				out = append(out, nameMatch{from: from, until: from + len(name)})
			}
			if !slices.Contains(out[n].parts, p.ID) {
				out[n].parts = append(out[n].parts, p.ID)
			}
		}
	}
	return out
}

// whereNamed is where a name stands in a text, both in lower case: an English name as whole words, a
// Japanese one anywhere. It is -1 where it doesn't, or is too short to mean anything.
func whereNamed(low, name string) int {
	switch {
	case utf8.RuneCountInString(name) < minPartName:
		return -1
	case text.HasJapanese(name):
		return strings.Index(low, name)
	}
	return wholeWord(low, name)
}

// minPartName is how many characters a name has at least that is looked for in a text.
const minPartName = 2

// subjectOfParts is one part, or are several that were named together, as a subject.
func subjectOfParts(v *venue.Venue, ids []string) talk.Subject {
	var ja, en []string
	for _, id := range ids {
		if p := v.Part(id); p != nil {
			ja, en = append(ja, p.Name.In("ja")), append(en, p.Name.In("en"))
		}
	}
	first, second := strings.Join(ja, ""), strings.Join(en, "")
	if len(ids) > 1 {
		first, second = prompts.PartList{Items: ja}.In("ja"), prompts.PartList{Items: en}.In("en")
	}
	title := first
	if first != second {
		title += display.BetweenLanguages + second
	}
	s := talk.Subject{Kind: talk.Part, ID: strings.Join(ids, betweenIDs), Title: title}
	if least, _, ok := (partAnswer{part: v.Part(s.ID)}).priceRange(); ok {
		s.Yen = &least
	}
	return s
}

// betweenIDs stands between the ids of several parts that are one subject.
const betweenIDs = "\n"

// idsOf are the ids of the parts that a subject is; nil where it is something else.
func idsOf(s talk.Subject) []string {
	if s.Kind != talk.Part || s.ID == "" {
		return nil
	}
	return strings.Split(s.ID, betweenIDs)
}

// partScore is the score from which a part is taken for what a question is about where nothing names
// it, and no event and no passage comes nearer.
const partScore = 0.5

// namedStrength is how surely a part is meant that is named.
const namedStrength = 0.5

// partCandidates are the parts that the words name or, where they name none, the one that they come
// nearest to; and those that the question before named.
func (f found) partCandidates(before, joint found) []talk.Candidate {
	var out []talk.Candidate
	nearest := max(scoreOf(f.events), scoreOf(f.passages.Hits), scoreOf(f.parts))
	switch {
	case f.partsNamed.ID != "" && !f.namesEvent():
		c := f.partCandidate(f.partsNamed, joint)
		c.Score, c.Strength = nearest+namedStrength, namedStrength
		out = append(out, c)
	case f.partNear.ID != "" && scoreOf(f.events) < eventScore && scoreOf(f.parts) >= max(partScore, nearest):
		c := f.partCandidate(f.partNear, joint)
		c.Score = nearest
		out = append(out, c)
	}
	if s := before.partsNamed; s.ID != "" {
		i := slices.IndexFunc(out, func(c talk.Candidate) bool { return c.Subject.Same(s) })
		if i < 0 {
			c := f.partCandidate(s, joint)
			c.Strength = -partScore
			i, out = len(out), append(out, c)
		}
		out[i].Before = namedStrength + scoreOf(before.parts)
	}
	return out
}

// otherParts are the parts that are no candidates yet, with how near the words come to each.
func (f found) otherParts(there []talk.Candidate, before, joint found) []talk.Candidate {
	var out []talk.Candidate
	for _, h := range f.parts {
		s := subjectOfParts(f.venue, []string{h.Passage.Document})
		if s.Title == "" || slices.ContainsFunc(slices.Concat(there, out), func(c talk.Candidate) bool {
			return slices.Contains(idsOf(c.Subject), h.Passage.Document)
		}) {
			continue
		}
		c := f.partCandidate(s, joint)
		c.Strength = min(0, c.Score-partScore)
		for _, b := range before.parts {
			if b.Passage.Document == h.Passage.Document {
				c.Before = max(c.Before, b.Score)
			}
		}
		out = append(out, c)
	}
	return out
}

// partCandidate is a part, or several that share a name, with how near the words come to it.
func (f found) partCandidate(s talk.Subject, joint found) talk.Candidate {
	c := talk.Candidate{Subject: s}
	ids := idsOf(s)
	for _, h := range f.parts {
		if slices.Contains(ids, h.Passage.Document) && h.Score > c.Score {
			c = candidateOf(h, nil, nil)
			c.Subject, c.Title = s, strings.ReplaceAll(h.Passage.Title, rag.TitleSeparator, " ")
		}
	}
	for _, h := range joint.parts {
		if slices.Contains(ids, h.Passage.Document) {
			c.Joint = max(c.Joint, h.Score)
		}
	}
	return c
}

// part are the ids of the parts that a question is about, if it is about some: of several that were
// spoken of those that the utterance itself names, if it names some.
func (f found) part(q talk.Question, said []string) []string {
	if q.Subject.Kind == talk.Part && len(said) > 0 {
		return said
	}
	var each []string
	for _, s := range q.Each {
		each = append(each, idsOf(s)...)
	}
	if len(each) > 1 {
		return each
	}
	if ids := idsOf(q.Subject); len(ids) > 0 {
		return ids
	}
	if q.SubjectFrom == talk.Inherited || q.Subject.Kind == talk.Event ||
		q.Subject.Kind == talk.Passage && q.Sure() && !slices.Contains(computed, q.Ask) {
		return nil
	}
	if best := f.strongest(); best.Subject.Kind == talk.Part && best.Strength >= 0 {
		return idsOf(best.Subject)
	}
	return nil
}

// computed are the kinds of answers that what is known of a part gives, whatever passages say.
var computed = []nlu.Ask{
	nlu.AskHowMuch, nlu.AskHowMany, nlu.AskIsOpen, nlu.AskUntilWhen, nlu.AskWhen, nlu.AskStillOn, nlu.AskWhere,
	nlu.AskCompare,
}

// onlyNearPart reports whether what the words come nearest to is a part that they do not name.
func (f found) onlyNearPart() bool {
	return f.partsNamed.ID == "" && f.strongest().Subject.Kind == talk.Part
}

// onlyParts are the parts that a question about when something is open names, where it names
// nothing else.
func (c *Concierge) onlyParts(q talk.Question, u nlu.Understanding) []string {
	if q.Ask != nlu.AskIsOpen && q.Ask != nlu.AskUntilWhen && q.Ask != nlu.AskWhen && q.Ask != nlu.AskEvents &&
		u.Intent != nlu.Event {
		return nil
	}
	ids := partsNamed(c.parts.Venue, u.Text)
	var names []string
	for _, id := range ids {
		names = append(names, c.parts.Venue.Part(id).Names("")...)
	}
	all := strings.ToLower(strings.Join(names, " "))
	rest := slices.DeleteFunc(slices.Clone(u.Keywords), func(w string) bool { return strings.Contains(all, w) })
	if len(partAnswer{rest: rest}.besides(q.Ask)) > 0 {
		return nil
	}
	return ids
}

// actScore is the score from which an act is the one that a question asks for.
const actScore = 0.45

// actAsked is what a part allows or forbids of what a question asks; ok is false where it says nothing
// of that.
func (c *Concierge) actAsked(
	ctx context.Context, p *venue.Part, text string, lang nlu.Language,
) (act venue.Text, may, ok bool, err error) {
	if len(p.Allows)+len(p.Forbids) == 0 || strings.TrimSpace(text) == "" || c.parts.Index == nil {
		return act, false, false, nil
	}
	index, err := c.actIndex(ctx, p)
	if err != nil {
		return act, false, false, err
	}
	hits, err := index.Search(ctx, rag.Query{Text: text, Lang: string(lang), Limit: 1})
	if err != nil || len(hits) == 0 || hits[0].Score < actScore {
		return act, false, false, err
	}
	for i, a := range slices.Concat(p.Allows, p.Forbids) {
		if pairOfAct(i) == hits[0].Passage.Pair {
			return a, i < len(p.Allows), true, nil
		}
	}
	return act, false, false, nil
}

func pairOfAct(i int) string { return string(rune('a' + i)) }

// actIndex is what finds the acts that a part allows and forbids. It is made when it is first needed.
func (c *Concierge) actIndex(ctx context.Context, p *venue.Part) (rag.Retriever, error) {
	if index, ok := c.acts.Load(p.ID); ok {
		return index.(rag.Retriever), nil
	}
	var passages []rag.Passage
	for i, a := range slices.Concat(p.Allows, p.Forbids) {
		for _, lang := range []string{"ja", "en"} {
			passages = append(passages, rag.Passage{
				ID: lang + pairOfAct(i), Pair: pairOfAct(i), Lang: lang, Title: a.In(lang), Text: a.In(lang),
			})
		}
	}
	index, err := c.parts.Index(context.WithoutCancel(ctx), passages)
	if err != nil {
		return nil, err
	}
	c.acts.Store(p.ID, index)
	return index, nil
}
