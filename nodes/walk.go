package nodes

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"annai/internal/geo"
	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/words"
	"annai/nodes/display"
	"annai/prompts"
	"annai/rag"
	"annai/tools/directions"
	"annai/venue"
)

// answerWalk tells how long the walk to a place around the venue is, by the distance, where that is asked and
// no passage says it. ok is false elsewhere.
func (c *Concierge) answerWalk(s State, w infoWish, found knowledgeEvidence) (d draft, next topic, ok bool) {
	v := c.parts.Venue
	if !v.At.Known || s.Question.Ask == nlu.AskHowMuch {
		return d, next, false
	}
	own := text.Fold(s.Turn.Query)
	place, names, spoken := walkTo(v, own)
	if !spoken { // そこまで歩いて？
		place, names, _ = walkTo(v, strings.ToLower(w.Text))
	}
	if place == nil {
		return d, next, false
	}
	asked := own
	rest := strings.TrimSpace(withoutNames(own, place))
	if utf8.RuneCountInString(rest) <= maxFollow && !asksWalk(own, place) {
		asked = strings.ToLower(s.Topic.Question) // 博多駅までは？
	}
	if !asksWalk(asked, place) || statesWalk(found.Hits, names, hasWalkWord(asked, words.WalkOnFoot)) {
		return d, next, false
	}
	said := walkInWords(v, place, string(s.Language))
	d = draft{
		Text: said, Spoken: display.Sentences(said), Suggestions: c.starters(s.Language),
		Facts: facts{Knowledge: statusOK},
	}
	if found.Status == statusError { // the distance is known all the same
		d.Facts.Knowledge = statusError
	}
	return d, topic{Node: nodeInfo, Question: asked}, true
}

// walkInWords says how long the walk from the venue to a place is, or how far it is where nobody walks that.
func walkInWords(v *venue.Venue, place *venue.Place, lang string) string {
	name := place.Name.In(lang)
	way, ok := directions.Estimate(directions.Trip{From: v.At.Point, To: place.At.Point, Mode: directions.Walking})
	if !ok {
		return prompts.AnswerTooFar{Place: name, Meters: int(away(v, place))}.In(lang)
	}
	meters := (way.Meters + metersStep/2) / metersStep * metersStep
	return prompts.AnswerWalk{Place: name, Minutes: max(1, way.Minutes()), Meters: meters}.In(lang)
}

// maxFollow is how many letters of a question that only names another place are not that name.
const maxFollow = 6

// metersStep is how finely the length of a walk is told.
const metersStep = 50

func hasWalkWord(low, kind string) bool { return mentions(low, words.Walk()[kind]) }

// asksWalk reports whether a question about a place asks how far it is, or how long the walk is.
func asksWalk(low string, place *venue.Place) bool {
	low = withoutNames(low, place) // 車 is in 地下鉄車両基地前駅
	switch {
	case hasWalkWord(low, words.WalkOnFoot):
		return true
	case hasWalkWord(low, words.WalkRide):
		return false
	}
	return hasWalkWord(low, words.WalkFar) || hasWalkWord(low, words.WalkLong)
}

func withoutNames(low string, place *venue.Place) string {
	for _, name := range lowered(place.Names()) {
		low = strings.ReplaceAll(low, name, " ")
	}
	return low
}

// walkTo is the place that a text names, or the nearest station where it only says the station, and what
// passages about it call it. It is nil where the text names an area, two places or none; spoken is false for the last.
func walkTo(v *venue.Venue, low string) (place *venue.Place, names []string, spoken bool) {
	named := placesNamed(v, low)
	switch {
	case len(named) == 1 && !named[0].Area:
		return named[0], named[0].Names(), true
	case len(named) > 0:
		return nil, nil, true
	case !hasWalkWord(low, words.WalkStation):
		return nil, nil, false
	}
	var nearest *venue.Place
	for i := range v.Places {
		p := &v.Places[i]
		if isStation(p) && (nearest == nil || away(v, p) < away(v, nearest)) {
			nearest = p
		}
	}
	return nearest, words.Walk()[words.WalkStation], true
}

func isStation(p *venue.Place) bool {
	return !p.Area && hasWalkWord(strings.ToLower(strings.Join(p.Names(), " ")), words.WalkStation)
}

func away(v *venue.Venue, p *venue.Place) float64 { return geo.Distance(v.At.Point, p.At.Point) }

// placesNamed are the places that a text in lower case names. Where names overlap the longest counts.
func placesNamed(v *venue.Venue, low string) []*venue.Place {
	type match struct {
		from, until int
		place       *venue.Place
	}
	var found []match
	for i := range v.Places {
		for _, name := range v.Places[i].Names() {
			name = strings.ToLower(name)
			if from := whereNamed(low, name); from >= 0 {
				found = append(found, match{from, from + len(name), &v.Places[i]})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.until-b.from, a.until-a.from) })
	var kept []match
	var out []*venue.Place
	for _, m := range found {
		if slices.ContainsFunc(kept, func(k match) bool { return m.from < k.until && k.from < m.until }) {
			continue
		}
		kept = append(kept, m)
		if !slices.Contains(out, m.place) {
			out = append(out, m.place)
		}
	}
	return out
}

// statesWalk reports whether a passage says how far something of these names is: one that has minutes and,
// where the question is about walking, the walk.
func statesWalk(hits []rag.Hit, names []string, onFoot bool) bool {
	return slices.ContainsFunc(hits, func(h rag.Hit) bool {
		low := strings.ToLower(h.Passage.Title + " " + h.Passage.Text)
		if onFoot && !hasWalkWord(low, words.WalkOnFoot) {
			return false
		}
		_, minutes := states(h.Passage.Text, nlu.AskHowLong)
		return minutes && mentions(low, lowered(names))
	})
}

func lowered(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.ToLower(name)
	}
	return out
}
