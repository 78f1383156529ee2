package nlu

import (
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"annai/internal/kana"
	"annai/nlu/danger"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/nlu/words"
)

// Options are the settings of [Reader] that have a default.
type Options struct {
	// VenueNames are the names of the venue in any language. They say nothing about what is asked,
	// and are cut from topics.
	VenueNames []string
	// Corrections are what recognisers mis-hear and what was meant (エンジニア壁: エンジニアカフェ).
	Corrections map[string]string
	// Words are names and words of the venue, with their readings in kana where those are not what a dictionary
	// says, else "". What sounds like one of them and is no word is taken for it.
	Words map[string]string
	// StaffWords are further words for the people of the venue, who are called when asked for by them.
	StaffWords []string
	// EventWords are further words that name a kind of event here. They are kept in topics.
	EventWords []string
	// InfoWords are further words that belong to the venue (the names of its rooms and machines).
	InfoWords []string
	// Anywhere says that those who speak are not at the venue but anywhere: "what is on today?" may
	// then be about their own day. At the venue it is about its events, and the rules, which were
	// made for a venue, count more.
	Anywhere bool
	// Fallback is the language of an utterance without letters. The default is Japanese.
	Fallback Language
}

// Reader is the [Understander] that knows rules, word lists and trained weights.
type Reader struct {
	lexicon     *matcher
	ordinals    *matcher
	fillers     *matcher
	answers     map[string]Intent
	corrections [][2]string
	said        *kana.Lexicon
	fallback    Language
	classifier  *classifier
	danger      *danger.Detector
	atVenue     bool
}

// New returns an understander for a venue.
func New(opts Options) *Reader {
	r := &Reader{
		lexicon: newMatcher(), ordinals: newMatcher(), fillers: newMatcher(), answers: map[string]Intent{},
		fallback: opts.Fallback, classifier: weights(), danger: detector(), atVenue: !opts.Anywhere,
	}
	if r.fallback == "" {
		r.fallback = Japanese
	}
	for _, row := range words.Lexicon() {
		if said := r.lexicon.addRow(row); said&tFiller != 0 {
			r.fillers.addRow(row)
		}
	}
	r.lexicon.add(strings.Join(opts.VenueNames, "|"), tVenue|tCut)
	r.lexicon.add(strings.Join(opts.StaffWords, "|"), tStaffWord)
	r.lexicon.add(strings.Join(opts.EventWords, "|"), tKind)
	r.lexicon.add(strings.Join(opts.InfoWords, "|"), tInfo)
	for n, list := range words.Ordinals() {
		r.ordinals.add(list, tag(n+beforeFirst))
	}
	for intent, list := range words.Answers() {
		for word := range strings.SplitSeq(list, "|") {
			r.answers[word] = Intent(intent)
		}
	}
	r.said = wordsSaid(opts.Words)
	for from, to := range opts.Corrections {
		r.corrections = append(r.corrections, [2]string{tidy(from), tidy(to)})
	}
	sort.Slice(r.corrections, func(i, j int) bool { // the longest first, so that none hides another
		a, b := r.corrections[i][0], r.corrections[j][0]
		return len(a) > len(b) || len(a) == len(b) && a < b
	})
	return r
}

// detector is that of dangers in the binary.
func detector() *danger.Detector {
	d, err := danger.Open()
	if err != nil {
		panic(fmt.Sprintf("the danger models in the binary: %v", err)) // a test reads them
	}
	return d
}

// maxText is how many bytes of an utterance are read; more is no question.
const maxText = 8192

// A sentence is an utterance with all that was found in it, before it is decided what it means.
type sentence struct {
	text, lower []rune
	hits        []hit
	tags        tag
	times       []datetime.Expression
	spans       [][2]int // of times, in runes
	spanEnds    []int    // by rune: where the time that holds it ends, or 0
	ordinal     int
	cut         [2]int // the words of the ordinal, in runes
	content     string // what is left beside words that make a sentence
	bare        string // without punctuation, to compare with whole answers
	question    bool
	atVenue     bool
	language    Language
	corrects    bool // it only says which time was meant
	// what is not spoken of, in runes and in order: where it was heard of, and times that are taken
	// back
	ignoredSpans [][2]int
	answers      map[Intent]bool // that stand in it, beside other words; read where they matter
}

