package slots

import "math/bits"

// A trie finds words by the hashes of their tokens. Node 0 is the root.
type trie struct {
	table []branch // by the hash of node and token: the branch itself, or the first free place behind
	used  int
	ends  []classes // by node: the classes of the word that ends there
}

// branch is the way from a node along a token. A child of 0 is no branch.
type branch struct {
	node, child int32
	hash        uint32
}

func (t *trie) place(node int32, hash uint32) int {
	mask := len(t.table) - 1
	i := int(mix(hash, uint32(node))) & mask
	for t.table[i].child != 0 && (t.table[i].node != node || t.table[i].hash != hash) {
		i = (i + 1) & mask
	}
	return i
}

// step returns the node behind node along a token, or 0.
func (t *trie) step(node int32, hash uint32) int32 { return t.table[t.place(node, hash)].child }

// add makes a word one of a class.
func (t *trie) add(word []token, class classes) {
	if t.ends == nil {
		t.ends = make([]classes, 1)
	}
	node := int32(0)
	for _, token := range word {
		t.reserve()
		i := t.place(node, token.hash)
		if t.table[i].child == 0 {
			t.table[i] = branch{node, int32(len(t.ends)), token.hash}
			t.ends = append(t.ends, 0)
			t.used++
		}
		node = t.table[i].child
	}
	if node != 0 {
		t.ends[node] |= class
	}
}

// reserve doubles the table before it is two thirds full.
func (t *trie) reserve() {
	if 3*t.used < 2*len(t.table) {
		return
	}
	old := t.table
	t.table = make([]branch, 2<<bits.Len(uint(len(old)|31)))
	for _, b := range old {
		if b.child != 0 {
			t.table[t.place(b.node, b.hash)] = b
		}
	}
}
