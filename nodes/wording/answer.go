package wording

import (
	_ "embed"
	"slices"
	"strings"

	"annai/grounding"
	"annai/nlu"
)

// Bounds of what is heard of a model.
const (
	MaxTokens  = 480
	maxTold    = 5 // sentences that are said
	maxRefused = 4 // sentences that are not, after which no more is heard
	maxSpoken  = 3 // sentences of the template's that go on after a failure
)

// What became of a sentence.
const (
	Kept     = "kept"
	Replaced = "replaced"
	Dropped  = "dropped"
)

// Why a sentence was not kept.
const (
	whyUnsupported = "unsupported"
	whyLanguage    = "language"
	whyMarkup      = "markup"
	whyPrompt      = "prompt"
	whyClaimless   = "claimless"
	whyRepeated    = "repeated"
	whyUnfinished  = "unfinished"
	whyIncomplete  = "incomplete"
)

// A Use says what became of the sentences of a model. It holds no word of them.
type Use struct {
	// Name is that of the model that answered, or was asked; Did is what for.
	Name string `json:"name"`
	Did  string `json:"did,omitempty"`

	Kept      int      `json:"kept,omitempty"`
	Replaced  int      `json:"replaced,omitempty"`
	Dropped   int      `json:"dropped,omitempty"`
	Sentences []Became `json:"sentences,omitempty"`
	// Fallback is why the rest is the template's; empty where the model came to its end.
	Fallback string `json:"fallback,omitempty"`
	// Tools are the tools that were called for it, in order.
	Tools []string `json:"tools,omitempty"`
}

// Became is what became of a sentence, and why it was not kept.
type Became struct {
	What, Why string
}

// Options are what an [Answer] needs besides its evidence.
type Options struct {
	Language nlu.Language
	// Checker holds sentences against the evidence.
	Checker *grounding.Checker
	// Rules are what the model was told, none of which is to be said.
	Rules string
	// Say says a sentence; nil says nothing. Log is told what became of each; nil tells nobody.
	Say func(sentence string)
	Log func(sentence, became, why string)
}

// An Answer is one that a model words, sentence by sentence: each is said once the evidence bears
// it, and what it does not bear is said as the template says it, or not at all.
type Answer struct {
	evidence *Evidence
	opts     Options

	last    grounding.Verdict
	told    []string        // what was said
	lines   map[int]bool    // the template's lines that were said
	used    map[string]bool // the items that were spoken of
	claims  int
	refused int
	use     Use
}

// New prepares to hear a model, which has the name until it says its own.
func New(e *Evidence, model string, opts Options) *Answer {
	if opts.Say == nil {
		opts.Say = func(string) {}
	}
	if opts.Log == nil {
		opts.Log = func(string, string, string) {}
	}
	return &Answer{evidence: e, opts: opts, lines: map[int]bool{}, used: map[string]bool{}, use: Use{Name: model}}
}

// Full reports whether enough was heard.
func (a *Answer) Full() bool { return len(a.told) >= maxTold || a.refused >= maxRefused }

// Claims reports whether anything of the evidence was said.
func (a *Answer) Claims() bool { return a.claims > 0 }

// Told is what was said.
func (a *Answer) Told() []string { return slices.Clone(a.told) }

// Uses reports whether an item was spoken of.
func (a *Answer) Uses(id string) bool { return a.used[id] }

// Use is what became of the model's sentences.
func (a *Answer) Use() Use { return a.use }

// Hear takes the next sentence of the model's. One that holds several is cut.
func (a *Answer) Hear(s Sentence) {
	var cut grounding.Sentences
	for _, text := range append(cut.Write(s.Text), cut.Close()...) {
		if !a.Full() {
			a.hear(tidy(text), a.evidence.cited(s.From))
		}
	}
}

func (a *Answer) hear(text string, from []string) {
	why := ""
	switch {
	case text == "":
		return
	case hasMarkup(text):
		why = whyMarkup
	case !inLanguage(text, a.opts.Language, a.evidence):
		why = whyLanguage
	case quotes(text, a.opts.Rules):
		why = whyPrompt
	}
	var v grounding.Verdict
	if why == "" {
		v, why = a.judge(text, from)
	}
	if why == "" {
		a.keep(text, v)
		a.became(text, Kept, "")
		return
	}
	a.refused++
	if why != whyClaimless && why != whyRepeated {
		i := a.nearest(text)
		if why == whyIncomplete {
			i = a.omitted(text, v)
		}
		if i >= 0 {
			a.tell(i)
			a.became(text, Replaced, why)
			return
		}
	}
	a.became(text, Dropped, why)
}

func (a *Answer) became(text, what, why string) {
	a.use.Sentences = append(a.use.Sentences, Became{what, why})
	switch what {
	case Kept:
		a.use.Kept++
	case Replaced:
		a.use.Replaced++
	default:
		a.use.Dropped++
	}
	a.opts.Log(text, what, why)
}

