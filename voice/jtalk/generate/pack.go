package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A packer collects the columns of the dictionary. Package jtalk reads them in the order in which
// pack writes them.
type packer struct {
	classes, rules         map[string]int // numbers of what is a line of the next two
	classLines, ruleLines  []byte
	shared, suffixes       []byte // of the words' surfaces, each against the one before
	counts                 []byte // of a word's tokens
	class, cost            []byte
	pronShared, pronSuffix []byte // of the tokens' pronunciations, each against the one before
	accent, rule           []byte
	morae, compounds       []byte // exceptions: how far the last one is away, and what it is
	infos, unknown         []byte
	high, low              []byte // of the connection matrix, each row against the one before
	number                 int    // of the token
	surface, pron          string // of the one before
	lastMorae, lastWord    int    // numbers of the last exceptions
}

// The fields of a feature.
const (
	original   = 6
	pronounced = 8
	accents    = 9
	chainRule  = 10
	fields     = 11
)

func (p *packer) words(words []word) error {
	for _, w := range words {
		n := common(p.surface, w.surface)
		p.shared = append(p.shared, byte(n))
		p.suffixes = append(append(p.suffixes, w.surface[n:]...), 0)
		p.counts = append(p.counts, byte(len(w.tokens)))
		p.surface = w.surface
		for _, t := range w.tokens {
			f := strings.Split(t.feature, ",")
			if len(f) != fields || n > 255 {
				return fmt.Errorf("%s: %s has %d fields", w.surface, t.feature, len(f))
			}
			p.class = binary.LittleEndian.AppendUint16(p.class, p.classOf(t))
			p.cost = binary.LittleEndian.AppendUint16(p.cost, uint16(t.cost))
			if err := p.token(f); err != nil {
				return fmt.Errorf("%s: %s: %w", w.surface, t.feature, err)
			}
			p.number++
		}
	}
	return nil
}

// common returns how many bytes two texts have in common at the start, in whole characters.
func common(a, b string) int {
	n := 0
	for i, r := range a {
		if !strings.HasPrefix(b[i:], string(r)) {
			return n
		}
		n = i + len(string(r))
	}
	return n
}

// classOf numbers what tokens of one kind have in common: their places in the matrix and the part
// of speech.
func (p *packer) classOf(t token) uint16 {
	speech := strings.Join(strings.Split(t.feature, ",")[:original], ",")
	line := fmt.Sprintf("%d,%d,%s", t.left, t.right, speech)
	return uint16(numbered(p.classes, &p.classLines, line))
}

func numbered(numbers map[string]int, lines *[]byte, line string) int {
	n, ok := numbers[line]
	if !ok {
		n = len(numbers)
		numbers[line] = n
		*lines = append(append(*lines, line...), '\n')
	}
	return n
}

// token packs the pronunciation, the accent and the rule of a token.
func (p *packer) token(f []string) error {
	n := common(p.pron, f[pronounced])
	p.pronShared = append(p.pronShared, byte(len([]rune(f[pronounced][:n]))))
	for _, r := range f[pronounced][n:] {
		code, ok := kanaCode(r)
		if !ok && strings.Contains(f[accents], "*") {
			continue // of a mark: nobody reads it
		}
		if !ok {
			return fmt.Errorf("%q is not known in a pronunciation", r)
		}
		p.pronSuffix = append(p.pronSuffix, code)
	}
	p.pronSuffix = append(p.pronSuffix, 0)
	p.pron = f[pronounced]
	if strings.Contains(f[accents], "*") {
		p.pron = f[pronounced][:n]
	}
	rule := numbered(p.rules, &p.ruleLines, f[chainRule])
	if rule > 255 {
		return fmt.Errorf("more than 255 rules")
	}
	p.rule = append(p.rule, byte(rule))
	return p.accents(f)
}

// kanaCode is a katakana as one byte; ':' stands between the parts of a compound.
func kanaCode(r rune) (byte, bool) {
	switch {
	case r >= 0x3001 && r < 0x3100:
		return byte(r), true
	case r == '’':
		return 0xff, true // U+30FF is no kana that words have
	case r == ':':
		return 0x05, true // U+3005 is none
	}
	return 0, false
}

