package places

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"annai/internal/geo"
	"annai/internal/text"
	"annai/tools"
)

// The values of the field backend.
const (
	backendEmbedded = "embedded"
	// BackendGoogle is a place that Google Places found.
	BackendGoogle = "google"
)

// An Answer is what places_resolve answers: a place, or null; or, for who asks for candidates, why there is
// none.
type Answer struct {
	Place *Resolved
	Why   *Unresolved
}

// Resolved is a place.
type Resolved struct {
	// PlaceID is "venue:…", "geonames:…", or Google's.
	PlaceID          string    `json:"placeId" jsonschema:"The venue's, GeoNames' or Google's name for it."`
	FormattedAddress string    `json:"formattedAddress"`
	Location         geo.Point `json:"location"`
	Name             string    `json:"name,omitempty"`
	TimeZone         string    `json:"timeZone,omitempty" jsonschema:"Such as Asia/Tokyo, where it is known."`
	// Precision says what Location is; with Partial the rest of the query is somewhere around.
	Precision Precision `json:"precision" enum:"place,area,partial" jsonschema:"partial: only the town was found."`
	// Backend is embedded for the venue's own places and the list inside the program.
	Backend string `json:"backend" enum:"embedded,google"`
	Message string `json:"message" jsonschema:"A sentence that says so, in the caller's language."`
}

// Unresolved says why there is no place.
type Unresolved struct {
	// Candidates is empty, not nil, where nothing has the name.
	Candidates []Candidate `json:"candidates" jsonschema:"Places that fit equally well; none where nothing fits."`
	Backend    string      `json:"backend" enum:"embedded,google"`
	Message    string      `json:"message" jsonschema:"A sentence that says so, in the caller's language."`
}

// A Candidate is a place that may be meant.
type Candidate struct {
	PlaceID          string    `json:"placeId"`
	FormattedAddress string    `json:"formattedAddress"`
	Location         geo.Point `json:"location"`
	Name             string    `json:"name,omitempty"`
	Precision        Precision `json:"precision" enum:"place,area,partial"`
}

// MarshalJSON writes the place, why there is none, or null.
func (a Answer) MarshalJSON() ([]byte, error) {
	switch {
	case a.Place != nil:
		return plain(a.Place)
	case a.Why != nil:
		return plain(a.Why)
	}
	return []byte("null"), nil
}

// plain writes JSON with its letters as they are.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return b.Bytes(), err
}

// Choices returns the types of which an answer may be. See [tools.Choice].
func (Answer) Choices() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Resolved](), reflect.TypeFor[Unresolved](), reflect.TypeFor[tools.Null]()}
}

// answer returns what was found as it is answered; candidates says that null is not enough.
func answer(found Found, q Query, backend string, candidates bool) Answer {
	if p := found.Place; p != nil {
		r := &Resolved{
			PlaceID: p.ID, FormattedAddress: p.Address, Location: p.Location, Name: p.Name, TimeZone: p.TimeZone,
			Precision: p.Precision, Backend: backend,
		}
		r.Message = pick(q.Language,
			fmt.Sprintf("「%s」は、%sです。", shown(q.Text), shown(p.Address)),
			fmt.Sprintf("%q is %s.", shown(q.Text), shown(p.Address)))
		if p.Precision == Partial {
			r.Message = pick(q.Language,
				fmt.Sprintf("「%s」は一覧になく、%sの中ほどの位置です。", shown(found.Rest), p.Name),
				fmt.Sprintf("%q is not in the list: this is the middle of %s.", shown(found.Rest), p.Name))
		}
		return Answer{Place: r}
	}
	if !candidates {
		return Answer{}
	}
	why := &Unresolved{Candidates: []Candidate{}, Backend: backend}
	var named []string
	for _, c := range found.Candidates {
		why.Candidates = append(why.Candidates, Candidate{
			PlaceID: c.ID, FormattedAddress: c.Address, Location: c.Location, Name: c.Name, Precision: c.Precision,
		})
		named = append(named, c.Address)
	}
	asked := shown(q.Text)
	why.Message = pick(q.Language,
		fmt.Sprintf("「%s」がどこか、分かりませんでした。", asked),
		fmt.Sprintf("I could not find out where %q is.", asked))
	if len(named) > 0 {
		ja := "「%s」は、%sのどれか分かりません。都道府県や市の名前を添えてください。"
		en := "%q may be any of these: %s. Please add a city, state or country."
		why.Message = pick(q.Language,
			fmt.Sprintf(ja, asked, strings.Join(named, "、")), fmt.Sprintf(en, asked, strings.Join(named, "; ")))
	}
	return Answer{Why: why}
}

// maxShown is how many letters of a query are repeated to whoever gave it.
const maxShown = 60

// shown is a text of the caller as it can be repeated: one line, and no markup.
func shown(s string) string {
	return text.OneLine(strings.NewReplacer("[", "", "]", "").Replace(s), maxShown)
}

func pick(lang, ja, en string) string {
	if lang == "en" {
		return en
	}
	return ja
}
