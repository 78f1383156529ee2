package slots

import "math/bits"

// command adds the features of a whole utterance, by which its operation is told.
func (f *featurer) command(r *reading) {
	f.phrases(r)
	f.classes(tAnyClass, r.all)
	f.add(tFrame, r.frame)
	f.add(tLength, uint32(min(len(r.tokens), 12)))
	f.add2(tLengthFrame, uint32(min(len(r.tokens)/3, 5)), r.frame)
	f.verbs(r)
	f.once()
}

// phraseLength is how many tokens a phrase has at most.
const phraseLength, phraseLengthJapanese = 3, 5

// phrases are the pieces of the utterance, in which every temporal expression is one word.
func (f *featurer) phrases(r *reading) {
	const start, end, someTime = 1, 2, 7
	words := make([]uint32, 0, len(r.tokens)+2)
	words = append(words, start)
	for i, t := range r.tokens {
		switch {
		case t.time == 0:
			words = append(words, t.hash)
		case t.time&timeBegin != 0 || r.at(i-1).time == 0:
			words = append(words, someTime)
		}
	}
	words = append(words, end)
	longest := phraseLength
	if r.lang == Japanese {
		longest = phraseLengthJapanese
	}
	for i := range words {
		h := uint32(0)
		for n := 0; n < longest && i+n < len(words); n++ {
			h = mix(h, words[i+n])
			f.add2(tPhrase, uint32(n), h)
		}
		for n := 2; r.lang != Japanese && n < 5 && i+n < len(words); n++ {
			f.add2(tSkip, words[i], words[i+n])
		}
	}
}

// verbs are the first and the last word that carries a command, and how the utterance ends behind it.
func (f *featurer) verbs(r *reading) {
	const none = 9
	first, last, end := uint32(none), uint32(none), 0
	for i, t := range r.tokens {
		for n, c := range r.words.verbs {
			if t.begins&c != 0 && first == none {
				first = uint32(n)
				f.add2(tFirstVerbWord, first, t.hash)
			}
			if t.ends&c != 0 {
				last, end = uint32(n), i+1
				a, b := r.at(i+1).hash, r.at(i+2).hash
				f.add2(tVerbNext, last, a)
				f.add3(tVerbNext2, last, a, b)
				f.add3(tVerbNext3, last, mix(a, b), r.at(i+3).hash)
			}
			if t.begins&c != 0 {
				f.add2(tVerbPrevious, uint32(n), r.at(i-1).hash)
				f.add3(tVerbPrevious2, uint32(n), r.at(i-1).hash, r.at(i-2).hash)
			}
		}
	}
	f.add(tFirstVerb, first)
	f.add(tLastVerb, last)
	f.add2(tVerbs, first, last)
	tail := uint32(0)
	for _, t := range r.tokens[end:] {
		tail = mix(tail, t.hash)
	}
	f.add(tTail, tail)
	f.add2(tTailVerb, tail, last)
	f.add2(tLastVerbFrame, last, r.frame)
	if r.lang == Japanese {
		kana := r.kanaAtEnd()
		f.add(tKana, kana)
		f.add2(tKanaVerb, kana, last)
		f.add2(tKanaFrame, kana, r.frame)
	}
	for n, c := range r.words.verbs {
		if r.all&c != 0 && r.all&r.words.question != 0 {
			f.add(tVerbQuestion, uint32(n))
		}
		if r.all&c != 0 && r.all&r.words.past != 0 {
			f.add(tVerbPast, uint32(n))
		}
	}
}

// kanaAtEnd is the hash of the hiragana that the text ends with.
func (r *reading) kanaAtEnd() uint32 {
	h := uint32(0)
	for i := len(r.tokens) - 1; i >= 0 && r.tokens[i].shape == shapeHiragana; i-- {
		h = mix(h, r.tokens[i].hash)
	}
	return h
}

// once drops features that are there already.
func (f *featurer) once() {
	size := 2 << bits.Len(uint(len(f.hashes)))
	if cap(f.seen) < size {
		f.seen = make([]uint32, size)
	}
	seen := f.seen[:size] // a feature at the first place from its hash on that was free; 0 is free
	clear(seen)
	n := 0
	for i, h := range f.hashes {
		h |= 1 // of two features that differ only here one is enough
		at := int(h>>1) & (size - 1)
		for seen[at] != 0 && seen[at] != h {
			at = (at + 1) & (size - 1)
		}
		if seen[at] == h {
			continue
		}
		seen[at] = h
		f.hashes[n] = f.hashes[i]
		if f.explain {
			f.templates[n] = f.templates[i]
		}
		n++
	}
	f.hashes = f.hashes[:n]
	if f.explain {
		f.templates = f.templates[:n]
	}
}
