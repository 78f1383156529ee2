package jtalk

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/numbers.txt
var numbersFile string

// A numberTable has the rules for numbers and counters of data/numbers.txt.
type numberTable struct {
	digits         map[string]digit
	places, groups []string            // features of 十 百 千 and of 万 億 兆, by their place; the first is none
	small, large   map[string]bool     // 一 to 九, and 十 upwards
	classes        map[string][]string // of counters
	reads          map[string]reading  // by a class, a space and the digit
	sounds         map[string]int      // likewise: 1 makes a counter's first sound voiced, 2 half voiced
	native         map[string]bool     // counters that count by hito and futa, with their pronunciation
	whole          map[string]string   // features by "person", "day" or "days" and the digit
	voiced, half   map[string]string   // kana and what they become
}

type digit struct {
	value int
	text  string // as the rules write it
}

type reading struct {
	pron       string
	acc, moras int
}

var numbersTable = sync.OnceValue(func() *numberTable {
	t := &numberTable{
		digits: map[string]digit{}, places: []string{""}, groups: []string{""}, classes: map[string][]string{},
		reads: map[string]reading{}, sounds: map[string]int{}, native: map[string]bool{}, whole: map[string]string{},
	}
	for line := range strings.Lines(numbersFile) {
		if f := strings.Fields(line); f[0] != "#" {
			t.rule(f[0], f[1:])
		}
	}
	return t
})

func (t *numberTable) rule(name string, f []string) {
	switch name {
	case "digit":
		t.digits[f[0]] = digit{number(f[1]), f[2]}
	case "place":
		t.places = append(t.places, f[0])
	case "group":
		t.groups = append(t.groups, f[0])
	case "small":
		t.small = set(f)
	case "large":
		t.large = set(f)
	case "words":
		for _, word := range f[1:] {
			t.classes[word] = append(t.classes[word], f[0])
		}
	case "read":
		t.reads[f[0]+" "+f[1]] = reading{f[2], number(f[3]), number(f[4])}
	case "sound":
		t.sounds[f[0]+" "+f[1]] = number(f[2])
	case "native":
		t.native[f[0]+" "+f[1]] = true
	case "voiced":
		t.voiced = pairs(f)
	case "half":
		t.half = pairs(f)
	default:
		t.whole[name+" "+f[0]] = f[1]
	}
}

func set(words []string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}

func pairs(words []string) map[string]string {
	m := map[string]string{}
	for _, w := range words {
		r := []rune(w)
		m[string(r[0])] = string(r[1])
	}
	return m
}

// class returns which class of a group ("1", "2", "n8" ...) a counter belongs to; none is "".
func (t *numberTable) class(group, counter string) string {
	for _, c := range t.classes[counter] {
		if strings.HasPrefix(c, group) {
			return c
		}
	}
	return ""
}
