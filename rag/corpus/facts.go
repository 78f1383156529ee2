package corpus

import (
	"regexp"
	"slices"
	"strings"

	"annai/internal/text"
	"annai/rag"
)

// More kinds of values, which are compared between documents only.
const (
	opening    kind = "opening time"
	closing    kind = "closing time"
	lastOrder  kind = "last order"
	closedDays kind = "closed days"
	openDays   kind = "open days"
	floor      kind = "floor"
	polarity   kind = "yes or no"
)

// A statement says values of one kind about a subject.
type statement struct {
	kind    kind
	passage int
	lang    string
	subject subject
	// about is what the heading says, for the first sentence below it.
	about  subject
	values []string // sorted, each once
	days   []string // on which it is so; none is any
	text   string
}

// A reader turns passages into statements.
type reader struct {
	lexicon    *lexicon
	statements []statement
}

func (r *reader) read(number int, p rag.Passage) {
	heading := p.Title
	if i := strings.LastIndex(heading, rag.TitleSeparator); i >= 0 {
		heading = heading[i+len(rag.TitleSeparator):]
	}
	for i, said := range text.Sentences(p.Text) {
		s := sentenceOf{
			reader: r, passage: number, lang: p.Lang, said: said, text: fold(said), heading: fold(heading),
			first: i == 0,
		}
		s.read()
	}
}

// A sentenceOf is a sentence of a passage, as it is read.
type sentenceOf struct {
	*reader

	passage             int
	lang                string
	said, text, heading string
	first               bool
}

// conditional begins sentences that hold only if something is so.
var conditional = regexp.MustCompile(`^if\b|場合|あたる月|重なる|when .* holiday`)

func (s sentenceOf) read() {
	if !conditional.MatchString(s.text) {
		s.readHours()
		s.readClosed()
	}
	s.readWhole(phone)
	s.readWhole(date)
	s.readFloor()
	for _, k := range []kind{price, capacity, duration} {
		s.readClauses(k)
	}
	s.readPolarity()
}

// add notes what the sentence says.
func (s sentenceOf) add(k kind, about subject, days []string, values ...string) {
	slices.Sort(values)
	if values = slices.Compact(values); len(values) == 0 {
		return
	}
	s.reader.statements = append(s.reader.statements, statement{
		kind: k, passage: s.passage, lang: s.lang, subject: about, values: values, days: days, text: s.said,
	})
}

// whole is what the sentence is about, or else its heading.
func (s sentenceOf) whole() subject {
	if about := s.lexicon.subjectOf(s.text); len(about.topics) > 0 {
		return about
	}
	return s.lexicon.subjectOf(s.text, s.heading)
}

func (s sentenceOf) readWhole(k kind) { s.add(k, s.whole(), nil, valuesOf(k, s.text)...) }

var (
	until     = regexp.MustCompile(`^\s?(?:\([^)]*\))?\s?(?:まで|に閉|で閉|閉|には閉|クローズ)`)
	since     = regexp.MustCompile(`^\s?(?:から|より|に開|に始|オープン)`)
	untilEN   = regexp.MustCompile(`(?:until|till|by|close[sd]?(?: \w+)? at|closing (?:time )?(?:is |at )?|to|-)\s?$`)
	sinceEN   = regexp.MustCompile(`(?:open(?:s|ing)?(?: \w+)? at|start(?:s|ing)? at|from|since)\s?$`)
	lastWords = regexp.MustCompile(`(?:last (?:orders?|call)(?: is| are)?(?: taken)?(?: at| by)?|ラストオーダー(?:は|が)?|l\.?o\.?)\s?$`)
	openWords = regexp.MustCompile(`open|close|closing|hours|営業|開館|閉館|開店|閉店|利用時間|開い|閉ま|使える時間`)
)

