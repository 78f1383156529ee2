package nodes

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/api"
	"annai/graph"
	"annai/grounding"
	"annai/internal/civil"
	"annai/llm"
	"annai/nlu"
	"annai/prompts"
)

// Bounds of what is heard of a model.
const (
	maxAnswerTokens = 320
	maxTold         = 5 // sentences that are said
	maxRefused      = 4 // sentences that are not, after which no more is heard
)

// What became of a sentence, and why it was not kept. They go out with the answer; the sentence does not.
const (
	becameKept     = "kept"
	becameReplaced = "replaced"
	becameDropped  = "dropped"

	whyUnsupported = "unsupported"
	whyLanguage    = "language"
	whyMarkup      = "markup"
	whyPrompt      = "prompt"
	whyClaimless   = "claimless"
	whyRepeated    = "repeated"
	whyUnfinished  = "unfinished"
	whyIncomplete  = "incomplete"
)

// Why the template finished an answer, where it was no failure of the model.
const (
	fellForNothing  = "nothing_kept"
	fellForNonsense = "nonsense"
	fellForLength   = "too_long_answer"
)

// A wording is an answer that a model words, sentence by sentence: each is said once the evidence bears it, and what it does not bear is said
// as the template says it, or not at all.
type wording struct {
	grounds *grounds
	lang    nlu.Language
	rules   string // what the model was told, none of which is to be said
	checker *grounding.Checker
	again   func(said string) *grounding.Checker // checks against what was said
	say     func(sentence string)
	log     func(sentence, became, why string)

	last    grounding.Verdict
	told    []string        // what was said
	lines   map[int]bool    // the template's lines that were said
	used    map[string]bool // the items that were spoken of
	claims  int
	refused int
	use     api.ModelUse
}

// full reports whether enough was heard.
func (w *wording) full() bool { return len(w.told) >= maxTold || w.refused >= maxRefused }

// hear takes the next of what the model says, which may be more than one sentence.
func (w *wording) hear(said string) {
	for _, sentence := range sentences(said) {
		if !w.full() {
			w.hearOne(sentence)
		}
	}
}

func (w *wording) hearOne(sentence string) {
	text, why := tidy(sentence), ""
	switch {
	case text == "":
		return
	case hasMarkup(text):
		why = whyMarkup
	case !inLanguage(text, w.lang, w.grounds):
		why = whyLanguage
	case quotes(text, w.rules):
		why = whyPrompt
	}
	var v grounding.Verdict
	if why == "" {
		v, why = w.judge(text)
	}
	if why == "" {
		w.keep(text, v)
		w.became(text, becameKept, "")
		return
	}
	w.refused++
	if why != whyClaimless && why != whyRepeated {
		i := w.nearest(text)
		if why == whyIncomplete {
			i = w.omitted(text, v)
		}
		if i >= 0 {
			w.tell(i)
			w.became(text, becameReplaced, why)
			return
		}
	}
	w.became(text, becameDropped, why)
}

func (w *wording) became(text, became, why string) {
	w.use.Sentences = append(w.use.Sentences, api.ModelSentence{Became: became, Why: why})
	switch became {
	case becameKept:
		w.use.Kept++
	case becameReplaced:
		w.use.Replaced++
	default:
		w.use.Dropped++
	}
	w.log(text, became, why)
}

// judge holds a sentence against the evidence. One that claims nothing is not said: "yes, there is" has nothing to be held against.
func (w *wording) judge(text string) (v grounding.Verdict, why string) {
	v = w.checker.CheckAfter(w.last, text)
	switch {
	case !v.OK:
		return v, whyUnsupported
	case len(v.Uses) == 0:
		return v, whyClaimless
	case w.saidAlready(text):
		return v, whyRepeated
	case w.omitted(text, v) >= 0:
		return v, whyIncomplete
	}
	return v, ""
}

// restriction are words that restrict what a sentence says. Without them it says more.
var restriction = regexp.MustCompile(`のみ|(?:^|[^た])だけ|以外|除[きくい]|ただし|限[りるっ]|と一緒|同伴|(?i)\b(?:only|except|unless|together with|as long as|provided|but not)\b`)

