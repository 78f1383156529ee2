package talk

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"annai/nlu"
)

// An Option is something that an utterance may be about: a subject, or one of the kinds that are no
// single subject.
type Option struct {
	Subject Subject
	About   nlu.About
	// Kept says that the subject was spoken of, or listed, before.
	Kept bool

	// told says that the last answer was this passage, which does not state what is asked.
	told bool
	// features describe the option to what chooses.
	features []float64
	near     Candidate
}

// Features are the numbers that describe the option to what chooses, by their names, but for those that are 0.
func (o Option) Features() map[string]float64 {
	out := map[string]float64{}
	for i, name := range featureNames {
		if o.features[i] != 0 {
			out[name] = o.features[i]
		}
	}
	return out
}

// Options are what an utterance may be about, with their features.
func Options(r nlu.Reading, m Memory, near []Candidate) []Option {
	e := newEvidence(r, m, near)
	near = withMemory(near, m)
	out := make([]Option, 0, len(near)+len(wholes))
	features := make([]float64, cap(out)*numFeatures) // of all options
	for _, c := range near {
		out = append(out, e.ofSubject(c, features[:numFeatures:numFeatures]))
		features = features[numFeatures:]
	}
	compare(out)
	for i, about := range wholes {
		out = append(out, Option{About: about, features: features[:numFeatures:numFeatures]})
		e.ofWhole(i, about, out[len(out)-1].features)
		features = features[numFeatures:]
	}
	return out
}

// evidence is what the features of all options are made of.
type evidence struct {
	reading         nlu.Reading
	memory          Memory
	text            string // in lower case
	bare            bool   // it has no words that say what it is about
	content         []string
	best, strongest float64
	// how likely it is about no candidate, in its talk and by its words alone, and how likely about the likeliest
	none, noneAlone, inTalk, alone float64
	picked                         Subject
	asks                           [len(askGroups)]float64 // how likely each group of kinds of answers is
	first                          bool                    // nothing was said before
}

func newEvidence(r nlu.Reading, m Memory, near []Candidate) evidence {
	e := evidence{
		reading: r, memory: m, bare: !hasContent(r.Keywords), text: strings.ToLower(r.Text), asks: groupsOf(r),
		first: m.Said == "" && m.Last.Ask == "",
	}
	for _, w := range r.Keywords {
		if hasContent([]string{w}) {
			e.content = append(e.content, w)
		}
	}
	for _, c := range near {
		e.best, e.strongest = max(e.best, c.Score), max(e.strongest, c.Strength)
		e.inTalk, e.alone = max(e.inTalk, c.InTalk), max(e.alone, c.Alone)
	}
	e.none, e.noneAlone = none(near)
	e.picked, _ = item(r, m)
	return e
}