// readHours reads when something opens and closes.
func (s sentenceOf) readHours() {
	if !openWords.MatchString(s.text) && !openWords.MatchString(s.heading) || len(datesIn(s.text)) > 0 ||
		moneyValue.MatchString(s.text) {
		return
	}
	text := shortRange.ReplaceAllStringFunc(s.text, fullRange)
	byKind := map[kind][]string{}
	for _, t := range timesIn(s.text) {
		if k := roleOf(text, t); k != "" {
			byKind[k] = append(byKind[k], clock(t.minute))
		}
	}
	days := daysIn(s.text)
	if len(days) == 0 {
		days = daysIn(s.heading)
	}
	about := s.whole()
	for k, values := range byKind {
		s.add(k, about, days, values...)
	}
	if len(days) > 0 && len(byKind) > 0 {
		s.add(openDays, about, nil, days...)
	}
}

// roleOf says what a time of the day is that of.
func roleOf(text string, t moment) kind {
	before, after := text[:t.begin], text[t.end:]
	switch {
	case lastWords.MatchString(before):
		return lastOrder
	case until.MatchString(after) || untilEN.MatchString(before):
		return closing
	case since.MatchString(after) || sinceEN.MatchString(before) || strings.HasPrefix(strings.TrimSpace(after), "-") ||
		strings.HasPrefix(after, " to "):
		return opening
	default:
		return ""
	}
}

var (
	closedWords = regexp.MustCompile(`\bclosed\b|\bcloses on\b|休館|定休|休業|お休み|休みです`)
	weekdayJA   = regexp.MustCompile(`(最終|第[一二三四1-4])?([日月火水木金土])曜|祝日|平日|土日`)
	weekdayEN   = regexp.MustCompile(`(last |first |second |third |fourth )?\b(sun|mon|tues|wednes|thurs|fri|satur)days?\b|\bholidays?\b|\bweekdays?\b|\bweekends?\b`)
)

// readClosed reads on which days of the week something is closed.
func (s sentenceOf) readClosed() {
	if closedWords.MatchString(s.text) && len(timesIn(s.text)) == 0 {
		s.add(closedDays, s.whole(), nil, daysIn(s.text)...)
	}
}

var weekdays = map[string]string{
	"sun": "日", "mon": "月", "tues": "火", "wednes": "水", "thurs": "木", "fri": "金",
	"satur": "土",
}

var ordinals = map[string]string{
	"last": "最終", "first": "第1", "second": "第2", "third": "第3", "fourth": "第4",
	"第一": "第1", "第二": "第2", "第三": "第3", "第四": "第4",
}

// dayNames are how days are said to the operator.
var dayNames = map[string]string{
	"日": "Sunday", "月": "Monday", "火": "Tuesday", "水": "Wednesday", "木": "Thursday", "金": "Friday", "土": "Saturday",
	"祝":  "holidays",
	"最終": "last ", "第1": "first ", "第2": "second ", "第3": "third ", "第4": "fourth ",
}