// omitted is the line of the template's that restricts what a sentence says without restriction, or -1: "the building is accessible" of a
// building of which only the first floor is.
func (w *wording) omitted(text string, v grounding.Verdict) int {
	if restriction.MatchString(text) {
		return -1
	}
	best, most, n := -1, 0.0, 0
	pairs := pairsOf(text)
	for i, l := range w.grounds.Lines {
		if !slices.Contains(v.Uses, l.Item) {
			continue
		}
		n++
		if share := shareOf(pairs, l.Text); best < 0 || share > most {
			best, most = i, share
		}
	}
	if best < 0 || n > 1 && most < alike || w.lines[best] || !restriction.MatchString(w.grounds.Lines[best].Text) {
		return -1
	}
	return best
}

// saidAlready reports whether all that a sentence claims was said before.
func (w *wording) saidAlready(text string) bool {
	return len(w.told) > 0 && w.again(strings.Join(w.told, "\n")).Check(text).OK
}

func (w *wording) keep(text string, v grounding.Verdict) {
	w.last = v
	w.claims++
	for _, id := range v.Uses {
		if w.grounds.Passages[id].ID != "" || len(w.grounds.Items) == 1 || names(text, w.grounds.title(id)) {
			w.used[id] = true
		}
	}
	w.out(text)
}

// tell says a line of the template's.
func (w *wording) tell(i int) {
	l := w.grounds.Lines[i]
	w.lines[i], w.used[l.Item] = true, true
	w.last = grounding.Verdict{OK: true, Uses: []string{l.Item}}
	w.claims++
	w.out(l.Text)
}

func (w *wording) out(text string) {
	w.told = append(w.told, text)
	w.say(text)
}

// alike is how much of a sentence another must have to be said in its place.
const alike = 0.25

// nearest returns the line of the template's that says most of what a sentence is about and was not said yet, or -1.
func (w *wording) nearest(text string) int {
	best, most := -1, alike
	pairs := pairsOf(text)
	for i, l := range w.grounds.Lines {
		if share := shareOf(pairs, l.Text); !w.lines[i] && share >= most && !w.saidAlready(l.Text) {
			best, most = i, share+1e-9
		}
	}
	return best
}

// finish says what must be said, and after a failure what the template would have said besides.
func (w *wording) finish(failed bool) {
	for i, l := range w.grounds.Lines {
		wanted := l.Must && !w.used[l.Item] || failed && !l.Must && len(w.told) < maxSpoken && w.used[l.Item]
		if wanted && !w.lines[i] && !w.saidAlready(l.Text) {
			w.tell(i)
		}
	}
}

// word has a model word the draft, and gives out its sentences as they come. What the model does not do, or not in time, the template
// does: the draft as it is where nothing was said yet.
func (c *Concierge) word(ctx context.Context, s State, d draft) draft {
	if c.parts.Model == nil || d.Grounds == nil || s.Turn.Spec || s.Turn.Before != "" {
		return d
	}
	w := c.wording(ctx, s, d)
	began := c.opts.Now()
	failure := c.listen(ctx, w, c.request(s, d))
	if w.claims == 0 && failure == "" {
		failure = fellForNothing
	}
	w.use.Fallback = failure
	if len(w.told) > 0 {
		w.finish(failure != "")
		d = w.worded(d, s.Language)
	}
	d.Model = joined(d.Model, &w.use)
	d.ModelMS += milliseconds(c.opts.Now().Sub(began))
	return d
}

// wording prepares to listen.
func (c *Concierge) wording(ctx context.Context, s State, d draft) *wording {
	now := s.Turn.At.In(c.location(s.Turn))
	face, index := moodOf(d.Facts), 0
	evidence := func(items []grounding.Item) *grounding.Checker {
		return grounding.New(grounding.Evidence{Items: items, Now: now, Venue: c.venueNames, Names: c.otherNames})
	}
	return &wording{
		grounds: d.Grounds, lang: s.Language, checker: evidence(d.Grounds.Items), lines: map[int]bool{}, used: map[string]bool{},
		rules: prompts.ModelAnswer{Venue: c.parts.Venue.Name.In(string(s.Language))}.In(string(s.Language)),
		again: func(said string) *grounding.Checker {
			return evidence([]grounding.Item{{ID: "said", Kind: grounding.Passage, Text: said}})
		},
		say: func(sentence string) {
			for _, spoken := range speech(draft{Spoken: []string{sentence}}, s.Language, face) {
				graph.WriteCustom(ctx, Sentence{api.SpokenSentence{Index: index, Text: spoken.Text, Emotion: spoken.Emotion}})
				index++
			}
		},
		log: func(sentence, became, why string) {
			c.opts.Log.LogAttrs(ctx, slog.LevelDebug, "model sentence", slog.String("run_id", s.Turn.RunID), slog.String("became", became),
				slog.String("why", why), slog.String("sentence", sentence))
		},
		use: api.ModelUse{Name: c.parts.Model.Name(), Did: didWording},
	}
}

