package kana

import (
	"strings"
)

// heard is how an utterance is read, and where words may begin and end in it.
type heard struct {
	morae  []mora
	begins []bool // of the morae
	ends   []bool
	// japanese are the morae with nothing in place of those that Latin letters stand for: what is
	// written with letters on both sides is compared as letters by others.
	japanese []mora
}

// particles stand between the words of a name and behind it.
var particles = []string{"の", "と", "で", "を", "に", "は", "が", "も", "へ", "や", "か"}

const (
	// behindWord are kana with which the next word may begin: particles, です, だ, よ, ね, どこ, ある, いつ,
	// なに, って, ちゃん, さん, する and みたい.
	behindWord = "はがをにでとものへやかだよねどあいなっちさしすみ"
	// beforeWord are kana with which the word before may end.
	beforeWord = "はがをにでとものへやかんすーねようあぁじ"
)

// hear reads an utterance.
func hear(utterance string) heard {
	var h heard
	for _, t := range tokens(utterance) {
		h.add(t)
	}
	if n := len(h.morae); n > 0 {
		h.ends[n-1] = true
	}
	return h
}

func (h *heard) add(t token) {
	runes := []rune(t.reading)
	m, where := morae(runes)
	for i := range m {
		begins, ends := i == 0, i == len(m)-1
		if t.script == hiragana {
			begins = begins || strings.ContainsRune(beforeWord, runes[where[i]-1])
			ends = ends || strings.ContainsRune(behindWord, runes[where[i+1]])
		}
		h.begins, h.ends = append(h.begins, begins), append(h.ends, ends)
	}
	h.morae = append(h.morae, m...)
	if t.script == latin {
		m = make([]mora, len(m))
	}
	h.japanese = append(h.japanese, m...)
}

// cost is the least that it costs, in hundredths, to find a part somewhere in what was heard.
func (h heard) cost(p part) int {
	in := h.morae
	if p.latin {
		in = h.japanese
	}
	row := make([]int, len(h.morae)+1)
	for j := range row {
		if j == len(h.morae) || !h.begins[j] {
			row[j] = inWord
		}
	}
	for _, m := range p.morae {
		next(row, m, in)
	}
	best := len(p.morae) * oneMora
	for j, ends := range h.ends {
		if !ends {
			row[j+1] += inWord
		}
		best = min(best, row[j+1])
	}
	return best
}
