package slots

import "strings"

// title finds what remains when times, places and the words of the command are taken away.
func (i *interpreter) title() {
	i.cutTimes()
	s := &strip{tokens: i.r.tokens, frames: i.f, keep: make([]int, 0, len(i.r.tokens))}
	for n := range i.r.tokens {
		if !i.cut[n] {
			s.keep = append(s.keep, n)
		}
	}
	s.clear(i.f.anywhere)
	strips := s.english
	if i.r.lang == Japanese {
		strips = s.japanese
	}
	if i.c.Operation == Create {
		s.plan(i.r)
	}
	if isClause := strips(); !isClause {
		some := i.aroundSlots(s)
		if !some && i.c.Operation == Query && !i.c.NoteAsked && (!i.c.Suggest || i.r.lang == Japanese) {
			return // what is left of a question is most likely the question
		}
		s.trim(i.r.lang)
	}
	if i.c.Suggest {
		s.dropTail(i.f.proposal)
	}
	if i.says(s) {
		i.c.Title = i.r.join(s.keep)
	}
}

// english takes the command away from both ends, and reports whether what is left is a clause to be remembered.
func (s *strip) english() (isClause bool) {
	f := s.frames
	for len(s.keep) > 0 {
		n := s.at(0, f.boundary)
		switch {
		case n > 0:
			isClause = true
		case isClause:
			n = s.at(0, f.light)
		default:
			n = s.at(0, f.head)
		}
		if n == 0 {
			break
		}
		s.drop(0, n)
	}
	if isClause {
		s.dropTail(f.polite | f.loose)
	} else {
		s.dropTail(f.polite | f.loose | f.tail)
	}
	return isClause
}

// japanese takes the command away from both ends, and reports whether what is left is a clause to be remembered. A second verb is
// part of the title if a particle parts it from the first (免許の更新|をリマインドして), unless it says little.
func (s *strip) japanese() (isClause bool) {
	f := s.frames
	wasVerb, wasParted, particle := false, false, -1 // the token at which the last one that was dropped begins
	for len(s.keep) > 0 && !isClause {
		n := 0
		if wasVerb {
			n = s.before(len(s.keep), f.boundary)
			isClause = n > 0
		}
		if n == 0 {
			n = s.verbPhrase(f.light)
		}
		if n == 0 && !wasParted {
			if n = s.verbPhrase(f.verb); n > 0 {
				wasVerb = true
			}
		}
		if n == 0 {
			n = s.before(len(s.keep), f.object|f.particle|f.polite)
			if n > 0 && n == s.before(len(s.keep), f.particle) {
				last := s.keep[len(s.keep)-1]
				if s.endsWord(n) && (particle == last+1 || n == s.before(len(s.keep), f.inner)) {
					break
				}
				particle = s.keep[len(s.keep)-n]
			}
			wasParted = wasVerb
		}
		if n == 0 {
			break
		}
		s.keep = s.keep[:len(s.keep)-n]
	}
	if isClause {
		s.keep = s.keep[:len(s.keep)-s.verbPhrase(f.light)]
		s.dropTail(f.particle)
	}
	s.dropHead(f.head)
	return isClause
}

// endsWord reports whether the last n tokens kept may as well be the end of a word in hiragana: すい|か, とら|や.
func (s *strip) endsWord(n int) bool {
	at := len(s.keep) - n
	return at > 0 && s.oneWord(at-1)
}

// beginsWord reports whether the first n tokens kept may as well be the beginning of a word in hiragana: の|はら, も|ちつき.
func (s *strip) beginsWord(n int) bool {
	return n < len(s.keep) && s.oneWord(n-1)
}

// oneWord reports whether the k-th token kept and the next are of one run of hiragana.
func (s *strip) oneWord(k int) bool {
	if s.keep[k]+1 != s.keep[k+1] {
		return false
	}
	a, b := s.tokens[s.keep[k]], s.tokens[s.keep[k+1]]
	return a.shape == shapeHiragana && b.shape == shapeHiragana && !b.gap
}