// request is what the model is asked.
func (c *Concierge) request(s State, d draft) llm.Request {
	lang := string(s.Language)
	evidence := prompts.ModelEvidence{Today: c.nowWords(s), Items: d.Grounds.Shown, Question: oneLine(d.Grounds.Question, maxAsked)}
	return llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: prompts.ModelAnswer{Venue: c.parts.Venue.Name.In(lang)}.In(lang)},
			{Role: llm.User, Text: evidence.In(lang)},
		},
		MaxTokens: maxAnswerTokens,
	}
}

// maxAsked is how many runes of a question a model reads.
const maxAsked = 500

// nowWords is the day and the time of the question, as they are read.
func (c *Concierge) nowWords(s State) string {
	now := s.Turn.At.In(c.location(s.Turn))
	return writtenDate(civil.DateOf(now), fullDate, s.Language) + inLang(s.Language, " ", ", ") + writtenClock(now, s.Language)
}

// listen hears a model out, in what is left of the turn's time but for a reserve. It returns why not to the end, if so.
func (c *Concierge) listen(ctx context.Context, w *wording, r llm.Request) (failure string) {
	limited, cancel := c.budget(ctx, 1)
	defer cancel()
	var cut grounding.Sentences
	var mind thoughts
	for d, err := range c.parts.Model.Stream(limited, r) {
		if err != nil {
			if ctx.Err() != nil { // nobody waits any more
				return string(llm.Late)
			}
			c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "model failed", slog.String("model", w.use.Name), slog.Any("err", err))
			w.unfinished(cut.Close())
			return failureOf(err)
		}
		for _, sentence := range cut.Write(mind.without(d.Text)) {
			if w.hear(sentence); w.full() {
				return w.enough()
			}
		}
		if d.End == nil {
			continue
		}
		w.use.Name = d.End.Model
		if d.End.Stop == llm.Length {
			w.unfinished(cut.Close())
			return fellForLength
		}
	}
	for _, sentence := range cut.Close() {
		if w.hear(sentence); w.full() {
			return w.enough()
		}
	}
	return ""
}

// enough is why nothing more is heard: a failure only where it was nonsense.
func (w *wording) enough() string {
	if w.refused >= maxRefused {
		return fellForNonsense
	}
	return ""
}

// unfinished leaves out what was cut off.
func (w *wording) unfinished(rest []string) {
	for _, sentence := range rest {
		w.became(sentence, becameDropped, whyUnfinished)
	}
}

// budget is the context of a request to a model: share of the turn's time at most, and never the last of it, which is for the template.
func (c *Concierge) budget(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithTimeout(ctx, time.Duration(share*float64(c.opts.Deadline)))
	deadline, ok := ctx.Deadline()
	if !ok {
		return limited, cancel
	}
	reserved, stop := context.WithDeadline(limited, deadline.Add(-c.opts.Deadline/reserve))
	return reserved, func() { stop(); cancel() }
}

// reserve is the part of a turn's time that no model gets, as the number of such parts in it.
const reserve = 10

// failureOf names what went wrong with a model.
func failureOf(err error) string {
	if kind := llm.KindOf(err); kind != "" {
		return string(kind)
	}
	return string(llm.Unfit)
}

// worded is the draft in the words that were said.
func (w *wording) worded(d draft, lang nlu.Language) draft {
	d.Text, d.Spoken = joinSentences(w.told, lang), slices.Clone(w.told)
	if len(w.grounds.Passages) > 0 && d.Facts.Events == 0 {
		d.Passages, d.Cards = nil, nil
		for _, item := range w.grounds.Items {
			if w.used[item.ID] {
				d.Passages, d.Cards = append(d.Passages, w.grounds.Passages[item.ID]), append(d.Cards, w.grounds.Cards[item.ID])
			}
		}
	}
	if len(w.grounds.Notes) > 0 {
		d.Text, d.Spoken = joinParts(d.Text, strings.Join(w.grounds.Notes, "\n")), append(d.Spoken, w.grounds.Notes...)
	}
	return d
}