// ofSubject is a candidate as an option, whose features are put into a slice of zeros.
func (e evidence) ofSubject(c Candidate, features []float64) Option {
	m, r := e.memory, e.reading
	o := Option{Subject: c.Subject, About: nlu.AboutSubject, features: features, near: c}
	at, seen := slices.IndexFunc(m.Subjects, c.Subject.Same), slices.IndexFunc(m.InView, c.Subject.Same)
	if at >= 0 {
		o.Subject = m.Subjects[at]
	}
	if seen >= 0 {
		o.Subject = m.InView[seen]
	}
	o.Kept = at >= 0 || seen >= 0
	asks := r.Act == nlu.ActAsks && r.Ask != nlu.AskConfirm
	o.told = c.Subject.Kind == Passage && at == 0 && asks && !e.bare && !c.States
	last, earlier, older := flag(at == 0), flag(at == 1), flag(at > 1)
	listed, shown := flag(seen >= 0 && m.Listed), flag(seen >= 0 && !m.Listed)
	kept, bare := flag(o.Kept), flag(e.bare)
	titled, shared := flag(e.titled(c.Subject)), e.shared(c.Title+" "+c.Text+" "+o.Subject.Title)
	copy(features, []float64{
		featureSubject: 1, featureKept: kept, featureScore: c.Score, featureBehind: c.Score - e.best,
		featureBefore:   c.Before,
		featureStrength: clip(c.Strength), featureJoint: c.Joint, featureCosine: c.Cosine,
		featureBM25:   math.Tanh(c.Words / wordsScale),
		featureStrong: flag(c.Strength > 0), featureStates: flag(c.States), featureTitled: titled,
		featureShared:   shared,
		featureUnshared: float64(len(e.content)) - shared, featureWords: float64(len(e.content)),
		featureForeign: flag(c.Title != "" && japanese(c.Title+c.Text) != (r.Language == nlu.Japanese)),
		featureEvent:   flag(c.Subject.Kind == Event), featurePassage: flag(c.Subject.Kind == Passage),
		featurePart: flag(c.Subject.Kind == Part),
		featureLast: last, featureEarlier: earlier, featureOlder: older, featureListed: listed, featureShown: shown,
		featurePicked:      flag(!e.picked.IsZero() && e.picked.Same(c.Subject)),
		featureLastSameAsk: last * flag(r.Ask == m.Last.Ask),
		featureLastShort:   last * flag(isShort(r)), featureLastAdds: last * flag(r.Act == nlu.ActAdds),
		featureLastListed: last * flag(m.Listed && seen < 0), featureUnlisted: kept * flag(m.Listed && seen < 0),
		featureKeptChanges: kept * flag(r.Act == nlu.ActChanges), featureKeptBare: kept * bare,
		featureScoreBare: c.Score * bare,
		featureNamed:     r.Named, featureScoreNamed: c.Score * r.Named,
		featureBehindNamed: (c.Score - e.best) * r.Named,
		featureKeptNamed:   kept * r.Named, featureTitledNamed: titled * r.Named,
		featureAbout:     e.about(nlu.AboutSubject),
		featureCovered:   titleCovered(o.Subject.Title, e.text),
		featureFirstTurn: flag(e.first), featureStatesFirst: flag(c.States && e.first),
		featureRefLast: e.ref(nlu.RefLast), featureLastRef: last * e.ref(nlu.RefLast),
		featureRefEarlier: e.ref(nlu.RefEarlier),
		featureEarlierRef: max(earlier, older) * e.ref(nlu.RefEarlier), featureRefItem: e.ref(nlu.RefItem),
		featureInTalk: likely(c.InTalk), featureAlone: likely(c.Alone), featureKeptAlone: kept * likely(c.Alone),
		featureViewRef: max(listed, shown) * e.ref(nlu.RefItem), featureRefNone: e.ref(nlu.RefNone),
	})
	switch c.Subject.Kind {
	case Event:
		copy(features[asksOf(askedEvent):], e.asks[:])
	case Passage:
		copy(features[asksOf(askedPassage):], e.asks[:])
	case Part:
		copy(features[asksOf(askedPart):], e.asks[:])
	}
	return o
}

// compare adds what an option of a subject is beside the others.
func compare(options []Option) {
	var kept, fresh, freshStates, lastStates, most, covered float64
	var cosine, joint, bm25, inTalk, alone, freshAlone float64
	for _, o := range options {
		f := o.features
		most, covered = max(most, f[featureScore]), max(covered, f[featureCovered])
		cosine, joint, bm25 = max(cosine, f[featureCosine]), max(joint, f[featureJoint]), max(bm25, f[featureBM25])
		inTalk, alone = max(inTalk, f[featureInTalk]), max(alone, f[featureAlone])
		lastStates = max(lastStates, f[featureLast]*f[featureStates])
		if o.Kept {
			kept = max(kept, f[featureScore])
			continue
		}
		freshAlone = max(freshAlone, f[featureAlone])
		fresh, freshStates = max(fresh, f[featureScore]), max(freshStates, f[featureScore]*f[featureStates])
	}
	for _, o := range options {
		old, f := flag(o.Kept), o.features
		f[featureKeptBeside], f[featureKeptBesideStates] = old*fresh, old*freshStates
		f[featureSilentBesideStates] = old * (1 - f[featureStates]) * freshStates
		f[featureNewBeside], f[featureNewBesideStates] = (1-old)*kept, (1-old)*lastStates
		f[featureNewAloneStates] = (1 - old) * f[featureStates] * (1 - lastStates)
		f[featureFirst] = flag(f[featureScore] == most)
		f[featureLessCovered] = covered - f[featureCovered]
		f[featureInTalkBehind], f[featureAloneBehind] = f[featureInTalk]-inTalk, f[featureAlone]-alone
		f[featureKeptBesideAlone] = old * freshAlone
		f[featureCosineBehind], f[featureJointBehind] = f[featureCosine]-cosine, f[featureJoint]-joint
		f[featureBM25Behind] = f[featureBM25] - bm25
	}
}

