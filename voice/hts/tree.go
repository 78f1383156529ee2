package hts

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// A model chooses for a label one distribution per state, by a tree of questions each.
type model struct {
	questions []question
	trees     []tree
	// numbers is the length of a distribution: means, then variances, then the probability of being
	// voiced where there is one.
	numbers int
	// leaves has the distributions of each tree.
	leaves [][]float32
}

// A question is asked of a label; yes, if one of the patterns matches.
type question []pattern

// A pattern has "*" for any text and "?" for any one character.
type pattern string

// A tree has its root first.
type tree []node

type node struct{ question, no, yes int } // a distribution from 1 on, or minus the index of a later node

// distribution returns the one for a label in a state, counted from 0. It is not to be changed.
func (m *model) distribution(asked *answers, state int) []float32 {
	t, at := m.trees[state], 0
	for {
		n := t[-at]
		if at = n.no; asked.is(m.questions, n.question) {
			at = n.yes
		}
		if at > 0 {
			return m.leaves[state][(at-1)*m.numbers:][:m.numbers]
		}
	}
}

// answers remember what a label answered to the questions of one model.
type answers struct {
	label string
	known []int8 // 1: no, 2: yes
}

func (a *answers) is(questions []question, i int) bool {
	if i < 0 {
		return false // of a tree that asks nothing
	}
	if a.known == nil {
		a.known = make([]int8, len(questions))
	}
	if a.known[i] == 0 {
		a.known[i] = 1
		if questions[i].matches(a.label) {
			a.known[i] = 2
		}
	}
	return a.known[i] == 2
}

func (q question) matches(label string) bool {
	for _, p := range q {
		if p.matches(label) {
			return true
		}
	}
	return false
}

// matches goes back to the last star where the text does not go on as the pattern.
func (p pattern) matches(text string) bool {
	if inner := len(p) - 2; inner > 0 && p[0] == '*' && p[inner+1] == '*' {
		if word := string(p[1 : inner+1]); !strings.ContainsAny(word, "*?") {
			return strings.Contains(text, word)
		}
	}
	star, from, i, j := -1, 0, 0, 0
	for i < len(text) {
		switch {
		case j < len(p) && p[j] == '*':
			star, from = j, i
			j++
		case j < len(p) && (p[j] == '?' || p[j] == text[i]):
			i++
			j++
		case star >= 0:
			from++
			i, j = from, star+1
		default:
			return false
		}
	}
	return strings.Trim(string(p[j:]), "*") == ""
}

// model reads trees and their distributions of so many numbers each.
func (f *file) model(trees, distributions string, numbers, states int) model {
	m := model{numbers: numbers}
	f.readTrees(&m, f.section(trees))
	if f.err == nil && len(m.trees) != states {
		f.fail("%d trees, want %d", len(m.trees), states)
	}
	if f.err == nil {
		f.readLeaves(&m, []byte(f.section(distributions)))
	}
	return m
}

// readTrees reads lines of questions, "QS name { "pattern","pattern" }", and trees, "{*}[state]" with a
// leaf or with lines of "node question no yes" in braces.
func (f *file) readTrees(m *model, text string) {
	names := map[string]int{}
	tokens := strings.Fields(text)
	for len(tokens) > 0 && f.err == nil {
		switch head := tokens[0]; {
		case head == "QS" && len(tokens) > 4 && tokens[2] == "{" && tokens[4] == "}":
			var q question
			for _, p := range strings.Split(tokens[3], ",") {
				q = append(q, pattern(strings.Trim(p, `"`)))
			}
			names[tokens[1]] = len(m.questions)
			m.questions = append(m.questions, q)
			tokens = tokens[5:]
		case head == "{*}["+strconv.Itoa(len(m.trees)+2)+"]" && len(tokens) > 1:
			tokens = f.readTree(m, names, tokens[1:])
		default:
			f.fail("tree with %q", head)
		}
	}
}

// readTree reads one tree and returns what follows it.
func (f *file) readTree(m *model, names map[string]int, tokens []string) []string {
	if tokens[0] != "{" {
		leaf := f.child(tokens[0], 0)
		m.trees = append(m.trees, tree{{question: -1, no: leaf, yes: leaf}})
		return tokens[1:]
	}
	var t tree
	for tokens = tokens[1:]; len(tokens) >= 4 && tokens[0] != "}" && f.err == nil; tokens = tokens[4:] {
		asked, known := names[tokens[1]]
		if tokens[0] != strconv.Itoa(-len(t)) || !known {
			f.fail("node %q that asks %q", tokens[0], tokens[1])
		}
		t = append(t, node{question: asked, no: f.child(tokens[2], len(t)), yes: f.child(tokens[3], len(t))})
	}
	for _, n := range t {
		if -n.no >= len(t) || -n.yes >= len(t) {
			f.fail("tree of %d nodes leads out", len(t))
		}
	}
	if len(t) == 0 || len(tokens) == 0 || tokens[0] != "}" {
		f.fail("tree without end")
		return nil
	}
	m.trees = append(m.trees, t)
	return tokens[1:]
}

// child reads where a node leads: to a later node, "-7", or to a distribution, whose number ends its name.
func (f *file) child(token string, parent int) int {
	if n, err := strconv.Atoi(token); err == nil {
		if -n <= parent {
			f.fail("node %d that leads back to %d", parent, -n)
		}
		return n
	}
	name := strings.Trim(token, `"`)
	digits := name[len(strings.TrimRight(name, "0123456789")):]
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || len(digits) == len(name) {
		f.fail("node that leads to %q", token)
		return 1
	}
	return n
}

// readLeaves reads how many distributions each tree has, then these.
func (f *file) readLeaves(m *model, data []byte) {
	const width = 4
	if len(data) < width*len(m.trees) {
		f.fail("distributions end early")
		return
	}
	rest := data[width*len(m.trees):]
	for i, t := range m.trees {
		count := int(binary.LittleEndian.Uint32(data[width*i:]))
		for _, n := range t {
			if count < n.no || count < n.yes {
				f.fail("%d distributions, too few for their tree", count)
				return
			}
		}
		if count > len(rest)/width/m.numbers {
			f.fail("distributions end early")
			return
		}
		leaves := make([]float32, count*m.numbers)
		for j := range leaves {
			leaves[j] = math.Float32frombits(binary.LittleEndian.Uint32(rest[width*j:]))
		}
		m.leaves = append(m.leaves, leaves)
		rest = rest[width*len(leaves):]
	}
}
