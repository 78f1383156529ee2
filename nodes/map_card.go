package nodes

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"annai/nlu"
	"annai/nodes/display"
	"annai/nodes/talk"
	"annai/prompts"
	"annai/venue"
)

// What a sketch of the surroundings shows: so many places that are so near, in metres, and those that were named.
const (
	maxSketched = 4
	sketchNear  = 1500
	// sketchStep is how finely distances are told. How long a walk takes is told by passages, whose way
	// is the real one.
	sketchStep = 10
)

// mapCard is a sketch of where the venue lies among the places around it, for whoever asks the way. ok is false where
// that is not asked, or the venue file has no locations.
func (c *Concierge) mapCard(s State, d draft) (card display.Card, ok bool) {
	v := c.parts.Venue
	inside := func(about talk.Subject) bool { return about.Kind == talk.Part || about.Kind == talk.Event }
	if s.Question.Ask != nlu.AskHowToGet || slices.ContainsFunc(d.About, inside) || !v.At.Known {
		return display.Card{}, false
	}
	lang := string(s.Language)
	card = display.Card{Type: "map", Title: cmp.Or(v.Address.In(lang), v.Name.In(lang))}
	for _, place := range sketched(v, strings.ToLower(s.Turn.Query)) {
		meters := int(math.Round(away(v, place)/sketchStep)) * sketchStep
		card.Rows = append(card.Rows, display.Field{
			Label: place.Name.In(lang), Value: prompts.MapDistance{Meters: meters}.In(lang),
		})
		card.Points = append(card.Points, pointFrom(v, place))
	}
	return card, len(card.Rows) > 0
}

// sketched are the places that a sketch shows, those that the question names first.
func sketched(v *venue.Venue, low string) []*venue.Place {
	named := placesNamed(v, low)
	var near []*venue.Place
	for i := range v.Places {
		p := &v.Places[i]
		if !slices.Contains(named, p) && away(v, p) <= sketchNear {
			near = append(near, p)
		}
	}
	slices.SortStableFunc(near, func(a, b *venue.Place) int { return cmp.Compare(away(v, a), away(v, b)) })
	all := slices.DeleteFunc(append(named, near...), func(p *venue.Place) bool { return p.Area || !p.At.Known })
	return all[:min(len(all), maxSketched)]
}

// pointFrom is where a place is from the venue, in metres. Over some kilometres the earth is flat.
func pointFrom(v *venue.Venue, place *venue.Place) display.MapPoint {
	const metres = 111_195 // of a degree of latitude
	from, to := v.At.Point, place.At.Point
	return display.MapPoint{
		East:  int(math.Round((to.Lng - from.Lng) * metres * math.Cos(from.Lat*math.Pi/180))),
		North: int(math.Round((to.Lat - from.Lat) * metres)),
	}
}
