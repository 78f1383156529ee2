package places

import (
	"slices"
	"strings"
	"unicode"

	"annai/internal/geo"
	"annai/tools/places/gazetteer"
)

// japaneseAddress finds the city that an address begins with, 福岡県福岡市… or 福岡市…, or the ward of Tokyo's.
func (s *search) japaneseAddress(written string) Found {
	rest := withoutPostcode(strings.TrimPrefix(written, "日本"))
	var within *gazetteer.Region
	if prefecture, behind, ok := gazetteer.PrefectureBefore(rest); ok {
		within, rest = &prefecture, strings.TrimSpace(behind)
		if found, ok := s.named(rest, within); ok {
			return found
		}
	}
	letters := []rune(rest)
	for end := min(len(letters)-1, maxMunicipality); end > 1; end-- { // the longest head first: 四日市市 before 四日市
		if !strings.ContainsRune(municipal+"区", letters[end-1]) && !unicode.IsSpace(letters[end]) {
			continue
		}
		head, tail := string(letters[:end]), strings.TrimSpace(string(letters[end:]))
		if found, ok := s.named(head, within); ok {
			return s.closer(found, tail)
		}
	}
	return Found{}
}

// maxMunicipality is how many letters the name of a municipality has at most.
const maxMunicipality = 12

// withoutPostcode cuts 〒810-0001 from the beginning.
func withoutPostcode(address string) string {
	return strings.TrimLeftFunc(address, func(r rune) bool {
		return r == '〒' || r == '-' || unicode.IsDigit(r) || unicode.IsSpace(r) || r == ','
	})
}

// latinAddress finds the city in an address whose parts are set off by commas, the larger behind the smaller:
// 123 Main St, San Francisco, CA 94103. Where there are no commas, the last word may be a region.
func (s *search) latinAddress(written string) Found {
	parts := strings.Split(written, ",")
	if len(parts) == 1 {
		at := strings.LastIndexByte(strings.TrimSpace(written), ' ')
		if at < 0 || len(gazetteer.Regions(strings.TrimSpace(written)[at+1:])) == 0 {
			return Found{}
		}
		parts = []string{strings.TrimSpace(written)[:at], strings.TrimSpace(written)[at+1:]}
	}
	for i, part := range parts[:min(len(parts), maxParts)] {
		rows := slices.DeleteFunc(s.find(gazetteer.Key(part)), func(p gazetteer.Place) bool {
			return s.q.Region != "" && p.Country != s.q.Region || !explained(p, parts[i+1:])
		})
		if found, ok := s.choose(rows); ok {
			return s.closer(found, strings.TrimSpace(strings.Join(parts[:i], ",")))
		}
	}
	return Found{}
}

// maxParts is how many parts of an address are looked at.
const maxParts = 8

// explained reports whether all parts behind the name of a place are regions that it is in, or postcodes.
func explained(p gazetteer.Place, behind []string) bool {
	for _, part := range behind {
		number := func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }
		name := strings.Join(slices.DeleteFunc(strings.Fields(part), number), " ")
		holds := func(r gazetteer.Region) bool { return r.Holds(p) }
		if name != "" && !slices.ContainsFunc(gazetteer.Regions(name), holds) {
			return false
		}
	}
	return true
}

// closer returns what was found with the rest of the address, which an area of the venue may be: 中央区天神1丁目 is
// in the venue's 中央区.
func (s *search) closer(found Found, rest string) Found {
	if found.Place == nil || rest == "" {
		return found
	}
	found.Place.Precision = Partial
	found.Rest += rest
	key := gazetteer.Key(found.Rest)
	longest := 0
	for _, o := range s.e.own {
		for _, name := range o.keys {
			inside := o.area && geo.Distance(o.at, found.Place.Location) <= nearCity
			if inside && len(name) > longest && strings.HasPrefix(key, name) {
				longest = len(name)
				place := s.e.place(o, s.q.Language)
				found = Found{Place: &place}
				if name != key {
					place.Precision, found.Rest = Partial, strings.TrimPrefix(rest, o.name.JA)
				}
			}
		}
	}
	return found
}
