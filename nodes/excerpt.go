package nodes

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"annai/nlu"
	"annai/prompts"
	"annai/rag"
)

// A row is a line of a price list that a passage has as prose: what it costs from one hour to another.
type row struct {
	From, Until minutes
	When        string // as the passage has it
	Amount      string
	Yen         int
}

// minRows is how many rows make a list, of which one line is told and not all.
const minRows = 3

var (
	japaneseRow = regexp.MustCompile(`(\d{1,2})時から(\d{1,2})時(?:まで)?は([\d,]+円)`)
	englishRow  = regexp.MustCompile(`(?i)from (\d{1,2}(?: ?[ap]\.m\.| noon| midnight)?) to (\d{1,2}(?: ?[ap]\.m\.| noon| midnight))(?: it costs ([\d,]+ yen))?`)
	amountWords = regexp.MustCompile(`([\d,]+ yen) $`)
)

// rowsOf are the rows of a price list in a passage, none if it is no list, and the sentences before them.
func rowsOf(h rag.Hit) (lead []string, rows []row) {
	read := japaneseRows
	if h.Passage.Lang == string(nlu.English) {
		read = englishRows
	}
	for _, s := range sentences(h.Passage.Text) {
		found := read(s)
		if len(found) == 0 && len(rows) == 0 {
			lead = append(lead, s)
		}
		rows = append(rows, found...)
	}
	if len(rows) < minRows {
		return nil, nil
	}
	return lead, rows
}

func japaneseRows(s string) []row {
	var rows []row
	for _, m := range japaneseRow.FindAllStringSubmatch(s, -1) {
		from, _ := strconv.Atoi(m[1])
		until, _ := strconv.Atoi(m[2])
		rows = append(rows, row{minutes(60 * from), minutes(60 * until), m[1] + "時から" + m[2] + "時", m[3], digits(m[3])})
	}
	return rows
}

func englishRows(s string) []row {
	var rows []row
	for _, m := range englishRow.FindAllStringSubmatchIndex(s, -1) {
		amount := ""
		if m[6] >= 0 {
			amount = s[m[6]:m[7]]
		} else if before := amountWords.FindStringSubmatch(s[:m[0]]); before != nil {
			amount = before[1]
		}
		if amount == "" {
			continue
		}
		first, last := s[m[2]:m[3]], s[m[4]:m[5]]
		until := hourIn(last, "")
		rows = append(rows, row{hourIn(first, last), until, "from " + first + " to " + strings.TrimSuffix(last, "."), amount, digits(amount)})
	}
	return rows
}

// hourIn reads 9 a.m. and 12 noon. One that does not say which half of the day it is means that of the other.
func hourIn(words, other string) minutes {
	n := digits(words)
	half := words
	if !strings.ContainsAny(words, "apnm") {
		half = other
	}
	switch {
	case strings.Contains(half, "p.m.") && n < 12, strings.Contains(half, "midnight"):
		n += 12
	case strings.Contains(half, "a.m.") && n == 12:
		n = 0
	}
	return minutes(60 * n)
}

// digits is the number in a text.
func digits(s string) int {
	n := 0
	for _, r := range s {
		if '0' <= r && r <= '9' {
			n = 10*n + int(r-'0')
		}
	}
	return n
}

// wholeDay finds words for all of a day.
var wholeDay = regexp.MustCompile(`一日|1日|終日|丸1日|朝から(?:晩|夜)|\b(?:whole|all|full|entire) day\b|\ball[- ]day\b|\bfor (?:a|the) day\b`)

// hoursWished are the hours that a question names, and how much it counts that they are all in a row: exact ones more than a part of the day.
func hoursWished(w infoWish, loc *time.Location) (from, until minutes, weight minutes, ok bool) {
	text := strings.ToLower(w.Said)
	switch {
	case wholeDay.MatchString(text):
		return 0, midnight, 1, true
	case !w.Range.Clock:
		return 0, 0, 0, false
	}
	s := w.Range.in(loc)
	from, until, weight = *minutesOf(s.Start), *minutesOf(s.End), 1
	if until <= from {
		until = midnight
	}
	if strings.ContainsAny(text, "0123456789") {
		weight = 3
	}
	return from, until, weight, true
}