// judge holds a sentence against the evidence. One that claims nothing and cites nothing is not
// said: "yes, there is" has nothing to be held against.
func (a *Answer) judge(text string, from []string) (v grounding.Verdict, why string) {
	v = a.opts.Checker.CheckAfter(a.last, text, from...)
	if len(v.Uses) == 0 {
		v.Uses = from
	}
	switch {
	case !v.OK:
		return v, whyUnsupported
	case len(v.Uses) == 0 && !v.Unknown:
		return v, whyClaimless
	case a.saidAlready(text), echoes(text, a.evidence.Said):
		return v, whyRepeated
	case a.omitted(text, v) >= 0:
		return v, whyIncomplete
	}
	return v, ""
}

//go:embed restrictions.txt
var restrictionsFile string

// restrictions are words that restrict what a sentence says, without which it says more, and after
// "!" what only looks like one.
var restrictions = strings.Fields(restrictionsFile)

// restricted reports whether a sentence has one of them, English ones as whole words.
func restricted(text string) bool {
	text = " " + strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(",.;:!?", r) {
			return ' '
		}
		return r
	}, text)) + " "
	for _, w := range restrictions { // what only looks like one
		if look, ok := strings.CutPrefix(w, "!"); ok {
			text = strings.ReplaceAll(text, look, "")
		}
	}
	return slices.ContainsFunc(restrictions, func(w string) bool { return strings.Contains(text, strings.ReplaceAll(w, "_", " ")) })
}

// omitted is the line of the template's that restricts what a sentence says without restriction, or
// -1: "the building is accessible" of a building of which only the first floor is.
func (a *Answer) omitted(text string, v grounding.Verdict) int {
	if restricted(text) {
		return -1
	}
	best, most, n := -1, 0.0, 0
	pairs := pairsOf(text)
	for i, l := range a.evidence.Lines {
		if !slices.Contains(v.Uses, l.Item) {
			continue
		}
		n++
		if share := shareOf(pairs, l.Text); best < 0 || share > most {
			best, most = i, share
		}
	}
	if best < 0 || n > 1 && most < alike || a.lines[best] || !restricted(a.evidence.Lines[best].Text) {
		return -1
	}
	return best
}

// repeated is how much of a sentence what was said must have for it to say nothing new, and retold
// the same of the template's.
const (
	repeated = 0.9
	retold   = 0.6
)

// toldAlready reports whether what a line of the template's says was said, in other words.
func (a *Answer) toldAlready(line string) bool {
	pairs := pairsOf(line)
	return slices.ContainsFunc(a.told, func(told string) bool {
		return shareOf(pairs, told) >= retold || shareOf(pairsOf(told), line) >= retold
	})
}

// saidAlready reports whether all that a sentence says was said before.
func (a *Answer) saidAlready(text string) bool {
	pairs := pairsOf(text)
	return slices.ContainsFunc(a.told, func(told string) bool { return shareOf(pairs, told) >= repeated })
}

func (a *Answer) keep(text string, v grounding.Verdict) {
	a.last = v
	a.claims++
	for _, id := range v.Uses {
		if len(a.evidence.Items) == 1 || a.kind(id) == grounding.Passage || names(text, a.evidence.title(id)) {
			a.used[id] = true
		}
	}
	a.out(text)
}

func (a *Answer) kind(id string) grounding.Kind {
	for i := range a.evidence.Items {
		if a.evidence.Items[i].ID == id {
			return a.evidence.Items[i].Kind
		}
	}
	return ""
}

// tell says a line of the template's.
func (a *Answer) tell(i int) {
	l := a.evidence.Lines[i]
	a.lines[i], a.used[l.Item] = true, true
	a.last = grounding.Verdict{OK: true, Uses: []string{l.Item}}
	a.claims++
	a.out(l.Text)
}

func (a *Answer) out(text string) {
	a.told = append(a.told, text)
	a.opts.Say(text)
}

// alike is how much of a sentence another must have to be said in its place.
const alike = 0.25

// nearest returns the line of the template's that says most of what a sentence is about and was not
// said yet, or -1.
func (a *Answer) nearest(text string) int {
	best, most := -1, alike
	pairs := pairsOf(text)
	for i, l := range a.evidence.Lines {
		if share := shareOf(pairs, l.Text); !a.lines[i] && share >= most && !a.toldAlready(l.Text) {
			best, most = i, share+1e-9
		}
	}
	return best
}

// Finish says what must be said, and after a failure what the template would have said besides.
func (a *Answer) Finish(failed bool) {
	for i, l := range a.evidence.Lines {
		wanted := l.Must && !a.used[l.Item] || failed && !l.Must && len(a.told) < maxSpoken && a.used[l.Item]
		if wanted && !a.lines[i] && !a.toldAlready(l.Text) {
			a.tell(i)
		}
	}
}

// enough is why nothing more is heard: a failure only where it was nonsense.
func (a *Answer) enough() string {
	if a.refused >= maxRefused {
		return FellForNonsense
	}
	return ""
}

// Unfinished leaves out sentences that were cut off.
func (a *Answer) Unfinished(n int) {
	for range n {
		a.became("", Dropped, whyUnfinished)
	}
}
