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
	// Features describe the option to what chooses. An option of each of the two kinds has all
	// features of its kind.
	Features map[string]float64

	near Candidate
}

// wholes are the kinds of what is no single subject.
var wholes = []nlu.About{
	nlu.AboutVenue, nlu.AboutEvents, nlu.AboutDate, nlu.AboutConcierge, nlu.AboutStaff, nlu.AboutVisitor,
	nlu.AboutUnknown, nlu.AboutNone,
}

// Options are what an utterance may be about, with their features.
func Options(r nlu.Reading, m Memory, near []Candidate) []Option {
	e := newEvidence(r, m, near)
	near = withMemory(near, m)
	var out []Option
	for _, c := range near {
		out = append(out, e.ofSubject(c))
	}
	compare(out)
	for _, about := range wholes {
		out = append(out, Option{About: about, Features: e.ofWhole(about)})
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
	asks                           map[string]float64 // how likely each group of kinds of answers is
	first                          bool               // nothing was said before
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

func (e evidence) ofSubject(c Candidate) Option {
	m, r := e.memory, e.reading
	o := Option{Subject: c.Subject, About: nlu.AboutSubject, near: c}
	at, seen := slices.IndexFunc(m.Subjects, c.Subject.Same), slices.IndexFunc(m.InView, c.Subject.Same)
	if at >= 0 {
		o.Subject = m.Subjects[at]
	}
	if seen >= 0 {
		o.Subject = m.InView[seen]
	}
	o.Kept = at >= 0 || seen >= 0
	last, earlier, older := flag(at == 0), flag(at == 1), flag(at > 1)
	listed, shown := flag(seen >= 0 && m.Listed), flag(seen >= 0 && !m.Listed)
	kept, bare := flag(o.Kept), flag(e.bare)
	titled, shared := flag(e.titled(c.Subject)), e.shared(c.Title+" "+c.Text+" "+o.Subject.Title)
	o.Features = map[string]float64{
		"subject": 1, "kept": kept, "score": c.Score, "behind": c.Score - e.best, "before": c.Before,
		"strength": clip(c.Strength), "joint": c.Joint, "cosine": c.Cosine, "bm25": math.Tanh(c.Words / wordsScale),
		"strong": flag(c.Strength > 0), "states": flag(c.States), "titled": titled, "shared": shared,
		"unshared": float64(len(e.content)) - shared, "words": float64(len(e.content)),
		"foreign": flag(c.Title != "" && japanese(c.Title+c.Text) != (r.Language == nlu.Japanese)),
		"event":   flag(c.Subject.Kind == Event), "passage": flag(c.Subject.Kind == Passage),
		"part": flag(c.Subject.Kind == Part),
		"last": last, "earlier": earlier, "older": older, "listed": listed, "shown": shown,
		"picked":        flag(!e.picked.IsZero() && e.picked.Same(c.Subject)),
		"last_same_ask": last * flag(r.Ask == m.Last.Ask),
		"last_short":    last * flag(isShort(r)), "last_adds": last * flag(r.Act == nlu.ActAdds),
		"last_listed": last * flag(m.Listed && seen < 0), "unlisted": kept * flag(m.Listed && seen < 0),
		"kept_changes": kept * flag(r.Act == nlu.ActChanges), "kept_bare": kept * bare, "score_bare": c.Score * bare,
		"named": r.Named, "score_named": c.Score * r.Named, "behind_named": (c.Score - e.best) * r.Named,
		"kept_named": kept * r.Named, "titled_named": titled * r.Named, "about": e.about(nlu.AboutSubject),
		"covered":    titleCovered(o.Subject.Title, e.text),
		"first_turn": flag(e.first), "states_first": flag(c.States && e.first),
		"ref_last": e.ref(nlu.RefLast), "last_ref": last * e.ref(nlu.RefLast), "ref_earlier": e.ref(nlu.RefEarlier),
		"earlier_ref": max(earlier, older) * e.ref(nlu.RefEarlier), "ref_item": e.ref(nlu.RefItem),
		"in_talk": likely(c.InTalk), "alone": likely(c.Alone), "kept_alone": kept * likely(c.Alone),
		"view_ref": max(listed, shown) * e.ref(nlu.RefItem), "ref_none": e.ref(nlu.RefNone),
	}
	for group, p := range e.asks {
		o.Features["event_ask_"+group] = flag(c.Subject.Kind == Event) * p
		o.Features["passage_ask_"+group] = flag(c.Subject.Kind == Passage) * p
		o.Features["part_ask_"+group] = flag(c.Subject.Kind == Part) * p
	}
	return o
}

// compare adds what an option of a subject is beside the others.
func compare(options []Option) {
	var kept, fresh, freshStates, lastStates, most, covered float64
	var cosine, joint, bm25, inTalk, alone, freshAlone float64
	for _, o := range options {
		f := o.Features
		most, covered = max(most, f["score"]), max(covered, f["covered"])
		cosine, joint, bm25 = max(cosine, f["cosine"]), max(joint, f["joint"]), max(bm25, f["bm25"])
		inTalk, alone = max(inTalk, f["in_talk"]), max(alone, f["alone"])
		lastStates = max(lastStates, f["last"]*f["states"])
		if o.Kept {
			kept = max(kept, f["score"])
			continue
		}
		freshAlone = max(freshAlone, f["alone"])
		fresh, freshStates = max(fresh, f["score"]), max(freshStates, f["score"]*f["states"])
	}
	for _, o := range options {
		old, f := flag(o.Kept), o.Features
		f["kept_beside"], f["kept_beside_states"] = old*fresh, old*freshStates
		f["silent_beside_states"] = old * (1 - f["states"]) * freshStates
		f["new_beside"], f["new_beside_states"] = (1-old)*kept, (1-old)*lastStates
		f["new_alone_states"] = (1 - old) * f["states"] * (1 - lastStates)
		f["first"] = flag(f["score"] == most)
		f["less_covered"] = covered - f["covered"]
		f["in_talk_behind"], f["alone_behind"] = f["in_talk"]-inTalk, f["alone"]-alone
		f["kept_beside_alone"] = old * freshAlone
		f["cosine_behind"], f["joint_behind"], f["bm25_behind"] = f["cosine"]-cosine, f["joint"]-joint, f["bm25"]-bm25
	}
}

func (e evidence) ofWhole(about nlu.About) map[string]float64 {
	m, r := e.memory, e.reading
	timed, same := flag(len(r.Times) > 0), flag(m.Last.About == about)
	venue, events := flag(about == nlu.AboutVenue), flag(about == nlu.AboutEvents)
	out := map[string]float64{
		"whole_about": e.about(about), "whole_same": same, "whole_time_same": flag(onlyTime(r)) * same,
		"whole_bare":  flag(e.bare),
		"whole_named": r.Named, "whole_best": e.best, "whole_strongest": clip(e.strongest),
		"whole_none": likely(e.none), "whole_none_alone": likely(e.noneAlone),
		"whole_in_talk": likely(e.inTalk), "whole_alone": likely(e.alone),
		"whole_kept": flag(len(m.Subjects) > 0),
		"venue_time": timed * venue, "events_time": timed * events,
		"venue_open":  venue * flag(r.Ask == nlu.AskIsOpen || r.Ask == nlu.AskUntilWhen),
		"events_asks": events * flag(r.Ask == nlu.AskEvents || r.Ask == nlu.AskCount),
	}
	for _, a := range wholes {
		is := flag(a == about)
		out["is_"+string(a)], out["best_"+string(a)], out["first_"+string(a)] = is, is*e.best, is*flag(e.first)
		for group, p := range e.asks {
			out[string(a)+"_ask_"+group] = is * p
		}
	}
	return out
}

// askGroups are kinds of answers that things of the same sort are asked for.
var askGroups = map[string][]nlu.Ask{
	"time": {
		nlu.AskWhen, nlu.AskUntilWhen, nlu.AskNext, nlu.AskStillOn, nlu.AskHowOften, nlu.AskHowLong, nlu.AskDate,
	},
	"place": {nlu.AskWhere, nlu.AskHowToGet},
	"price": {nlu.AskHowMuch},
	"may":   {nlu.AskMayI, nlu.AskForWhom, nlu.AskWhichLanguage},
	"need":  {nlu.AskNeedI, nlu.AskAvailability},
	"list":  {nlu.AskEvents, nlu.AskCount, nlu.AskWhich, nlu.AskCompare},
	"there": {nlu.AskIsThere},
	"how":   {nlu.AskHowDoI, nlu.AskContact},
	"what":  {nlu.AskWhatIs, nlu.AskWho, nlu.AskHowMany, nlu.AskConfirm},
	"open":  {nlu.AskIsOpen},
	"none":  {nlu.AskNone, nlu.AskRepeat, nlu.AskTranslate},
}

// groupsOf are how likely a reading asks for each group of kinds of answers.
func groupsOf(r nlu.Reading) map[string]float64 {
	out := map[string]float64{}
	for group, asks := range askGroups {
		out[group] = 0
		for _, ask := range asks {
			if r.Asks == nil {
				out[group] += flag(r.Ask == ask)
			}
			out[group] += r.Asks[ask]
		}
	}
	return out
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
