package places

import (
	"context"
	"strings"

	"annai/internal/geo"
	"annai/tools/places/gazetteer"
	"annai/venue"
)

// Embedded is the part that needs no service: the venue's own places, and the list inside the program.
type Embedded struct {
	venue *venue.Venue
	own   []own
}

// An own place is one that the venue's file names, or the venue itself.
type own struct {
	id            string
	name, address venue.Text
	at            geo.Point
	area          bool
	// keys are its names in the form of [gazetteer.Key], bare the same without what says its kind.
	keys, bare []string
}

// NewEmbedded returns the embedded part at a venue.
func NewEmbedded(v *venue.Venue) *Embedded {
	e := &Embedded{venue: v}
	if v.At.Known {
		here := own{id: "here", name: v.Name, address: v.Address, at: v.At.Point}
		here.setNames(v.Name.JA, v.Name.EN, v.Address.JA, v.Address.EN)
		e.own = append(e.own, here)
	}
	for i := range v.Places {
		p := &v.Places[i]
		o := own{id: p.ID, name: p.Name, address: p.Address, at: p.At.Point, area: p.Area}
		o.setNames(p.Names()...)
		e.own = append(e.own, o)
	}
	return e
}

func (o *own) setNames(names ...string) {
	for _, name := range names {
		if key := gazetteer.Key(name); key != "" {
			o.keys, o.bare = append(o.keys, key), append(o.bare, withoutKind(key))
		}
	}
}

// kinds are the ends of names that say of what kind a place is and that people leave out.
var kinds = []string{"駅", "station", "えき", "stn"}

// withoutKind is a key without what says its kind: 天神 of 天神駅.
func withoutKind(key string) string {
	for _, kind := range kinds {
		if rest, ok := strings.CutSuffix(key, kind); ok && rest != "" {
			return rest
		}
	}
	return key
}

// Resolve finds a place without a service. See [Resolver].
func (e *Embedded) Resolve(_ context.Context, q Query) (Found, error) {
	if found, ok := e.Own(q); ok {
		return found, nil
	}
	return e.listed(q)
}

// Own finds a place of the venue's file. ok is false where none has the name.
func (e *Embedded) Own(q Query) (found Found, ok bool) {
	if q.Region != "" && q.Region != e.country() {
		return Found{}, false
	}
	key := gazetteer.Key(q.Text)
	for _, namesOf := range []func(own) bool{
		func(o own) bool { return contains(o.keys, key) },
		func(o own) bool { return contains(o.bare, withoutKind(key)) },
	} {
		var fit []Place
		for _, o := range e.own {
			if namesOf(o) {
				fit = append(fit, e.place(o, q.Language))
			}
		}
		switch len(fit) {
		case 0:
		case 1:
			return Found{Place: &fit[0]}, true
		default:
			return Found{Candidates: fit}, true
		}
	}
	return Found{}, false
}

func contains(keys []string, key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

func (e *Embedded) place(o own, lang string) Place {
	p := Place{
		ID: "venue:" + o.id, Name: o.name.In(lang), Address: o.address.In(lang), Location: o.at,
		TimeZone: e.venue.Timezone, Precision: Exact,
	}
	if p.Address == "" {
		p.Address = p.Name
	}
	if o.area {
		p.Precision = Area
	}
	return p
}

// country is the code of the country that the venue is in, told from its time zone; empty where that says none.
func (e *Embedded) country() string { return gazetteer.CountryOf(e.venue.Timezone) }