// ofWhole puts the features of a whole, given with its place among them, into a slice of zeros.
func (e evidence) ofWhole(at int, about nlu.About, features []float64) {
	m, r := e.memory, e.reading
	timed, same := flag(len(r.Times) > 0), flag(m.Last.About == about)
	venue, events := flag(about == nlu.AboutVenue), flag(about == nlu.AboutEvents)
	f := features
	f[featureWholeAbout], f[featureWholeSame], f[featureWholeTimeSame] = e.about(about), same, flag(onlyTime(r))*same
	f[featureWholeBare], f[featureWholeNamed], f[featureWholeKept] = flag(e.bare), r.Named, flag(len(m.Subjects) > 0)
	f[featureWholeBest], f[featureWholeStrongest] = e.best, clip(e.strongest)
	f[featureWholeNone], f[featureWholeNoneAlone] = likely(e.none), likely(e.noneAlone)
	f[featureWholeInTalk], f[featureWholeAlone] = likely(e.inTalk), likely(e.alone)
	f[featureVenueTime], f[featureEventsTime] = timed*venue, timed*events
	f[featureVenueOpen] = venue * flag(r.Ask == nlu.AskIsOpen || r.Ask == nlu.AskUntilWhen)
	f[featureEventsAsks] = events * flag(r.Ask == nlu.AskEvents || r.Ask == nlu.AskCount)
	f[ofWholeIs(at, wholeIs)], f[ofWholeIs(at, wholeBest)], f[ofWholeIs(at, wholeFirst)] = 1, e.best, flag(e.first)
	copy(f[asksOf(askedSubjects+at):], e.asks[:])
}

// titleCovered is which part of a title, or of its half in a language, a text has: of the pairs of
// characters in it.
func titleCovered(title, text string) (most float64) {
	for half := range strings.SplitSeq(strings.ToLower(title), " / ") {
		pairs, in := 0, 0
		for _, word := range strings.FieldsFunc(half, apart) {
			runes := []rune(word)
			for i := range len(runes) - 1 {
				pairs++
				in += int(flag(strings.Contains(text, string(runes[i:i+2]))))
			}
		}
		if pairs > 0 {
			most = max(most, float64(in)/float64(pairs))
		}
	}
	return most
}

// apart reports whether a character stands between words.
func apart(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// titled reports whether the utterance has a title, or its half in a language.
func (e evidence) titled(s Subject) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(s.Title), " / "), func(half string) bool {
		return half != "" && strings.Contains(e.text, half)
	})
}

// shared is how many of the utterance's words that carry meaning stand in a text.
func (e evidence) shared(text string) (n float64) {
	if len(e.content) == 0 {
		return 0
	}
	low := strings.ToLower(text)
	for _, w := range e.content {
		n += flag(strings.Contains(low, w))
	}
	return n
}

// about says how likely a kind of thing is.
func (e evidence) about(a nlu.About) float64 {
	p := flag(e.reading.About == a)
	if e.reading.Abouts != nil {
		p = e.reading.Abouts[a]
	}
	return likely(p)
}

// likely is the logarithm of a probability, 0 for the least that counts.
func likely(p float64) float64 { return math.Log(max(p, leastLikely)) - math.Log(leastLikely) }

// ref is how likely a reference is.
func (e evidence) ref(ref nlu.Ref) float64 {
	if e.reading.Refs == nil {
		return flag(e.reading.Ref == ref)
	}
	return e.reading.Refs[ref]
}

// wordsScale is the BM25 of some words that are told apart well.
const wordsScale = 8

// leastLikely is the probability below which differences tell nothing.
const leastLikely = 1e-3

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func clip(x float64) float64 { return max(-1, min(1, x)) }

func japanese(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.In(c, unicode.Hiragana, unicode.Katakana) })
}
