// Package gazetteer is a list of places inside the program: those of Japan, and elsewhere those of 5,000
// people or more, from GeoNames. It knows cities, towns and villages, and no streets, stations or sights.
//
// The one idea: the list stays one text in memory, a line for each place with all its names in the form
// of [Key], and is searched as text. It is unpacked when it is first asked (some 5 MB), and nothing has
// to be built.
package gazetteer

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"annai/internal/geo"
)

// A Place is a city, town or village.
type Place struct {
	// ID is that of GeoNames.
	ID string
	// Country is a code of ISO 3166-1, Region that of GeoNames for the first division below it.
	Country, Region string
	// Population is 0 where it is not known.
	Population int
	Location   geo.Point
	// TimeZone is a name of the IANA database.
	TimeZone string
	// Japanese may be empty; Latin never is.
	Japanese, Latin string

	keys string
}

// Name is the name in lang ("ja" or "en").
func (p Place) Name(lang string) string {
	if lang == "en" || p.Japanese == "" {
		return p.Latin
	}
	return p.Japanese
}

// Has reports whether a name is one of the place's, in the form of [Key].
func (p Place) Has(key string) bool { return strings.Contains(p.keys, ";"+key+";") }

//go:embed data/places.tsv.gz
var packed []byte

var places = sync.OnceValues(func() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", fmt.Errorf("unpack the list of places: %w", err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("unpack the list of places: %w", err)
	}
	return string(text), nil
})

// Find returns the places of a name in the form of [Key], in no order that means anything.
func Find(key string) ([]Place, error) {
	if key == "" {
		return nil, nil
	}
	return search(";" + key + ";")
}

// ByID returns the place of an id of GeoNames.
func ByID(id string) (place Place, ok bool, err error) {
	found, err := search("\t" + id + "\t")
	for _, p := range found {
		if p.ID == id {
			return p, true, nil
		}
	}
	return Place{}, false, err
}

// search returns the places in whose lines a text stands.
func search(what string) ([]Place, error) {
	all, err := places()
	if err != nil {
		return nil, err
	}
	var found []Place
	for rest := all; ; {
		at := strings.Index(rest, what)
		if at < 0 {
			return found, nil
		}
		start := strings.LastIndexByte(rest[:at], '\n') + 1
		end := at + strings.IndexByte(rest[at:], '\n')
		p, err := parse(rest[start:end])
		if err != nil {
			return nil, err
		}
		found = append(found, p)
		rest = rest[end+1:]
	}
}

func parse(line string) (Place, error) {
	f := strings.Split(line, "\t")
	if len(f) != 10 {
		return Place{}, fmt.Errorf("the list of places has a line of %d columns", len(f))
	}
	p := Place{Country: f[0], Region: f[1], ID: f[2], TimeZone: f[6], Japanese: f[7], Latin: f[8], keys: f[9]}
	var errs [3]error
	p.Population, errs[0] = strconv.Atoi(f[3])
	p.Location.Lat, errs[1] = strconv.ParseFloat(f[4], 64)
	p.Location.Lng, errs[2] = strconv.ParseFloat(f[5], 64)
	for _, err := range errs {
		if err != nil {
			return Place{}, fmt.Errorf("the list of places: %w", err)
		}
	}
	return p, nil
}

// CountryOf returns the code of the country that has a time zone; empty if none has it. A zone of several
// countries is that of the first.
func CountryOf(zone string) string {
	all, err := places()
	if err != nil || zone == "" {
		return ""
	}
	at := strings.Index(all, "\t"+zone+"\t")
	if at < 0 {
		return ""
	}
	start := strings.LastIndexByte(all[:at], '\n') + 1
	return all[start : start+2]
}

// Around returns the places at most so many metres from a point; none where the list cannot be unpacked.
func Around(at geo.Point, meters float64) []Place {
	all, err := places()
	if err != nil {
		return nil
	}
	const degree = 110_000.0 // metres of latitude
	var found []Place
	for line := range strings.Lines(all) {
		if lat, ok := latitude(line); !ok || math.Abs(lat-at.Lat)*degree > meters {
			continue
		}
		p, err := parse(strings.TrimSuffix(line, "\n"))
		if err == nil && geo.Distance(p.Location, at) <= meters {
			found = append(found, p)
		}
	}
	return found
}

// latitude reads only that of a line, which is most of the work of [Around].
func latitude(line string) (float64, bool) {
	for range 4 {
		_, behind, ok := strings.Cut(line, "\t")
		if !ok {
			return 0, false
		}
		line = behind
	}
	text, _, _ := strings.Cut(line, "\t")
	lat, err := strconv.ParseFloat(text, 64)
	return lat, err == nil
}