func (p *packer) accents(f []string) error {
	parts := strings.Split(f[accents], "/")
	accent, err := strconv.Atoi(parts[0])
	if strings.Contains(f[accents], "*") {
		accent, err = 0, nil
	}
	if err != nil || accent < 0 || accent > 127 {
		return fmt.Errorf("bad accent")
	}
	p.accent = append(p.accent, byte(accent))
	if len(parts) > 2 {
		p.compounds = binary.AppendUvarint(p.compounds, uint64(p.number-p.lastWord))
		p.compounds = append(append(p.compounds, f[original]...), 0)
		p.compounds = append(append(p.compounds, f[accents]...), 0)
		p.lastWord = p.number
		return nil
	}
	morae := 0
	if len(parts) == 2 {
		morae, _ = strconv.Atoi(parts[1]) // none where there is no number
	}
	if morae != countMorae(f[pronounced]) {
		p.morae = binary.AppendUvarint(p.morae, uint64(p.number-p.lastMorae))
		p.morae = append(p.morae, byte(morae))
		p.lastMorae = p.number
	}
	return nil
}

// countMorae must count as package jtalk does.
func countMorae(pron string) int {
	n := 0
	for _, r := range pron {
		if r > 0x3000 && r < 0x3100 && !strings.ContainsRune("ャュョァィゥェォヮ", r) {
			n++
		}
	}
	return n
}

// characters packs char.bin, runs of characters of one kind, and the tokens of unknown words of
// each category.
func (p *packer) characters(b []byte, unknown []word) error {
	const nameSize = 32
	categories := int(binary.LittleEndian.Uint32(b))
	infos := b[4+nameSize*categories:]
	for i := 0; i < len(infos); {
		n := 4
		for i+n < len(infos) && bytes.Equal(infos[i:i+4], infos[i+n:i+n+4]) {
			n += 4
		}
		p.infos = append(p.infos, infos[i:i+4]...)
		p.infos = binary.AppendUvarint(p.infos, uint64(n/4))
		i += n
	}
	tokens := map[string][]token{}
	for _, w := range unknown {
		tokens[w.surface] = w.tokens
	}
	for i := range categories {
		name := string(bytes.TrimRight(b[4+nameSize*i:4+nameSize*(i+1)], "\x00"))
		if len(tokens[name]) == 0 {
			return fmt.Errorf("no unknown words of category %s", name)
		}
		p.unknown = append(p.unknown, byte(len(tokens[name])))
		for _, t := range tokens[name] {
			p.unknown = binary.LittleEndian.AppendUint16(p.unknown, p.classOf(t))
			p.unknown = binary.LittleEndian.AppendUint16(p.unknown, uint16(t.cost))
		}
	}
	return nil
}

// matrix packs matrix.bin: rows of one left context, of which neighbours are alike.
func (p *packer) matrix(b []byte) {
	row := 2 * int(binary.LittleEndian.Uint16(b))
	before := make([]byte, row)
	for b = b[4:]; len(b) >= row; b = b[row:] {
		for i := 0; i < row; i += 2 {
			d := binary.LittleEndian.Uint16(b[i:]) - binary.LittleEndian.Uint16(before[i:])
			p.high, p.low = append(p.high, byte(d>>8)), append(p.low, byte(d))
		}
		before = b[:row]
	}
}

// pack compresses each column and writes its size before it.
func (p *packer) pack() ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20),
		zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, column := range [][]byte{
		p.classLines, p.ruleLines, p.shared, p.suffixes, p.counts, p.class, p.cost, p.pronShared, p.pronSuffix,
		p.accent, p.rule, p.morae, p.compounds, p.infos, p.unknown, p.high, p.low,
	} {
		b := w.EncodeAll(column, nil)
		out = append(binary.AppendUvarint(out, uint64(len(b))), b...)
	}
	return out, w.Close()
}
