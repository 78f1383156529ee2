package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/japanese"

	"annai/internal/text"
	"annai/tools/places/gazetteer"
)

// A row is a line of cities500.txt; https://download.geonames.org/export/dump/readme.txt names its columns.
type row struct {
	id, name, ascii   string
	alternates        []string
	lat, lng          float64
	feature           string
	country, region   string
	population        int
	zone              string
	ownName, ownWrong string // what corrections say
}

func parse(line string) (row, error) {
	f := strings.Split(line, "\t")
	if len(f) != 19 {
		return row{}, fmt.Errorf("a line has %d columns: %.80s", len(f), line)
	}
	r := row{
		id: f[0], name: f[1], ascii: f[2], feature: f[7], country: f[8], region: f[10], zone: f[17],
		alternates: strings.Split(f[3], ","),
	}
	var errs [3]error
	r.lat, errs[0] = strconv.ParseFloat(f[4], 64)
	r.lng, errs[1] = strconv.ParseFloat(f[5], 64)
	r.population, errs[2] = strconv.Atoi(f[14])
	for _, err := range errs {
		if err != nil {
			return row{}, fmt.Errorf("place %s: %w", r.id, err)
		}
	}
	if c, ok := corrections[r.id]; ok {
		r.ownName, r.ownWrong = c[0], c[1]
	}
	return r, nil
}

// corrections are the Japanese names of places whose alternate names are wrong, and the wrong ones.
var corrections = map[string][2]string{
	"1848254":  {"与野", "中央区"},   // the town before it became a ward of Saitama
	"11612585": {"中央市", "中央区"},  // a city of Yamanashi
	"1864155":  {"府中市", "府中町"},  // a city of Hiroshima; the town of that name is elsewhere
	"6822136":  {"東大和市", "東村山"}, // beside it
	"1863905":  {"船橋市", "本町"},   // a quarter, with the names and people of its city
	"1855207":  {"西宮市", "西宮浜"},  // the same
	"1864518":  {"調布市", "調布ヶ丘"}, // the same
	"1852383":  {"和歌山市湊", "湊"},  // a quarter
	"1850147":  {"東京", "東京都市圏"}, // the capital
	"1864624":  {"茅ヶ崎市", "茅崎市"}, // as it is written
	"2112539":  {"いわき市", "磐城市"}, // as it is written today
}

// gone are the kinds of places where nobody lives any more.
var gone = []string{"PPLH", "PPLQ", "PPLW", "PPLCH"}

// leastPeople is how many live in a place at least that is kept, outside Japan.
const leastPeople = 5000

func (r row) kept() bool {
	return !slices.Contains(gone, r.feature) && (r.country == "JP" || r.population >= leastPeople)
}

// line is the row as package gazetteer reads it.
func (r row) line() string {
	japanese := r.japaneseNames()
	names := slices.Concat(japanese, []string{r.name, r.ascii}, r.latinNames())
	var keys []string
	for _, name := range names {
		key := gazetteer.Key(name)
		if key != "" && !slices.Contains(keys, key) && !(r.country == "JP" && slices.Contains(everywhere, key)) {
			keys = append(keys, key)
		}
	}
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%.4f\t%.4f\t%s\t%s\t%s\t;%s;\n",
		r.country, r.region, r.id, r.population, r.lat, r.lng, r.zone,
		cmp.Or(r.ownName, shown(japanese)), r.name, strings.Join(keys, ";"))
}

// everywhere are names that quarters of most towns of Japan have.
var everywhere = []string{
	"本町", "ほんちょう", "ほんまち", "中町", "なかまち", "新町", "しんまち", "上町", "下町",
	"栄町", "さかえまち", "hommachi", "honmachi", "honcho",
}

// japaneseNames are the names that Japanese know the place by: all that are written in Japanese in Japan, where
// characters are used those of JIS, and elsewhere those in katakana.
func (r row) japaneseNames() []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(r.ownName)
	for _, name := range r.alternates {
		switch {
		case name == r.ownWrong || !jis(name) || !text.HasJapanese(name) || strings.ContainsFunc(name, isLatin):
		case r.country == "JP" && r.region != "40" && strings.HasSuffix(name, "区"): // wards are not in the list
		case slices.Contains([]string{"JP", "CN", "TW", "HK", "MO"}, r.country) || !strings.ContainsFunc(name, isKanji):
			add(name)
		}
	}
	return names
}

// jis reports whether all characters of a name are written in Japan, so that it is no Chinese name.
func jis(name string) bool {
	_, err := japanese.ShiftJIS.NewEncoder().String(name)
	return err == nil
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

func isKanji(r rune) bool { return unicode.Is(unicode.Han, r) }

// shown is the name to show of some: one in characters that says what it is (福岡市), else the shortest, in
// characters if there is one.
func shown(names []string) string {
	score := func(name string) int {
		n := len([]rune(name))
		if !strings.ContainsFunc(name, isKanji) {
			n += 100
		}
		if last := []rune(name)[len([]rune(name))-1]; strings.ContainsRune("市町村区", last) {
			n -= 50
		}
		return n
	}
	if len(names) == 0 {
		return ""
	}
	return slices.MinFunc(names, func(a, b string) int { return score(a) - score(b) })
}

// wellKnown is how many live in a place whose other names in Latin letters are kept.
const wellKnown = 500_000

// latinNames are its other names in Latin letters: Munich is München too. Codes of airports are none.
func (r row) latinNames() []string {
	if r.population < wellKnown {
		return nil
	}
	var names []string
	for _, name := range r.alternates {
		runes := []rune(name)
		if len(runes) > 3 && unicode.IsUpper(runes[0]) && !strings.ContainsFunc(name, notLatin) {
			names = append(names, name)
		}
	}
	return names
}

func notLatin(r rune) bool {
	return !unicode.Is(unicode.Latin, r) && r != ' ' && r != '-' && r != '\'' && r != '.'
}
