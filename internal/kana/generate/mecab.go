package main

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"os"
	"strings"
)

// The header of a dictionary compiled by MeCab: ten numbers of four bytes and the name of the
// character set.
const (
	headerSize   = 72
	trieField    = 6 // which of the numbers is the size of the trie; those of the tokens and of the features follow
	trieNodeSize = 8
	tokenSize    = 16
	magic        = 0xef718f77 // with which the size of the file is masked in the first number
)

// A compiled is a dictionary as MeCab compiles it: a trie of surfaces, tokens, and the features of
// tokens.
type compiled struct{ trie, tokens, features []byte }

func readCompiled(name string) (*compiled, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the dictionary: %w", err)
	}
	if len(raw) < headerSize || binary.LittleEndian.Uint32(raw)^magic != uint32(len(raw)) {
		return nil, fmt.Errorf("%s is no dictionary compiled by MeCab", name)
	}
	var parts [3][]byte
	rest := raw[headerSize:]
	for i := range parts {
		n := binary.LittleEndian.Uint32(raw[(trieField+i)*4:])
		if uint64(n) > uint64(len(rest)) {
			return nil, fmt.Errorf("%s is cut off", name)
		}
		parts[i], rest = rest[:n], rest[n:]
	}
	return &compiled{trie: parts[0], tokens: parts[1], features: parts[2]}, nil
}

// An entry is one way to take a surface.
type entry struct {
	surface string
	cost    int // the lower, the commoner, within a part of speech
	feature []string
}

// walk calls visit with every entry, in the order of the bytes of the surfaces.
func (d *compiled) walk(visit func(entry)) error { return d.below(d.base(0), nil, visit) }

func (d *compiled) below(base int32, surface []byte, visit func(entry)) error {
	if d.check(base) == base && d.base(base) < 0 {
		value := -int(d.base(base)) - 1
		for i := range value & 0xff {
			if err := d.token(string(surface), value>>8+i, visit); err != nil {
				return err
			}
		}
	}
	for c := range int32(256) {
		if p := base + c + 1; d.check(p) == base {
			if err := d.below(d.base(p), append(surface[:len(surface):len(surface)], byte(c)), visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *compiled) base(node int32) int32 {
	return int32(binary.LittleEndian.Uint32(d.trie[node*trieNodeSize:]))
}

// check is the node's parent, by its base, or -1 where there is no node.
func (d *compiled) check(node int32) int32 {
	if node < 0 || int(node+1)*trieNodeSize > len(d.trie) {
		return -1
	}
	return int32(binary.LittleEndian.Uint32(d.trie[node*trieNodeSize+4:]))
}

func (d *compiled) token(surface string, n int, visit func(entry)) error {
	t := d.tokens[n*tokenSize:]
	feature := d.features[binary.LittleEndian.Uint32(t[8:]):]
	feature = feature[:bytes.IndexByte(feature, 0)]
	fields, err := csv.NewReader(strings.NewReader(string(feature))).Read()
	if err != nil {
		return fmt.Errorf("the features of %s: %w", surface, err)
	}
	visit(entry{surface: surface, cost: int(int16(binary.LittleEndian.Uint16(t[6:]))), feature: fields})
	return nil
}
