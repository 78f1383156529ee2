package places

import (
	"slices"
	"strings"

	"annai/internal/geo"
	"annai/internal/kana"
	"annai/internal/text"
	"annai/tools/places/gazetteer"
)

// listed finds a place in the list inside the program: the whole text as a name, then as an address of which
// the list knows the city.
func (e *Embedded) listed(q Query) (Found, error) {
	s := search{e: e, q: q}
	if found, ok := s.named(q.Text, nil); ok || s.err != nil {
		return found, s.err
	}
	written := text.Fold(q.Text)
	if text.HasJapanese(written) {
		return s.japaneseAddress(written), s.err
	}
	return s.latinAddress(q.Text), s.err
}

// A search is one query for the list. err is that of the list itself.
type search struct {
	e   *Embedded
	q   Query
	err error
}

// named finds the place of a name within a region, if one is given. ok is false where there is none.
func (s *search) named(name string, within *gazetteer.Region) (found Found, ok bool) {
	fits := func(p gazetteer.Place) bool {
		return (s.q.Region == "" || p.Country == s.q.Region) && (within == nil || within.Holds(p))
	}
	if found, ok := s.ward(name, fits); ok {
		return found, true
	}
	var rows []gazetteer.Place
	for _, p := range s.spellings(gazetteer.Key(name)) {
		if fits(p) {
			rows = append(rows, p)
		}
	}
	return s.choose(rows)
}

// municipal are the ends of the names of municipalities of Japan, which are often left out.
const municipal = "市町村"

// spellings are the places of a name, with or without what says of what kind a municipality it is: 羽村市 is 羽村
// in the list. A place that the list calls otherwise (大津市) is not taken for 大津町.
func (s *search) spellings(key string) []gazetteer.Place {
	rows := s.find(key)
	letters := []rune(key)
	last := len(letters) - 1
	if last < 1 || !strings.ContainsRune(municipal, letters[last]) {
		if len(rows) == 0 {
			rows = s.spoken(key)
		}
		return rows
	}
	stem := string(letters[:last])
	for _, p := range s.find(stem) {
		otherwise := strings.ContainsFunc(municipal, func(end rune) bool {
			return end != letters[last] && p.Has(stem+string(end))
		})
		if p.Country == "JP" && !otherwise && !slices.Contains(rows, p) {
			rows = append(rows, p)
		}
	}
	return rows
}

// spoken are the places of Japan of a name in kana whose names the list has in Latin letters.
func (s *search) spoken(key string) []gazetteer.Place {
	if strings.ContainsFunc(key, func(r rune) bool { return text.ScriptOf(r) != text.Hiragana && r != 'ー' }) {
		return nil
	}
	letters := strings.NewReplacer("ou", "o", "oo", "o", "uu", "u").Replace(kana.Romaji(key))
	return slices.DeleteFunc(s.find(letters), func(p gazetteer.Place) bool { return p.Country != "JP" })
}

func (s *search) find(key string) []gazetteer.Place {
	rows, err := gazetteer.Find(key)
	if err != nil {
		s.err = err
	}
	return rows
}

// nearCity is how far from a city a venue may be whose visitors mean a ward of that city, in metres.
const nearCity = 30_000

// ward finds the city of a ward: of that name alone, or the one that the venue is in. The list has no wards,
// so that it is a part of what was asked for. ok is false where the name is not that of a ward.
func (s *search) ward(name string, fits func(gazetteer.Place) bool) (found Found, ok bool) {
	wards := gazetteer.Wards(name)
	if len(wards) == 0 || len(wards) == 1 && len(s.find(gazetteer.Key(name))) > 0 { // a ward that is in the list
		return Found{}, false
	}
	var fit, full, near []Place
	for _, w := range wards {
		city, there, err := gazetteer.ByID(w.CityID)
		if err != nil {
			s.err = err
		}
		if !there || !fits(city) {
			continue
		}
		p := s.place(city)
		p.Precision = Partial
		fit, full = append(fit, p), append(full, s.wardPlace(p, w))
		if here := s.e.venue.At; here.Known && geo.Distance(here.Point, city.Location) <= nearCity {
			near = append(near, p)
		}
	}
	if len(near) == 1 {
		fit = near
	}
	switch len(fit) {
	case 0:
		return Found{}, false
	case 1:
		return Found{Place: &fit[0], Rest: name}, true
	}
	return Found{Candidates: full}, true
}

// wardPlace is the ward of a city as a candidate: 札幌市中央区.
func (s *search) wardPlace(city Place, w gazetteer.Ward) Place {
	if s.q.Language == "en" {
		city.Name, city.Address = w.Name+", "+city.Name, w.Name+", "+city.Address
		return city
	}
	prefecture := strings.TrimSuffix(city.Address, city.Name)
	if city.Address == w.City { // 東京都
		prefecture = ""
	}
	city.Name = w.City + w.Name
	city.Address = prefecture + city.Name
	return city
}

// place is a place of the list as it is answered.
func (s *search) place(p gazetteer.Place) Place {
	return Place{
		ID: "geonames:" + p.ID, Name: p.Name(s.q.Language), Address: address(p, s.q.Language), Location: p.Location,
		TimeZone: p.TimeZone, Precision: Area,
	}
}

// address names a place with its region and country: 福岡県福岡市, "San Francisco, California, United States".
func address(p gazetteer.Place, lang string) string {
	parts := []string{p.Name(lang)}
	for _, r := range gazetteer.RegionsOf(p) {
		home := lang == "ja" && p.Country == "JP" // where nobody names the country
		if name := r.Name(lang); !(home && r.Code == "") && name != parts[0] {
			parts = append(parts, name)
		}
	}
	if lang == "en" {
		return strings.Join(parts, ", ")
	}
	slices.Reverse(parts)
	if p.Country != "JP" {
		return strings.Join(parts, " ")
	}
	if len(parts) == 2 && strings.TrimRight(parts[0], "都") == parts[1] { // 東京都東京
		return parts[0]
	}
	return strings.Join(parts, "")
}
