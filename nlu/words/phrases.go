package words

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed calendar.tsv
var calendarWords string

// A Phrases is a list of words that say one thing: see calendar.tsv, rules.tsv, talk.tsv and times.tsv. In
// English the case does not count.
type Phrases string

// The lists of what an owner says to a calendar.
const (
	Denial      Phrases = "denial"       // a no, behind which something else is wanted
	Assent      Phrases = "assent"       // a yes, behind which something may stand
	PlainYes    Phrases = "plain_yes"    // one of them is in every yes
	GoOn        Phrases = "go_on"        // tells to go on, whatever stands around it
	Dropping    Phrases = "dropping"     // tells to leave it
	LeaveIt     Phrases = "leave_it"     // a no in so many words
	Declining   Phrases = "declining"    // declines an offer, where Pleading is not there
	Pleading    Phrases = "pleading"     // asks for it
	Courtesy    Phrases = "courtesy"     // may stand behind a yes
	Light       Phrases = "light"        // adds nothing to a yes
	AllOfThem   Phrases = "all_of_them"  // all of those that were listed
	Asking      Phrases = "asking"       // marks a question
	AnswersWith Phrases = "answers_with" // begins an answer that is a title

	OrderAdd    Phrases = "order_add" // wants something written, and does not only tell of it
	This        Phrases = "this"      // points at what was given with the words
	OrderChange Phrases = "order_change"
	OrderRemove Phrases = "order_remove"
	// The verbs of an order that is said again.
	AgainAdd    Phrases = "again_add"
	AgainChange Phrases = "again_change"
	AgainRemove Phrases = "again_remove"
	SaidAgain   Phrases = "said_again" // beside the verbs of an order that is said again

	Afterwards  Phrases = "afterwards" // asks for what comes then
	Correcting  Phrases = "correcting" // corrects what was just written
	Later       Phrases = "later"
	Earlier     Phrases = "earlier"
	ThanPlanned Phrases = "than_planned" // ends what is moved by a time
	AllDay      Phrases = "all_day"
	BareHour    Phrases = "bare_hour" // # is an hour

	OwnPlans   Phrases = "own_plans"   // somebody's own plans
	Mine       Phrases = "mine"        // what the speaker has or does
	MyDay      Phrases = "my_day"      // the speaker's day, which is today
	Public     Phrases = "public"      // public events
	FreeTime   Phrases = "free_time"   // asks for free time
	FreeDays   Phrases = "free_days"   // asks for free days
	Possible   Phrases = "possible"    // asks whether something can be
	AskingWhen Phrases = "asking_when" // asks for a day, without naming one
	Looking    Phrases = "looking"     // wants to see what there is
	Telling    Phrases = "telling"     // tells of a plan
	Proposing  Phrases = "proposing"   // proposes something to do
	Upcoming   Phrases = "upcoming"    // the next one
	NextTime   Phrases = "next_time"   // of a time: next
	Generic    Phrases = "generic"     // entries as such
	Article    Phrases = "article"     // may stand before those
	Opening    Phrases = "opening"     // may stand before what an entry is called
	Particle   Phrases = "particle"    // small words around a title

	PartTitle Phrases = "part_title" // the parts of an entry
	PartPlace Phrases = "part_place"
	PartNote  Phrases = "part_note"
	PartIs    Phrases = "part_is"    // stands between a part and what it is
	PartSet   Phrases = "part_set"   // stands before a part that is set
	PartOf    Phrases = "part_of"    // stands between a part and the entry
	PartTo    Phrases = "part_to"    // stands between the entry and what becomes of its part
	PartVerb  Phrases = "part_verb"  // stands behind what a part becomes
	Rename    Phrases = "rename"     // stands before an entry that gets another title
	Owning    Phrases = "owning"     // stands between an entry and its part
	CallIt    Phrases = "call_it"    // stands before a title
	ValueEnd  Phrases = "value_end"  // stands behind a value and is none of it
	ValueMark Phrases = "value_mark" // stands around a value

	Daily      Phrases = "daily"
	Weekly     Phrases = "weekly"
	Monthly    Phrases = "monthly"
	Yearly     Phrases = "yearly"
	Workdays   Phrases = "workdays"
	EveryOther Phrases = "every_other"
	EveryNth   Phrases = "every_nth"  // # is how many units lie between two
	HowMany    Phrases = "how_many"   // # is how many there are
	HowOften   Phrases = "how_often"  // what stands in its place where only the time is wanted
	NthOfMonth Phrases = "nth"        // which weekday of the month: -1 the last
	Except     Phrases = "except"     // leaves something out
	TitleEnd   Phrases = "title_end"  // ends a title that an exception stands behind
	SaidHalf   Phrases = "said_half"  // says which half of the day
	Minutes    Phrases = "minutes"    // # minutes
	MonthBreak Phrases = "month_from" // a month stands before it
)

// A phrase is one of the words of a list, with where it stands.
type phrase struct{ text, where string }

// phrases are the lists by their names, the longest words first.
var phrases = sync.OnceValue(func() map[Phrases][]phrase {
	out := map[Phrases][]phrase{}
	for _, row := range rows(calendarWords+talkWords+timeWords+ruleWords, 3) {
		for word := range strings.SplitSeq(row[2], "|") {
			out[Phrases(row[0])] = append(out[Phrases(row[0])], phrase{strings.ReplaceAll(word, "_", " "), row[1]})
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.text) - len(a.text) })
	}
	return out
})

