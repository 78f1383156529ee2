package gazetteer

import (
	_ "embed"
	"strings"
	"sync"
)

// A Region is a country, or the first division below one: a prefecture, a state.
type Region struct {
	// Country is a code of ISO 3166-1. Code is that of GeoNames for the division, empty for a country.
	Country, Code     string
	English, Japanese string

	keys [2]string // of the two names
}

// Name is the name in lang ("ja" or "en").
func (r Region) Name(lang string) string {
	if lang == "en" {
		return r.English
	}
	return r.Japanese
}

// Holds reports whether a place is in the region.
func (r Region) Holds(p Place) bool {
	return r.Country == p.Country && (r.Code == "" || r.Code == p.Region)
}

var (
	// countriesText has the names of countries from the Unicode CLDR.
	//
	//go:embed data/countries.tsv
	countriesText string
	// regionsText has the prefectures of Japan, the states of the United States and some more.
	//
	//go:embed data/regions.tsv
	regionsText string
	// wardsText has the wards of the cities of Japan that have some (2024), and of Tokyo.
	//
	//go:embed data/wards.tsv
	wardsText string
)

var regions = sync.OnceValue(func() []Region {
	var all []Region
	for line := range strings.Lines(countriesText) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		all = append(all, newRegion(f[0], "", f[1], f[2]))
	}
	for line := range strings.Lines(regionsText) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		all = append(all, newRegion(f[0], f[1], f[2], f[3]))
	}
	return all
})

func newRegion(country, code, english, japanese string) Region {
	return Region{
		Country: country, Code: code, English: english, Japanese: japanese,
		keys: [2]string{Key(english), Key(japanese)},
	}
}

// shortCountries are names of countries that people write and the CLDR has longer.
var shortCountries = map[string]string{"usa": "US", "uk": "GB", "あめりか": "US", "米国": "US", "英国": "GB"}

// Regions returns the countries and divisions of a name in Latin letters or Japanese, or of a code: CA is
// Canada and California.
func Regions(name string) []Region {
	key, code := Key(name), strings.ToUpper(strings.TrimSpace(name))
	if key == "" {
		return nil
	}
	var found []Region
	for _, r := range regions() {
		country := r.Code == "" && (code == r.Country || shortCountries[key] == r.Country)
		state := r.Country == "US" && code == r.Code
		if country || state || r.keys[0] == key || r.keys[1] == key {
			found = append(found, r)
		}
	}
	return found
}

// RegionsOf returns the division, if it has a name here, and the country that a place is in.
func RegionsOf(p Place) (found []Region) {
	for _, r := range regions() {
		if r.Country == p.Country && r.Code != "" && r.Code == p.Region {
			found = append(found, r)
		}
	}
	for _, r := range regions() {
		if r.Country == p.Country && r.Code == "" {
			found = append(found, r)
		}
	}
	return found
}

// PrefectureBefore cuts the name of a prefecture from the beginning of an address of Japan.
func PrefectureBefore(address string) (prefecture Region, rest string, ok bool) {
	for _, r := range regions() {
		if rest, ok := strings.CutPrefix(address, r.Japanese); ok && r.Country == "JP" && r.Code != "" {
			return r, rest, true
		}
	}
	return Region{}, address, false
}

// A Ward is a ward of a city of Japan. It is not in the list of places: only its city is.
type Ward struct {
	// Name is 中央区, City 福岡市, or 東京都 for the special wards.
	Name, City string
	// CityID is that of the city in the list of places.
	CityID string

	key string
}

var wards = sync.OnceValue(func() []Ward {
	var all []Ward
	for line := range strings.Lines(wardsText) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		for name := range strings.SplitSeq(f[2], " ") {
			all = append(all, Ward{Name: name, City: f[0], CityID: f[1], key: Key(name)})
		}
	}
	return all
})

// Wards returns the wards of a name: twelve for 中央区.
func Wards(name string) (found []Ward) {
	key := Key(name)
	for _, w := range wards() {
		if w.key == key {
			found = append(found, w)
		}
	}
	return found
}
