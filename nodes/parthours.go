package nodes

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/prompts"
	"annai/rag"
)

var (
	// opensPart finds words for the hours of something, untilHour a question for them that leaves out of what, and meansUs words for the venue itself.
	opensPart = regexp.MustCompile(`やって(?:い?る|い?ます|ん|い?ない)|開い|あいて|開き|開店|閉店|営業|定休|休み|何時(?:まで|から|に)|なんじ(?:まで|から)|\bopen|\bclos|\bhours\b|\bwhat time\b|\buntil when\b`)
	meansUs   = regexp.MustCompile(`ここ|こちら|こっち|建物|\byou\b|\bhere\b|\bbuilding\b`)
	untilHour = regexp.MustCompile(`何時(?:[^間]|$)|なんじ(?:[^か]|から|$)|\bwhat time\b|\buntil when\b|\bhow late\b`)
	// titlesOfHours finds titles of passages that say when something is open, or not.
	titlesOfHours = regexp.MustCompile(`営業時間|開館時間|受付時間|定休日|休館日|(?i)\bopening hours\b|\bclosed days\b|\bhours of\b`)
)

// asksHoursOfPart reports whether a question asks when a part of the venue is open: サイノは今日やってる？
func (c *Concierge) asksHoursOfPart(u nlu.Understanding) bool {
	text := openingText(u.Text)
	return opensPart.MatchString(text) && !opensElse.MatchString(text) && len(u.Keywords) > 0 && !c.aboutWhole(u)
}

// saysHour reports whether a passage names an hour.
func saysHour(h rag.Hit) bool { return namesHour.MatchString(h.Passage.Text) }

var namesHour = regexp.MustCompile(`\d{1,2}:\d{2}|\d{1,2}時[^間]|\b\d{1,2} ?[ap]\.m\.`)

// maxHours is how many passages are told of the hours of a part: when it is open, and when not.
const maxHours = 2

// lookUpHours finds the passages that say when a part of the venue is open: those with the hours in their title that name the part, or that are from the
// document quoted before, where the question leaves out which part is meant.
func (c *Concierge) lookUpHours(ctx context.Context, s State, w infoWish, now time.Time) (knowledgeEvidence, error) {
	w.Text = oneLine(w.Text+inLang(s.Understanding.Language, " 営業時間 定休日", " opening hours closed days"), maxQuestion)
	q := c.infoQuery(s, w, now)
	q.Limit = maxBeside
	found, err := c.readKnowledge(ctx, q)
	if err != nil {
		return found, err
	}
	subject := slices.DeleteFunc(slices.Clone(s.Understanding.Keywords), func(word string) bool {
		return opensPart.MatchString(word) || word == "時間" || slices.Contains(openingEnglish, word)
	})
	found.Hits = slices.DeleteFunc(found.Hits, func(h rag.Hit) bool {
		if !titlesOfHours.MatchString(h.Passage.Title) || h.Passage.Lang != string(s.Language) {
			return true
		}
		if w.Hours != "" || w.Question != "" {
			return !slices.Contains(s.Topic.documents(), documentOf(h.Passage.ID))
		}
		return !saysAny(h, subject)
	})
	if len(found.Hits) == 0 {
		return found, nil
	}
	document := documentOf(found.Hits[0].Passage.ID)
	found.Hits = slices.DeleteFunc(found.Hits, func(h rag.Hit) bool { return documentOf(h.Passage.ID) != document })
	slices.SortFunc(found.Hits, func(a, b rag.Hit) int { return strings.Compare(a.Passage.ID, b.Passage.ID) })
	found.Hits = found.Hits[:min(len(found.Hits), maxHours)]
	return found, nil
}

// saysAny reports whether a passage, its title or that of its document has one of the words.
func saysAny(h rag.Hit, words []string) bool {
	in := strings.ToLower(h.Passage.Document + " " + h.Passage.Title + " " + h.Passage.Text)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(in, word) })
}

// tellHours quotes the hours of a part of the venue, behind which day it is that was asked about.
func (c *Concierge) tellHours(s State, w infoWish, found knowledgeEvidence, now time.Time) (draft, []string) {
	d := draft{Suggestions: c.starters(s.Language), Facts: facts{Knowledge: found.Status}}
	var said []string
	for _, h := range found.Hits {
		text := sentences(h.Passage.Text)
		said = append(said, text[:min(len(text), maxSpoken)]...)
		d.Passages, d.Cards = append(d.Passages, passage(h)), append(d.Cards, passageCard(h))
	}
	d.Text = joinSentences(said, s.Language)
	d.Spoken = said
	if line := dayAsked(w, now, s.Language); line != "" {
		d.Text, d.Spoken = joinSentences([]string{line, d.Text}, s.Language), append([]string{line}, said...)
	}
	d.Grounds = c.passageGrounds(s, found.Hits)
	ids := make([]string, 0, len(found.Hits))
	for _, h := range found.Hits {
		ids = append(ids, h.Passage.ID)
	}
	return d, ids
}

// dayAsked says which day of the week it is that was asked about, where the words did not say that, or that it is a holiday.
func dayAsked(w infoWish, now time.Time, lang nlu.Language) string {
	r := w.Range
	day := r.in(now.Location()).dayTouched()
	_, named := rangeNames[r.Name]
	date := writtenDate(day, nearby(day, civil.DateOf(now)), lang)
	switch holiday := (reckoning{now: now, lang: lang}).holiday(day); {
	case day.IsZero():
	case holiday != "":
		return prompts.DateHoliday{Date: date, Holiday: holiday}.In(string(lang))
	case day == civil.DateOf(now):
		return prompts.DateIs{Words: inLang(lang, "今日", "Today"), Date: date}.In(string(lang))
	case named:
		return prompts.DateIs{Words: capital(r.words(now, lang), lang), Date: date}.In(string(lang))
	case !singleWeekday.MatchString(strings.ToLower(w.Said)):
		return prompts.DateIs{Date: date}.In(string(lang))
	}
	return ""
}

// dayTouched is the day in which all of the span lies, though it may be a part of it; zero where there is none.
func (s span) dayTouched() civil.Date {
	if first := civil.DateOf(s.Start); !s.isZero() && first == s.lastDate() {
		return first
	}
	return civil.Date{}
}
