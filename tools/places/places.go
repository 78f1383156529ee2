// Package places tells what place a text means: its address and where on the earth it is.
//
// The one idea: a wrong place is worse than none. The venue's own places come first, then a service if one is
// configured, then the list inside the program; and where several places fit a name equally well, none is
// chosen and all are named. The package knows no HTTP and no service's protocol.
package places

import (
	"context"
	"fmt"
	"strings"

	"annai/fault"
	"annai/internal/geo"
	"annai/tools"
	"annai/tools/places/gazetteer"
)

// A Query asks for a place.
type Query struct {
	// Text is a name or an address, in Japanese or in Latin letters.
	Text string
	// Region is a country (ISO 3166-1 alpha-2, in capitals) that the place is in; empty: any.
	Region string
	// Language is that of names and addresses in the answer, "ja" or "en".
	Language string
}

// Precision says what the location of a [Place] is. It is a closed set.
type Precision string

// The values of [Precision].
const (
	// Exact is the place itself.
	Exact Precision = "place"
	// Area is the middle of a town, a city or a ward, and that is what was asked for.
	Area Precision = "area"
	// Partial is the middle of an area within which the rest of what was asked for lies.
	Partial Precision = "partial"
)

// A Place is what a text means.
type Place struct {
	// ID is "venue:…", "geonames:…", or what the service calls it.
	ID string
	// Name may be empty.
	Name, Address string
	Location      geo.Point
	// TimeZone is a name of the IANA database; empty where it is not known.
	TimeZone  string
	Precision Precision
}

// Found is the answer to a [Query]: a place, or none, and then perhaps several that it may be.
type Found struct {
	Place *Place
	// Rest is what of the text the place does not say, where it is [Partial].
	Rest string
	// Candidates are places that fit equally well. There are none where there is a Place.
	Candidates []Place
}

// A Resolver finds places. What it does not find is no error; its errors wrap the kinds of package fault. It
// may be used concurrently.
type Resolver interface {
	Resolve(ctx context.Context, q Query) (Found, error)
}

// maxText is how many letters a query has at most.
const maxText = 300

// check returns the query with its region in capitals. One that can't be answered is a [*tools.Refusal].
func (q Query) check() (Query, error) {
	q.Text, q.Region = strings.TrimSpace(q.Text), strings.ToUpper(strings.TrimSpace(q.Region))
	switch {
	case gazetteer.Key(q.Text) == "":
		return q, invalid("「query」には、場所の名前か住所を入れてください。",
			`"query" must name a place or an address.`)
	case len([]rune(q.Text)) > maxText:
		return q, invalid(fmt.Sprintf("「query」は %d 文字までです。", maxText),
			fmt.Sprintf(`"query" may have up to %d letters.`, maxText))
	case q.Region != "" && !isCountry(q.Region):
		return q, invalid("「regionCode」は JP や US のような国のコードで指定してください。",
			`"regionCode" must be the code of a country, such as JP or US.`)
	}
	return q, nil
}

func isCountry(code string) bool {
	if len(code) != 2 {
		return false
	}
	for _, r := range gazetteer.Regions(code) {
		if r.Code == "" {
			return true
		}
	}
	return false
}

func invalid(ja, en string) error { return &tools.Refusal{Kind: fault.ErrInvalid, JA: ja, EN: en} }