// What a model was asked for.
const (
	didWording = "wording"
	didTools   = "tools"
	didRouting = "routing"
)

// joined is two uses of a model in one answer as one.
func joined(a, b *api.ModelUse) *api.ModelUse {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := *b
	out.Did = a.Did + "+" + b.Did
	out.Kept, out.Replaced, out.Dropped = a.Kept+b.Kept, a.Replaced+b.Replaced, a.Dropped+b.Dropped
	out.Sentences, out.Tools = append(slices.Clone(a.Sentences), b.Sentences...), append(slices.Clone(a.Tools), b.Tools...)
	if out.Fallback == "" {
		out.Fallback = a.Fallback
	}
	return &out
}

var (
	bullet   = regexp.MustCompile(`^(?:[-*•・#>]+|\d{1,2}[.)．、])\s+`)
	emphasis = strings.NewReplacer("**", "", "__", "", "`", "")
	// yesOrNo is not a model's to say: what it claims, it claims of the question.
	yesOrNo = regexp.MustCompile(`(?i)^(?:(?:はい|いいえ|ええ|いえ)[、,。！!\s]+|(?:yes|no|sure|certainly|of course|absolutely)[,.!]\s+)`)
)

// tidy takes off a sentence what models like to put around one.
func tidy(sentence string) string {
	s := oneLine(emphasis.Replace(sentence), maxPassage)
	s = strings.TrimSpace(strings.Map(noPicture, bullet.ReplaceAllString(s, "")))
	if rest := yesOrNo.ReplaceAllString(s, ""); rest != s {
		first, size := utf8.DecodeRuneInString(rest)
		s = string(unicode.ToUpper(first)) + rest[min(size, len(rest)):]
		if rest == "" {
			return ""
		}
	}
	return s
}

// noPicture drops pictures.
func noPicture(r rune) rune {
	if r == 0x200D || r >= 0xFE00 && r <= 0xFE0F || r > 0xFF && unicode.In(r, unicode.So, unicode.Sk) {
		return -1
	}
	return r
}

// hasMarkup reports whether a sentence has characters that nobody speaks.
func hasMarkup(s string) bool { return strings.ContainsAny(s, "<>{}[]|\\［］‹›") }

// inLanguage reports whether a sentence is in the language, but for the names of what it speaks of.
func inLanguage(s string, lang nlu.Language, g *grounds) bool {
	if lang == nlu.Japanese {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
	}
	for _, item := range g.Items {
		for _, half := range halves(item.Title) {
			s = strings.ReplaceAll(s, half, "")
		}
	}
	japanese, latin := 0, 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han):
			japanese++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	return latin > 0 && japanese <= latin/3
}

// Stretches of what a model was told that are no coincidence in an answer, in runes.
const (
	quotedJA = 14
	quotedEN = 32
)

// quotes reports whether a sentence repeats what the model was told.
func quotes(s, rules string) bool {
	runes := []rune(s)
	n := quotedEN
	if isJapanese(s) {
		n = quotedJA
	}
	for i := 0; i+n <= len(runes); i++ {
		if strings.Contains(rules, string(runes[i:i+n])) {
			return true
		}
	}
	return false
}

// pairsOf are the pairs of letters that stand beside each other.
func pairsOf(s string) map[[2]rune]bool {
	pairs := map[[2]rune]bool{}
	var before rune
	for _, r := range strings.ToLower(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			before = 0
			continue
		}
		if before != 0 {
			pairs[[2]rune{before, r}] = true
		}
		before = r
	}
	return pairs
}

// shareOf is how many of the pairs a text has, of 1.
func shareOf(pairs map[[2]rune]bool, text string) float64 {
	if len(pairs) == 0 {
		return 0
	}
	there, n := pairsOf(text), 0
	for p := range pairs {
		if there[p] {
			n++
		}
	}
	return float64(n) / float64(len(pairs))
}
