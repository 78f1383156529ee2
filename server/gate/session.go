package gate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"annai/dialog"
	"annai/server/door"
)

// maxSessionID is how many characters the id of a session may have.
const maxSessionID = 128

// SessionProblem says what is wrong with a session's id; nothing: "".
func SessionProblem(id string) string {
	switch {
	case id == "":
		return "must not be empty"
	case utf8.RuneCountInString(id) > maxSessionID:
		return "must have at most 128 characters"
	case strings.ContainsFunc(id, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }):
		return "must have printable characters only"
	}
	return ""
}

// SessionOf is the caller's session of that id.
func SessionOf(c door.Caller, id string) dialog.Session {
	return dialog.Session{ID: id, Owner: c.Is(door.Owner), OwnerName: c.Owner, Caller: c.Speaker()}
}
