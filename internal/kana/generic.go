package kana

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/generic.txt
var genericFile string

// generics are words that names of many places have, so that one alone names nothing.
var generics = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.Lines(genericFile) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			m[strings.ReplaceAll(Of(line), " ", "")] = true
		}
	}
	return m
})

// generic reports whether words are one that names nothing by itself.
func generic(words []token) bool {
	return len(words) == 1 && generics()[words[0].reading]
}