// Lower is a text in lower case as far as it is ASCII: of the same length.
func Lower(text string) string {
	out := []byte(text)
	for i, b := range out {
		if b >= 'A' && b <= 'Z' {
			out[i] = b + 'a' - 'A'
		}
	}
	return string(out)
}

// In reports whether the text has one of the words.
func (p Phrases) In(text string) bool {
	text = Lower(text)
	for _, w := range phrases()[p] {
		if w.in(text) {
			return true
		}
	}
	return false
}

func (w phrase) in(text string) bool {
	switch w.where {
	case "^":
		return strings.HasPrefix(text, w.text) && ends(w.text, text[len(w.text):])
	case "<":
		return strings.HasPrefix(text, w.text)
	case ">":
		return strings.HasSuffix(text, w.text)
	case "=":
		return text == w.text
	case "w":
		return wordIn(text, w.text)
	}
	return strings.Contains(text, w.text)
}

// wordIn reports whether an English word stands in a text as a whole.
func wordIn(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if !isLatin(before) && ends(word, text[i+len(word):]) {
			return true
		}
		from = i + 1
	}
}

// ends reports whether a word ends where the rest of its text begins: at its end, at a mark, or at
// another script.
func ends(word, rest string) bool {
	next, size := utf8.DecodeRuneInString(rest)
	last, _ := utf8.DecodeLastRuneInString(word)
	return size == 0 || strings.ContainsRune(marksAround, next) || isLatin(last) != isLatin(next)
}

// marksAround are marks and blanks around words.
const marksAround = "、。,.!！ "

func isLatin(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// Begin cuts one of the words, and marks behind it, off the beginning of a text.
func (p Phrases) Begin(text string) (rest string, ok bool) {
	low := Lower(text)
	for _, w := range phrases()[p] {
		if strings.HasPrefix(low, w.text) && (w.where != "^" || ends(w.text, low[len(w.text):])) {
			return strings.TrimLeft(text[len(w.text):], marksAround), true
		}
	}
	return text, false
}

// End cuts one of the words off the end of a text.
func (p Phrases) End(text string) (head string, ok bool) {
	low := Lower(text)
	for _, w := range phrases()[p] {
		if strings.HasSuffix(low, w.text) {
			return text[:len(text)-len(w.text)], true
		}
	}
	return text, false
}

// Cut splits a text around the first of the words in it; of two that begin there it is the longer
// one.
func (p Phrases) Cut(text string) (before, after string, ok bool) {
	at, length := -1, 0
	low := Lower(text)
	for _, w := range phrases()[p] {
		if i := strings.Index(low, w.text); i >= 0 && (at < 0 || i < at) {
			at, length = i, len(w.text)
		}
	}
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+length:], true
}

// Trim cuts all of the words, and blanks, off both ends of a text, or off that at which they stand.
func (p Phrases) Trim(text string) string {
	for {
		text = strings.TrimSpace(text)
		n := len(text)
		for _, w := range phrases()[p] {
			if low := Lower(text); strings.HasPrefix(low, w.text) && w.where != ">" {
				text = text[len(w.text):]
			}
			if low := Lower(text); strings.HasSuffix(low, w.text) && w.where != "<" {
				text = text[:len(text)-len(w.text)]
			}
		}
		if len(text) == n {
			return text
		}
	}
}

// Nothing reports whether a text has nothing but words of the lists, and marks.
func Nothing(text string, but ...Phrases) bool {
	text = Lower(text)
	reached := make([]bool, len(text)+1)
	reached[0] = true
	for i, r := range text {
		if !reached[i] {
			continue
		}
		if strings.ContainsRune(marksAround, r) {
			reached[i+utf8.RuneLen(r)] = true
		}
		for _, p := range but {
			for _, w := range phrases()[p] {
				if strings.HasPrefix(text[i:], w.text) {
					reached[i+len(w.text)] = true
				}
			}
		}
	}
	return reached[len(text)]
}

// Number is the number that stands in a text in the place of # in one of the words, and where these
// are; 0 if none does.
func (p Phrases) Number(text string) (n, start, end int) {
	text = Lower(text)
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			continue
		}
		j := i + 1
		for j < len(text) && isDigit(text[j]) {
			j++
		}
		for _, w := range phrases()[p] {
			before, after, _ := strings.Cut(w.text, "#")
			if end := w.behind(text, j, after); end >= 0 && strings.HasSuffix(text[:i], before) {
				n, _ = strconv.Atoi(text[i:j])
				return n, i - len(before), end
			}
		}
		i = j
	}
	return 0, 0, 0
}

// behind is where the part of a word ends that stands behind a number, after a blank perhaps; -1 if
// it does not stand there.
func (w phrase) behind(text string, from int, after string) int {
	rest := strings.TrimPrefix(text[from:], " ")
	after = strings.TrimPrefix(after, " ")
	switch {
	case !strings.HasPrefix(rest, after), w.where == "=" && strings.Trim(rest[len(after):], marksAround) != "":
		return -1
	case after == "":
		return from
	}
	return len(text) - len(rest) + len(after)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// Replace puts in the place of each of the words what the list says.
func (p Phrases) Replace(text string) string {
	text = Lower(text)
	for _, w := range phrases()[p] {
		text = strings.ReplaceAll(text, w.text, " "+strings.Trim(w.where, "_")+" ")
	}
	return strings.TrimSpace(text)
}

// Which is what the list says of the first of the words in the text, as a number; 0 if none is.
func (p Phrases) Which(text string) int {
	text = Lower(text)
	for _, w := range phrases()[p] {
		if strings.Contains(text, w.text) {
			n, _ := strconv.Atoi(w.where)
			return n
		}
	}
	return 0
}
