package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
)

// A token is an entry of MeCab's dictionary.
type token struct {
	left, right uint16
	cost        int16
	feature     string // fields with commas between
}

// A word is a surface with its tokens in the order of the dictionary, on which MeCab's choice
// between equals depends.
type word struct {
	surface string
	tokens  []token
}

const (
	headerSize = 72
	magic      = 0xef718f77
	tokenSize  = 16
)

// readDictionary reads sys.dic or unk.dic of MeCab 0.996: a header, a double array, tokens and
// features.
func readDictionary(b []byte) ([]word, error) {
	if len(b) < headerSize || binary.LittleEndian.Uint32(b)^magic != uint32(len(b)) {
		return nil, errors.New("not a dictionary of MeCab")
	}
	size := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	arraySize, tokensSize, featuresSize := size(24), size(28), size(32)
	if headerSize+arraySize+tokensSize+featuresSize != len(b) {
		return nil, errors.New("the sizes in the header do not add up")
	}
	if charset := string(bytes.TrimRight(b[40:72], "\x00")); charset != "utf-8" && charset != "UTF-8" {
		return nil, fmt.Errorf("the charset is %q", charset)
	}
	r := reader{
		array:    b[headerSize : headerSize+arraySize],
		tokens:   b[headerSize+arraySize : headerSize+arraySize+tokensSize],
		features: b[headerSize+arraySize+tokensSize:],
	}
	r.walk(r.unit(0), nil)
	sort.Slice(r.words, func(i, j int) bool { return r.words[i].surface < r.words[j].surface })
	return r.words, nil
}

type reader struct {
	array, tokens, features []byte
	words                   []word
}

func (r *reader) unit(at int) int {
	return int(int32(binary.LittleEndian.Uint32(r.array[8*at:])))
}

func (r *reader) check(at int) int {
	return int(binary.LittleEndian.Uint32(r.array[8*at+4:]))
}

// walk visits the part of the double array whose base is given, which is reached by prefix.
func (r *reader) walk(base int, prefix []byte) {
	if base >= 0 && 8*base < len(r.array) && r.check(base) == base && r.unit(base) < 0 {
		r.words = append(r.words, word{string(prefix), r.entries(-r.unit(base) - 1)})
	}
	for c := 1; c < 256; c++ {
		at := base + c + 1
		if c == 0 || 8*at >= len(r.array) || r.check(at) != base {
			continue
		}
		r.walk(r.unit(at), append(prefix, byte(c)))
	}
}

func (r *reader) entries(value int) []token {
	var all []token
	for i := range value & 0xff {
		b := r.tokens[(value>>8+i)*tokenSize:]
		feature := r.features[binary.LittleEndian.Uint32(b[8:]):]
		all = append(all, token{
			left: binary.LittleEndian.Uint16(b), right: binary.LittleEndian.Uint16(b[2:]),
			cost: int16(binary.LittleEndian.Uint16(b[6:])), feature: string(feature[:bytes.IndexByte(feature, 0)]),
		})
	}
	return all
}