// daysIn returns the days of the week in a text, and the holidays.
func daysIn(text string) []string {
	var out []string
	for _, m := range weekdayJA.FindAllStringSubmatch(text, -1) {
		out = append(out, dayOf(m[0], m[1], m[2])...)
	}
	for _, m := range weekdayEN.FindAllStringSubmatch(text, -1) {
		out = append(out, dayOf(m[0], strings.TrimSpace(m[1]), weekdays[m[2]])...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func dayOf(word, ordinal, day string) []string {
	switch {
	case day != "":
		if o, found := ordinals[ordinal]; found {
			ordinal = o
		}
		return []string{dayNames[ordinal] + dayNames[day]}
	case word == "平日" || strings.HasPrefix(word, "weekday"):
		return []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}
	case word == "土日" || strings.HasPrefix(word, "weekend"):
		return []string{"Saturday", "Sunday"}
	}
	return []string{"holidays"}
}

var clauseEnd = regexp.MustCompile(`、|, |;|；| and (?:a |an )?`)

// readClauses reads values that belong to the clause in which they are, or to what was said before the first of them.
func (s sentenceOf) readClauses(k kind) {
	var lead []string
	for _, clause := range clauseEnd.Split(s.text, -1) {
		values := valuesOf(k, clause)
		if len(values) == 0 {
			if len(lead) < 3 {
				lead = append(lead, clause)
			}
			continue
		}
		about := s.lexicon.subjectOf(append([]string{clause}, lead...)...)
		if about.empty() || len(timesIn(clause)) > 0 {
			about = s.lexicon.subjectOf(clause, s.heading)
		}
		for _, t := range timesIn(clause) {
			about.topics[clock(t.minute)] = true
		}
		for _, n := range headingNumber.FindAllString(s.heading, -1) {
			about.topics["#"+n] = true
		}
		s.add(k, about, nil, values...)
	}
}

var headingNumber = regexp.MustCompile(`\d+`)

var (
	floorJA = regexp.MustCompile(`(地下)?([1-9一二三四])階(の)?`)
	floorF  = regexp.MustCompile(`\b(b?[1-9])f(の)?`)
	floorEN = regexp.MustCompile(`(?:on|of|to) the (first|second|third|fourth|ground) floor|in the (basement)\b`)
)

var floors = map[string]string{
	"一": "1", "二": "2", "三": "3", "四": "4", "first": "1", "ground": "1", "second": "2", "third": "3", "fourth": "4",
	"basement": "B1",
}

// readFloor reads on which floor something is. A floor that only tells one thing from another, as
// in 「2階の会議室」, is not meant.
func (s sentenceOf) readFloor() {
	var values []string
	add := func(mark, number string) {
		if name, found := floors[number]; found {
			number = name
		}
		values = append(values, strings.ToUpper(mark+number)+"F")
	}
	for _, m := range floorJA.FindAllStringSubmatchIndex(s.text, -1) {
		if m[6] < 0 || !s.isThing(s.text[m[1]:]) {
			mark := ""
			if m[2] >= 0 {
				mark = "B"
			}
			add(mark, s.text[m[4]:m[5]])
		}
	}
	for _, m := range floorF.FindAllStringSubmatchIndex(s.text, -1) {
		if !s.isThing(strings.TrimSpace(s.text[m[1]:])) {
			add("", s.text[m[2]:m[3]])
		}
	}
	for _, m := range floorEN.FindAllStringSubmatch(s.text, -1) {
		add("", m[1]+m[2])
	}
	s.add(floor, s.whole(), nil, values...)
}

// isThing reports whether a text begins with a topic.
func (s sentenceOf) isThing(text string) bool {
	for _, r := range text {
		n, topic := s.lexicon.longestWord(text, 0, r)
		return n > 0 && topic != ""
	}
	return false
}

var (
	negative = regexp.MustCompile(`ません|ない|なし|不可|禁止|不要|ご遠慮|お断り|\bno\b|\bnot\b|\bcannot\b|n't\b|\bnone\b|\bnever\b|\bprohibited\b|\bforbidden\b|\bunnecessary\b`)
	// restricted turns no into yes: "only", 「だけ」 and what is asked for by "please" say neither.
	doubled = regexp.MustCompile(`なければ|ないと|でなく|だけでなく|not only|if not|ないとき|なくても|以外`)
)

// but is where a sentence turns from yes to no, or back.
var but = regexp.MustCompile(`(?:です|ます|せん)が、|\bbut\b`)

// readPolarity reads whether each half of the sentence says yes or no.
func (s sentenceOf) readPolarity() {
	if conditional.MatchString(s.text) || doubled.MatchString(s.text) ||
		strings.HasSuffix(strings.TrimRight(s.text, "。"), "か") || strings.HasSuffix(s.text, "?") {
		return
	}
	begin := 0
	for _, at := range but.FindAllStringIndex(s.text, 2) {
		s.readHalf(s.text[begin:at[1]])
		begin = at[1]
	}
	s.readHalf(s.text[begin:])
}

func (s sentenceOf) readHalf(half string) {
	value := "yes"
	if negative.MatchString(half) {
		value = "no"
	}
	own := s.lexicon.subjectOf(half)
	if len(own.topics) == 0 {
		return
	}
	s.add(polarity, s.lexicon.subjectOf(half, s.heading), nil, value)
	heading := s.lexicon.subjectOf(s.heading)
	if s.first && len(heading.topics) > 0 && heading.within(own) {
		s.reader.statements[len(s.reader.statements)-1].about = heading
	}
}
