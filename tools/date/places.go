package date

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A Place is a city, or a country with one time, by its names and its zone.
type Place struct {
	English  string `json:"english"`
	Japanese string `json:"japanese"`
	// Zone is a name of the IANA database, such as "Europe/London".
	Zone string `json:"zone"`
}

// placesText has a line for each place: its zone, then its names in English and in Japanese, of which the first are said.
//
//go:embed places.txt
var placesText string

type places struct {
	byName map[string]Place
	names  *regexp.Regexp
}

var known = sync.OnceValue(func() places {
	p := places{byName: map[string]Place{}}
	var english, japanese []string
	for line := range strings.Lines(placesText) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		en, ja := strings.Split(fields[1], ","), strings.Split(fields[2], ",")
		for _, name := range en {
			p.byName[strings.ToLower(name)] = Place{en[0], ja[0], fields[0]}
			english = append(english, regexp.QuoteMeta(strings.ToLower(name)))
		}
		for _, name := range ja {
			p.byName[name] = Place{en[0], ja[0], fields[0]}
			japanese = append(japanese, name)
		}
	}
	// Names of two kana are words or parts of words too (タイムゾーン): nothing of katakana may stand beside them.
	p.names = regexp.MustCompile(`(?:^|[^\p{Latin}])(` + strings.Join(english, "|") + `)(?:[^\p{Latin}]|$)|(?:^|[^\p{Katakana}ー])(` + strings.Join(japanese, "|") + `)(?:[^\p{Katakana}ー]|$)`)
	p.names.Longest()
	return p
})

// PlaceIn is the first place that a text names, in either language, and whose zone is not that of now.
func PlaceIn(text string, now time.Time) (place Place, ok bool) {
	p := known()
	text = strings.ToLower(text)
	for {
		at := p.names.FindStringSubmatchIndex(text)
		if at == nil {
			return Place{}, false
		}
		from, to := at[2], at[3]
		if from < 0 {
			from, to = at[4], at[5]
		}
		if place := p.byName[text[from:to]]; place.Zone != now.Location().String() {
			return place, true
		}
		text = text[to:]
	}
}
