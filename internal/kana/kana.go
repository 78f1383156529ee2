// Package kana says how texts are read aloud, in hiragana, and finds names by how they sound: what
// a child writes in kana, a recogniser with another homophone and a keyboard with Latin letters all
// reads alike.
//
// The one idea: names and utterances are both brought to morae, and what ears and children confuse
// costs little when morae are compared. The package knows no names of its own and nothing of what
// is asked.
package kana

import "strings"

// Of returns how a text is read: kanji by the dictionary, katakana and Latin letters as hiragana. A
// space stands where the text has one or a mark. Digits stay.
func Of(text string) string {
	var b strings.Builder
	for _, t := range tokens(text) {
		if !t.glued && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.reading)
	}
	return b.String()
}