func (s *sentence) has(t tag) bool { return s.tags&t != 0 }

// Understand implements [Understander].
func (r *Reader) Understand(utterance string, at time.Time) Understanding {
	s, u := r.listen(utterance, at)
	r.conclude(s, &u, r.decide(s, &u))
	return u
}

// listen reads an utterance up to what it wants.
func (r *Reader) listen(utterance string, at time.Time) (*sentence, Understanding) {
	text := r.hear(shorten(cutPrefix(tidy(shorten(utterance))))) // what is tidy may be longer: ㍿ becomes 株式会社
	s := r.read(text, at)
	return s, Understanding{
		Language:  s.language,
		Foreign:   Foreign(text),
		Text:      text,
		Times:     s.times,
		Reference: r.reference(s),
		PastAsked: s.asksPast(),
		Speak:     s.speaks(),
	}
}

// shorten cuts what is too long to be read.
func shorten(s string) string {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return s
}

// conclude writes down what was decided, and what follows from it.
func (r *Reader) conclude(s *sentence, u *Understanding, d decision) {
	u.Intent, u.Confidence, u.AgentConfidence, u.Reason, u.Safety = d.intent, d.confidence, d.agentConfidence,
		d.reason, d.danger
	u.Over = d.danger == "" && !s.marked() && containsAny(s.bare, words.Over())
	u.Owner = s.has(tOwner) || u.Intent == Calendar && s.has(tFree|tRemind|tSelf)
	u.Write = u.Intent == Calendar && (s.has(tWrite|tRemind) || d.write) && !s.corrects
	u.StillOn = s.has(tStillOn)
	dropped := tag(0)
	if u.Intent == Event || u.Intent == Calendar && !u.Owner && !u.Write {
		dropped = tField | tHappen | tPast
	}
	u.Topic = s.topic(dropped | tOwner | tAsk | tMore | tSelf | tAside)
	if u.Topic == "" && u.Intent == Info && u.Reference.Field == FieldPlace {
		u.Topic = s.purposeVerbs() // どこで待てばいいですか
	}
	if u.Reference.Repeat || s.corrects {
		u.Topic = ""
	}
	u.Keywords = keywords(u.Topic)
	if u.Intent == Calendar {
		u.Command = slots.Extract(u.Text, string(u.Language), u.Times)
		u.Write = u.Write || u.Command.Operation != slots.Query && !s.corrects
	}
}

// marked reports whether an utterance ends as questions do; 大丈夫です may be one, and may say that all
// is well.
func (s *sentence) marked() bool {
	return strings.ContainsRune(string(s.lower), '?') || strings.HasSuffix(s.bare, "か")
}

// read finds everything the rules look at.
func (r *Reader) read(text string, at time.Time) *sentence {
	s := &sentence{text: []rune(text), atVenue: r.atVenue}
	s.lower = make([]rune, len(s.text))
	for i, c := range s.text {
		s.lower[i] = lower(c)
	}
	s.language = language(s.lower, r.fallback)
	s.times = datetime.Parse(text, at)
	lengthsAreNoTimes(s.times, text)
	s.spans, s.spanEnds = runeSpans(text, s.times), make([]int, len(s.text))
	r.namesAreTopics(s)
	s.ignoredSpans = s.hearsayIn(string(s.lower))
	s.hearingIsNoTime()
	s.thatDayIsNoTime()
	s.hits = r.lexicon.find(s.lower, s.spanEnds, make([]hit, 0, len(s.lower)/2+1))
	for _, h := range s.hits {
		s.tags |= h.tags
	}
	s.greetingsAreNoTimes()
	s.bare = strings.Join(strings.FieldsFunc(string(s.lower), isPunctuation), "")
	s.ordinal, s.cut = r.ordinal(s)
	s.content = s.topic(0)
	s.takeBack()
	s.question = s.has(tAsk) || strings.ContainsAny(text, "?？")
	s.nowIsNoRange()
	return s
}