// nearestRow is the row that comes nearest to the hours wished for.
func nearestRow(rows []row, from, until, weight minutes) row {
	cost := func(r row) minutes {
		missing := max(0, r.From-from) + max(0, until-r.Until)
		return weight*missing + max(0, from-r.From) + max(0, r.Until-until)
	}
	return slices.MinFunc(rows, func(a, b row) int { return cmp.Compare(cost(a), cost(b)) })
}

// prices words the row that was asked for; where no hours were, only what is spoken is short: from how much to how much it costs.
func prices(h rag.Hit, w infoWish, lang nlu.Language, loc *time.Location) (text, spoken []string) {
	lead, rows := rowsOf(h)
	if len(rows) == 0 {
		return nil, nil
	}
	if from, until, weight, ok := hoursWished(w, loc); ok {
		r := nearestRow(rows, from, until, weight)
		text = append(lead, prompts.InfoPriceRow{When: r.When, Amount: r.Amount}.In(string(lang)))
		return text, text
	}
	byYen := func(a, b row) int { return cmp.Compare(a.Yen, b.Yen) }
	least, most := slices.MinFunc(rows, byYen), slices.MaxFunc(rows, byYen)
	return sentences(h.Passage.Text), append(lead, prompts.InfoPrices{Least: least.Amount, Most: most.Amount}.In(string(lang)))
}

var (
	// asksPeople finds a question for how many people there is room, saysPeople a sentence that says so.
	asksPeople = regexp.MustCompile(`何人|何名|定員|席数|何席|席は(?:いくつ|何)|広さ|大きさ|\bhow (?:big|large) is\b|\bhow many (?:people|persons|of us|seats|guests|can)\b|\bcapacity\b`)
	saysPeople = regexp.MustCompile(`\d+(?:席|人|名|ブース)|\b\d+ (?:seats|people|persons|booths)\b`)
)

// ofPeople are the sentences of a passage that say how many people there is room for.
func ofPeople(h rag.Hit) []string {
	var out []string
	for _, s := range sentences(h.Passage.Text) {
		if saysPeople.MatchString(s) {
			out = append(out, s)
		}
	}
	return out[:min(len(out), 1)]
}

// told is what is written and spoken of a passage: what was asked for, where it has that beside much else, or all of it.
func told(h rag.Hit, w infoWish, lang nlu.Language, loc *time.Location) (text, spoken []string) {
	if nlu.Language(h.Passage.Lang) == lang {
		if asksPeople.MatchString(strings.ToLower(w.Said)) {
			if text := ofPeople(h); len(text) > 0 {
				return text, text
			}
		}
		if text, spoken := prices(h, w, lang, loc); len(text) > 0 {
			return text, spoken
		}
	}
	text = sentences(h.Passage.Text)
	return text, text
}

// meant are the hits that the talk points at, or all. What does not say how many people there is room for is no answer to who asks that of what was
// spoken of.
func (w infoWish) meant(hits []rag.Hit) []rag.Hit {
	people := w.Only != nil && asksPeople.MatchString(strings.ToLower(w.Said))
	var only, same []rag.Hit
	for _, h := range hits {
		if people && len(ofPeople(h)) == 0 {
			continue
		}
		if slices.Contains(w.Only, h.Passage.ID) {
			only = append(only, h)
		}
		if slices.ContainsFunc(w.Only, func(id string) bool { return documentOf(id) == documentOf(h.Passage.ID) }) {
			same = append(same, h)
		}
	}
	switch {
	case len(only) > 0:
		return only
	case people:
		return same
	case len(hits) > 0 && asksPeople.MatchString(strings.ToLower(w.Said)) && len(ofPeople(hits[0])) == 0:
		for _, h := range hits { // 会議室2は何人: its seats are told beside its price
			if len(ofPeople(h)) > 0 && numbered(h.Passage.Title, w.Said) {
				return []rag.Hit{h}
			}
		}
	}
	return hits
}
