package agenda

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"hash"
	"strings"
)

// KeyFor returns the id that belongs to these words: the same for the same words and no other, 26 letters a to v and digits, as
// [calendar.CheckKey] wants it. A caller that names an event by who asked for it and by which request cannot create it twice.
func KeyFor(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		add(h, w)
	}
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil)[:16]))
}

// add keeps ("ab", "c") apart from ("a", "bc").
func add(h hash.Hash, word string) { fmt.Fprintf(h, "%d:%s", len(word), word) }