// lower is the lower case of a rune that stays one rune.
func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	if r < utf8.RuneSelf || r >= 0x250 {
		return r
	}
	return []rune(strings.ToLower(string(r)))[0]
}

func isPunctuation(r rune) bool {
	return scriptOf(r) == scriptNone && r != ' ' && r != '\'' && r != '・'
}

// runeSpans are the spans of expressions as runes of text.
func runeSpans(text string, times []datetime.Expression) [][2]int {
	spans := make([][2]int, len(times))
	at, runes := 0, 0
	for i, t := range times {
		runes += utf8.RuneCountInString(text[at:t.Start])
		length := utf8.RuneCountInString(t.Text)
		spans[i] = [2]int{runes, runes + length}
		at, runes = t.End, runes+length
	}
	return spans
}

// nowIsNoRange takes out "今" and "now", which ask for no time of their own.
func (s *sentence) nowIsNoRange() {
	if !s.has(tDate | tDateWeak) {
		return
	}
	s.keepTimes(func(i int) bool {
		switch strings.ToLower(s.times[i].Text) {
		case "今", "いま", "now":
			return false
		}
		return true
	})
}

// greetingsAreNoTimes takes out times that are part of a greeting or of small talk: good morning,
// また明日, "how are you today".
func (s *sentence) greetingsAreNoTimes() {
	s.keepTimes(func(i int) bool {
		for _, h := range s.hits {
			if h.tags&(tGreet|tBye|tSmall) != 0 && h.start <= s.spans[i][0] && s.spans[i][1] <= h.end {
				return false
			}
		}
		return true
	})
}

// keepTimes keeps the times for which keep says so.
func (s *sentence) keepTimes(keep func(i int) bool) {
	times, spans := s.times[:0], s.spans[:0]
	for i := range s.times {
		if keep(i) {
			times, spans = append(times, s.times[i]), append(spans, s.spans[i])
		}
	}
	s.times, s.spans = times, spans
	s.markSpans()
}

// markSpans notes for every rune where the time that holds it ends.
func (s *sentence) markSpans() {
	clear(s.spanEnds)
	for _, span := range s.spans {
		for i := span[0]; i < span[1]; i++ {
			s.spanEnds[i] = span[1]
		}
	}
}

// namesAreTopics takes out the name of a day that names an event: クリスマス会 and "Halloween party" may
// be on any day.
func (r *Reader) namesAreTopics(s *sentence) {
	s.keepTimes(func(i int) bool {
		next := s.spans[i][1]
		for next < len(s.lower) && s.lower[next] == ' ' {
			next++
		}
		if !s.times[i].Holiday || next == len(s.lower) {
			return true
		}
		_, tags := r.lexicon.longest(s.lower, next)
		return tags&(tKind|tEvent) == 0
	})
}

func (s *sentence) asksPast() bool {
	for _, t := range s.times {
		if t.Past {
			return true
		}
	}
	return s.has(tPast)
}

// isRest reports whether nothing is said in a text.
func isRest(text string) bool { return strings.Trim(text, " .!") == "" }

// lengthsAreNoTimes makes a length of 30分で, by which an utterance ends: so long it shall take, and
// not in so long it is.
func lengthsAreNoTimes(times []datetime.Expression, text string) {
	if len(times) != 1 || times[0].Start > 0 {
		return
	}
	switch rest, ok := strings.CutPrefix(text[times[0].End:], "で"); {
	case !ok, !isRest(strings.TrimRight(rest, "。")):
		return
	}
	if alone := datetime.Parse(times[0].Text, time.Time{}); len(alone) == 1 &&
		alone[0].Kind == datetime.KindDuration && alone[0].Text == times[0].Text {
		times[0] = alone[0]
	}
}
