package nodes

import (
	"regexp"
	"slices"
	"strings"

	"annai/api"
	"annai/grounding"
	"annai/nlu"
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
