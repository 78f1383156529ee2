package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Limits of what is kept of WordNet.
const (
	maxSenses = 3  // of a word's senses, the most frequent first
	maxDepth  = 2  // how many steps up from a thing to what it is a kind of
	minDepth  = 6  // of the steps from the top down to a kind that says something
	maxOthers = 14 // of the words beside one
)

// parts are the parts of speech, by the names of their files.
var parts = []string{"noun", "verb", "adj", "adv"}

// A synset is words that mean the same.
type synset struct {
	words []string
	// kinds are what it is a kind of, near those that mean nearly the same (of adjectives).
	kinds, near []string
}

// A wordnet is the database by word.
type wordnet struct {
	synsets map[string]*synset  // by part of speech and offset
	senses  map[string][]string // of a word, by part of speech, a space and the word; the most frequent first
	// everyday are words that occur in the texts whose senses were counted.
	everyday  map[string]bool
	irregular []string
}

func readWordnet(dir string) (*wordnet, error) {
	w := &wordnet{synsets: map[string]*synset{}, senses: map[string][]string{}, everyday: map[string]bool{}}
	for _, part := range parts {
		for _, f := range []struct {
			name string
			read func(part string, fields []string)
		}{{"data." + part, w.readSynset}, {"index." + part, w.readIndex}, {part + ".exc", w.readException}} {
			raw, err := os.ReadFile(filepath.Join(dir, f.name))
			if err != nil {
				return nil, fmt.Errorf("read WordNet: %w", err)
			}
			for l := range strings.Lines(string(raw)) {
				if !strings.HasPrefix(l, " ") {
					f.read(part, strings.Fields(l))
				}
			}
		}
	}
	return w, nil
}

func (w *wordnet) readSynset(part string, f []string) {
	s := &synset{}
	n, _ := strconv.ParseInt(f[3], 16, 32)
	for i := range int(n) {
		word, _, _ := strings.Cut(f[4+2*i], "(")
		s.words = append(s.words, strings.ToLower(word))
	}
	at := 4 + 2*int(n)
	pointers, _ := strconv.Atoi(f[at])
	for i := range pointers {
		p := f[at+1+4*i : at+5+4*i]
		switch p[0] {
		case "@", "@i":
			s.kinds = append(s.kinds, part+p[1])
		case "&":
			s.near = append(s.near, part+p[1])
		}
	}
	w.synsets[part+f[0]] = s
}

func (w *wordnet) readIndex(part string, f []string) {
	pointers, _ := strconv.Atoi(f[3])
	tagged, _ := strconv.Atoi(f[5+pointers])
	if tagged > 0 {
		w.everyday[f[0]] = true
	}
	for _, offset := range f[6+pointers:] {
		w.senses[part+" "+f[0]] = append(w.senses[part+" "+f[0]], part+offset)
	}
}

func (w *wordnet) readException(_ string, f []string) {
	if len(f) == 2 && !strings.Contains(f[0]+f[1], "_") && f[0] != f[1] {
		w.irregular = append(w.irregular, f[0]+"\t"+f[1])
	}
}

// lines are the words as they are written: a word, then those that mean the same, what it is a kind of.
func (w *wordnet) lines(used map[string]bool) []string {
	words := map[string]bool{}
	for key := range w.senses {
		if _, word, _ := strings.Cut(key, " "); !strings.ContainsAny(word, "_.0123456789/") && (w.everyday[word] || used[word]) {
			words[word] = true
		}
	}
	var out []string
	for word := range words {
		same, kinds := w.beside(word, words)
		if len(same)+len(kinds) > 0 {
			out = append(out, word+"\t"+strings.Join(same, ";")+"\t"+strings.Join(kinds, ";"))
		}
	}
	return out
}

// beside are the words that mean the same as a word in one of its frequent senses, and those that say what it is a kind of.
func (w *wordnet) beside(word string, among map[string]bool) (same, kinds []string) {
	take := func(list []string, other string) []string {
		if other == word || !among[other] || slices.Contains(list, other) || len(list) >= maxOthers {
			return list
		}
		return append(list, other)
	}
	for _, part := range parts {
		for i, id := range w.frequent(part, word) {
			s := w.synsets[id]
			for _, other := range s.words {
				if slices.Contains(w.frequent(part, other), id) {
					same = take(same, other)
				}
			}
			if i > 0 {
				continue
			}
			for _, n := range s.near {
				for _, other := range w.synsets[n].words {
					if list := w.frequent(part, other); len(list) > 0 && list[0] == n {
						same = take(same, other)
					}
				}
			}
			switch part {
			case "noun":
				for _, other := range w.above(s, maxDepth) {
					kinds = take(kinds, other)
				}
			case "verb":
				for _, k := range s.kinds {
					for _, other := range w.synsets[k].words {
						kinds = take(kinds, other)
					}
				}
			}
		}
	}
	return same, kinds
}

// frequent are the senses of a word that are looked at.
func (w *wordnet) frequent(part, word string) []string {
	list := w.senses[part+" "+word]
	return list[:min(len(list), maxSenses)]
}

// above are the words for what a synset is a kind of, at most so many steps up.
func (w *wordnet) above(s *synset, steps int) []string {
	if steps == 0 {
		return nil
	}
	var out []string
	for _, k := range s.kinds {
		if w.depth(k) < minDepth {
			continue
		}
		for _, word := range w.synsets[k].words {
			if list := w.frequent("noun", word); len(list) > 0 && list[0] == k {
				out = append(out, word)
			}
		}
		out = append(out, w.above(w.synsets[k], steps-1)...)
	}
	return out
}

// depth is how many steps a synset is from the top.
func (w *wordnet) depth(id string) int {
	s := w.synsets[id]
	if len(s.kinds) == 0 {
		return 0
	}
	return 1 + w.depth(s.kinds[0])
}
