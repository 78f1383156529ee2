package datetime

import "strings"

// item is what a word of the trie stands for.
type item struct {
	token token
	loose bool
}

// trie finds the longest word at a place in one pass over its runes.
type trie struct {
	next  map[branch]int
	ends  []int // by node: the item that ends there, or -1
	items []item
}

// branch is the way from a node along a rune.
type branch struct {
	node int
	r    rune
}

var words = buildWords()

func buildWords() *trie {
	t := &trie{next: make(map[branch]int, 8192), ends: []int{-1}}
	for _, e := range entries {
		t.addAll(e.words, item{token: e.token})
	}
	for _, e := range looseEntries {
		t.addAll(e.words, item{token: e.token, loose: true})
	}
	for i, h := range holidays {
		t.addAll(h.words, item{token: token{class: cHoliday, a: i}})
	}
	return t
}

func (t *trie) addAll(list string, it item) {
	t.items = append(t.items, it)
	for word := range strings.SplitSeq(list, "|") {
		t.add(word, len(t.items)-1)
	}
}

// add makes the word stand for an item; a later entry of the same word wins.
func (t *trie) add(word string, it int) {
	node := 0
	for _, r := range fold(word).runes {
		k := branch{node, r}
		child, ok := t.next[k]
		if !ok {
			child = len(t.ends)
			t.ends = append(t.ends, -1)
			t.next[k] = child
		}
		node = child
	}
	t.ends[node] = it
}

func (t *trie) step(node int, r rune) (int, bool) {
	n, ok := t.next[branch{node, r}]
	return n, ok
}

// entry is the item that ends at node, or -1.
func (t *trie) entry(node int) int { return t.ends[node] }