// plan takes away what only tells that there is a plan: 会議|があるんだ, 友達と食事|する. What is done to something stays: 子供を迎えに行く.
func (s *strip) plan(r *reading) {
	s.dropTail(s.frames.tell)
	n := s.before(len(s.keep), s.frames.told)
	if n == 0 || n == len(s.keep) {
		return
	}
	for _, k := range s.keep[:len(s.keep)-n] {
		if r.word(k) == "を" {
			return
		}
	}
	s.keep = s.keep[:len(s.keep)-n]
}

// longestEnding is how many tokens the endings of a verb have at most, together.
const longestEnding = 24

// verbPhrase returns how many tokens the verb at the end has, with its endings.
func (s *strip) verbPhrase(verbs classes) int {
	end, longest := len(s.keep), 0
	var reached [longestEnding + 1]bool
	reached[0] = true
	for n := range reached {
		if !reached[n] {
			continue
		}
		if length := s.before(end-n, verbs); length > 0 {
			longest = max(longest, n+length)
		}
		s.lengths(end-n, s.frames.ending, func(length int) {
			if n+length < len(reached) {
				reached[n+length] = true
			}
		})
	}
	return longest
}

// trim takes small words from both ends.
func (s *strip) trim(lang string) {
	f := s.frames
	if lang == Japanese {
		s.dropHead(f.head)
		for n := s.before(len(s.keep), f.particle); n > 0 && !s.endsWord(n); n = s.before(len(s.keep), f.particle) {
			s.keep = s.keep[:len(s.keep)-n]
		}
		return
	}
	s.dropHead(f.light)
	s.dropTail(f.polite | f.loose | f.tail)
}

// aroundSlots keeps of what remains the part in which slots name what it is about, up to words of the command, and reports whether
// any slot does. If none does, all is kept.
func (i *interpreter) aroundSlots(s *strip) (some bool) {
	named := make([]bool, len(i.r.tokens))
	for _, slot := range of(i.c.Slots, Event, Other, Person) {
		from, to := i.r.tokensOf(slot.Start, slot.End)
		for n := from; n < to; n++ {
			named[n] = true
		}
	}
	first, last := -1, -1
	for k, n := range s.keep {
		if named[n] {
			last = k
			if first < 0 {
				first = k
			}
		}
	}
	if first < 0 {
		return false
	}
	goesOn := func(k, beside int) bool {
		n := s.keep[k]
		if n-s.keep[beside] != k-beside {
			return false
		}
		t, next := i.r.tokens[n], i.r.tokens[s.keep[beside]]
		isWord := t.shape == shapeKanji && next.shape == shapeKanji && t.run == next.run // 食事
		inWord := isWord && k == len(s.keep)-1
		return named[n] || inWord || t.classes&i.r.words.command == 0
	}
	for first > 0 && goesOn(first-1, first) {
		first--
	}
	for last+1 < len(s.keep) && goesOn(last+1, last) {
		last++
	}
	s.keep = s.keep[first : last+1]
	return true
}

// longestTitle is how many tokens a title has at most; more is a speech.
const longestTitle = 40

// says reports whether what remains names anything: more than an entry as such.
func (i *interpreter) says(s *strip) bool {
	if len(s.keep) > longestTitle {
		return false
	}
	w := i.r.words
	for k := 0; k < len(s.keep); {
		if n := s.at(k, i.f.empty|i.f.particle|i.f.light); n > 0 {
			k += n
			continue
		}
		if t := i.r.tokens[s.keep[k]]; t.classes&(w.generic|w.number) == 0 && t.shape != shapeDigits {
			return true
		}
		k++
	}
	return false
}

// join is the piece that tokens stand in, with only their own text.
func (r *reading) join(keep []int) Piece {
	first, last := r.tokens[keep[0]], r.tokens[keep[len(keep)-1]]
	p := Piece{Start: first.start, End: last.end}
	var b strings.Builder
	for k := 0; k < len(keep); {
		end := k + 1
		for end < len(keep) && keep[end] == keep[end-1]+1 {
			end++
		}
		if k > 0 && r.lang != Japanese {
			b.WriteByte(' ')
		}
		b.WriteString(r.text[r.tokens[keep[k]].start:r.tokens[keep[end-1]].end])
		k = end
	}
	p.Text = b.String()
	return p
}
