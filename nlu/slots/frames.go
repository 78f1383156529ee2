package slots

import (
	_ "embed"
	"slices"
	"sync"
)

//go:embed data/frames_ja.txt
var framesJapanese string

//go:embed data/frames_en.txt
var framesEnglish string

// frames are the words of commands themselves in a language, in lists that the data files explain. A list that a language does
// not have is empty.
type frames struct {
	forward, backward *wordClasses // the second has every word from its end

	boundary, head, light, verb, ending, object, particle, inner, polite, loose, tail, anywhere classes
	behind, timeBefore, placeBefore                                                             classes
	empty, all, free, suggest, later, earlier, before, opener                                   classes
	placeOf, titleOf, timeOf, become, longer, shorter, long, sometime, answer, off, mine        classes
	tell, told, pick, numbered, pickEnd, proposal                                               classes
	noteOf, noteIs, noteWith, noteBehind, noteAsked, quote                                      classes

	noteOnto, noteSay, noteVerb, placeSaid, titleSaid, titleWith, also classes
	show, emptying, finding, changing, removing, called, inviting      classes
	making, telling                                                    classes
}

var japaneseFrames = sync.OnceValue(func() *frames { return parseFrames(framesJapanese, Japanese) })

var englishFrames = sync.OnceValue(func() *frames { return parseFrames(framesEnglish, English) })

func framesOf(lang string) *frames {
	if lang == Japanese {
		return japaneseFrames()
	}
	return englishFrames()
}

func parseFrames(file, lang string) *frames {
	f := &frames{
		forward:  parseWords(file, lang, asWritten),
		backward: parseWords(file, lang, slices.Reverse[[]token]),
	}
	for name, list := range map[string]*classes{
		"boundary": &f.boundary, "head": &f.head, "light": &f.light, "verb": &f.verb, "ending": &f.ending, "object": &f.object,
		"particle": &f.particle, "inner": &f.inner, "polite": &f.polite, "loose": &f.loose, "tail": &f.tail,
		"anywhere": &f.anywhere, "behind": &f.behind,
		"timebefore": &f.timeBefore, "placebefore": &f.placeBefore, "empty": &f.empty, "all": &f.all, "free": &f.free,
		"suggest": &f.suggest, "later": &f.later, "earlier": &f.earlier, "before": &f.before, "opener": &f.opener,
		"placeof": &f.placeOf, "titleof": &f.titleOf, "timeof": &f.timeOf, "become": &f.become, "longer": &f.longer, "shorter": &f.shorter,
		"long": &f.long, "sometime": &f.sometime, "answer": &f.answer, "off": &f.off, "mine": &f.mine,
		"noteof": &f.noteOf, "noteis": &f.noteIs, "notewith": &f.noteWith, "notebehind": &f.noteBehind, "quote": &f.quote, "noteasked": &f.noteAsked, "tell": &f.tell, "told": &f.told,
		"noteonto": &f.noteOnto, "notesay": &f.noteSay, "noteverb": &f.noteVerb, "also": &f.also,
		"placesaid": &f.placeSaid, "titlesaid": &f.titleSaid, "titlewith": &f.titleWith, "show": &f.show,
		"making": &f.making, "telling": &f.telling, "called": &f.called, "inviting": &f.inviting,
		"changing": &f.changing, "removing": &f.removing, "emptying": &f.emptying, "finding": &f.finding,
		"pick": &f.pick, "numbered": &f.numbered, "pickend": &f.pickEnd, "proposal": &f.proposal,
	} {
		*list = f.forward.class(name)
	}
	return f
}

// A strip is the tokens of a reading that may still be part of something, in order.
type strip struct {
	tokens []token
	frames *frames
	keep   []int
}

// at returns how many tokens the longest word of some lists has that begins at the n-th token kept.
func (s *strip) at(n int, lists classes) int {
	w := s.frames.forward
	node, best := int32(0), 0
	for k := n; k < len(s.keep); k++ {
		if node = w.step(node, s.tokens[s.keep[k]].hash); node == 0 {
			break
		}
		if w.ends[node]&lists != 0 {
			best = k + 1 - n
		}
	}
	return best
}

// before returns how many tokens the longest word of some lists has that ends before the n-th token kept.
func (s *strip) before(n int, lists classes) int {
	best := 0
	s.lengths(n, lists, func(length int) { best = length })
	return best
}

// lengths calls yield with the length of every word of some lists that ends before the n-th token kept, the shortest first.
func (s *strip) lengths(n int, lists classes, yield func(length int)) {
	w, node := s.frames.backward, int32(0)
	for k := n - 1; k >= 0; k-- {
		if node = w.step(node, s.tokens[s.keep[k]].hash); node == 0 {
			return
		}
		if w.ends[node]&lists != 0 {
			yield(n - k)
		}
	}
}

// said returns all lists of which a word stands somewhere.
func (s *strip) said() classes {
	w := s.frames.forward
	var found classes
	for n := range s.keep {
		node := int32(0)
		for k := n; k < len(s.keep); k++ {
			if node = w.step(node, s.tokens[s.keep[k]].hash); node == 0 {
				break
			}
			found |= w.ends[node]
		}
	}
	return found
}

// drop takes out the tokens kept in [from, to).
func (s *strip) drop(from, to int) { s.keep = slices.Delete(s.keep, from, to) }

// clear takes out the words of some lists wherever they stand.
func (s *strip) clear(lists classes) {
	for n := 0; n < len(s.keep); {
		if length := s.at(n, lists); length > 0 {
			s.drop(n, n+length)
			continue
		}
		n++
	}
}

// dropHead takes words of some lists from the beginning. What the text itself begins with is no particle (はいはい教室), and
// neither is what begins a word in hiragana.
func (s *strip) dropHead(lists classes) {
	for n := s.at(0, lists); n > 0; n = s.at(0, lists) {
		if particle := s.at(0, s.frames.particle); n == particle && s.keep[0] == 0 || n <= particle && s.beginsWord(n) {
			return
		}
		s.drop(0, n)
	}
}

// dropTail takes words of some lists from the end.
func (s *strip) dropTail(lists classes) {
	for n := s.before(len(s.keep), lists); n > 0; n = s.before(len(s.keep), lists) {
		s.keep = s.keep[:len(s.keep)-n]
	}
}
