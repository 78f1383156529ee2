package datetime

import (
	_ "embed"
	"strconv"
	"strings"
)

var (
	//go:embed words.tsv
	wordTable string
	//go:embed holidays.tsv
	holidayTable string
)

// looseFrom is the comment of words.tsv from which on its words are loose.
const looseFrom = "# Words in kana that also occur inside other words"

// known are the names of what words.tsv knows of words, beside numbers.
var known = map[string]int{
	"second": unitSecond, "minute": unitMinute, "hour": unitHour, "day": unitDay, "week": unitWeek, "month": unitMonth,
	"year": unitYear, "weekend": unitWeekend, "fortnight": unitFortnight, "workday": unitWorkday,
	"quarter": unitQuarter, "decade": unitDecade, "fiscal": unitFiscal,
	"point": pointOnly, "length": lengthOnly, "weak": weakWord, "plural": plural,
	"early": partEarly, "morning": partMorning, "forenoon": partForenoon, "midday": partNoon,
	"afternoon": partAfternoon, "evening": partEvening, "night": partNight, "late": partLate, "at": atPart,
	"am": halfAM, "pm": halfPM, "due": dueThen,
	"start": segmentStart, "middle": segmentMiddle, "end": segmentEnd,
	"first-half": segmentFirst, "second-half": segmentLater,
	"of-december": ofDecember, "last-day": lastDay, "of-day": ofDay, "all": restAll, "later": restLater,
	"measure": measure, "function": functionWord, "modal": modal, "counter": counter,
	"definite": definite, "of-longer": ofLonger, "of-count": ofCount, "any": anyOfKind,
	"of-unit": ofUnit, "of-that": ofThat,
	"still-to-come": stillToCome, "gone-by": goneBy, "preposition": preposition, "starting": starting, "alone": alone,
	"right-behind": rightBehind,
	"words":        inWords, "several": several, "plural-only": pluralOnly, "own-name": ownName,
}

// item is what a word of the lexicon stands for.
type item struct {
	token token
	loose bool
}

// A lexicon finds the longest word at a place in one pass over its runes.
type lexicon struct {
	first map[rune]int // the nodes behind the first rune
	nodes []node
}

// A node is where some runes lead.
type node struct {
	item *item // what the runes so far stand for, if they are a word
	next []edge
}

type edge struct {
	r    rune
	node int
}

var words = newLexicon(wordTable)

func newLexicon(table string) *lexicon {
	l := &lexicon{first: map[rune]int{}, nodes: make([]node, 1)}
	loose := false
	for line := range strings.Lines(table) {
		loose = loose || strings.HasPrefix(line, looseFrom)
		if row := cells(line); row != nil {
			l.addAll(row[2], item{newToken(row[0], row[1]), loose})
		}
	}
	for i, h := range holidays {
		l.addAll(h.names, item{token: token{class: cHoliday, a: i}})
	}
	return l
}

// cells are the three columns of a line of a table, nil for a comment.
func cells(line string) []string {
	if strings.HasPrefix(line, "#") {
		return nil
	}
	return strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
}

// newToken makes the token of a class of which the table knows some numbers.
func newToken(name, fields string) token {
	t := token{class: class(name)}
	at := [...]*int{&t.a, &t.b, &t.n}
	for i, field := range strings.Fields(fields) {
		for part := range strings.SplitSeq(field, "+") {
			n, ok := known[part]
			if !ok {
				n, _ = strconv.Atoi(part)
			}
			*at[i] += n
		}
	}
	return t
}

// addAll makes each word of a list stand for an item; a later entry of the same word wins.
func (l *lexicon) addAll(list string, it item) {
	for word := range strings.SplitSeq(list, "|") {
		at := 0
		for _, r := range fold(word).runes {
			at = l.grow(at, r)
		}
		l.nodes[at].item = &it
	}
}

// grow is the node behind a rune, which is made where there is none.
func (l *lexicon) grow(at int, r rune) int {
	next, ok := l.step(at, r)
	if ok {
		return next
	}
	next = len(l.nodes)
	l.nodes = append(l.nodes, node{})
	if at == 0 {
		l.first[r] = next
	} else {
		l.nodes[at].next = append(l.nodes[at].next, edge{r, next})
	}
	return next
}

// step is the node behind a rune.
func (l *lexicon) step(at int, r rune) (int, bool) {
	if at == 0 {
		next, ok := l.first[r]
		return next, ok
	}
	for _, e := range l.nodes[at].next {
		if e.r == r {
			return e.node, true
		}
	}
	return 0, false
}
