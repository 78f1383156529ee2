package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"annai/server/gate"
)

// Named returns the id as a session's; "" if it is none: a placeholder that the client did not fill
// in, or what it writes for nothing.
func Named(id string) string {
	id = Trim(id)
	switch {
	case id == "", id == "null", id == "undefined", id == "new",
		strings.HasPrefix(id, "{{"), strings.HasPrefix(id, "${"):
		return ""
	case gate.SessionProblem(id) != "":
		return "id-" + Sum(id)
	}
	return id
}

// Sum returns a short text that only these texts have.
func Sum(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(text), text) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
