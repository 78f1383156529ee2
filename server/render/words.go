package render

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/dialog"
	"annai/internal/text"
	"annai/server/door"
)

// TurnOf is the turn of the request's caller: what was said in a session, as a run of that id.
func TurnOf(c *gin.Context, words, session, run string) dialog.Turn {
	caller := door.CallerOf(c)
	return dialog.Turn{
		Query: words, SessionID: session, RunID: run, RequestID: c.Writer.Header().Get("X-Request-Id"),
		Owner: caller.Is(door.Owner), OwnerName: caller.Owner, Caller: caller.Speaker(),
	}
}

// Text returns the words of a message, which are a string or a list of parts. Pictures and whatever
// else is in it are left out.
func Text(content json.RawMessage) string {
	var parts []json.RawMessage
	if json.Unmarshal(content, &parts) != nil {
		return Str(content)
	}
	var texts []string
	for _, raw := range parts {
		var part struct {
			Text json.RawMessage `json:"text"`
		}
		text := Str(raw)
		if text == "" && json.Unmarshal(raw, &part) == nil {
			text = Str(part.Text)
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// CheckWords says what is wrong with words of a visitor, in a field of that name: that there are
// none, or too many. The visitor can be told of the error.
func CheckWords(field, words string) error {
	switch {
	case words == "":
		return &door.InputError{
			Details: []api.ErrorDetail{{Field: field, Message: "must end with words of the user"}}, Words: "empty",
		}
	case utf8.RuneCountInString(words) > maxQuery:
		return &door.InputError{
			Details: []api.ErrorDetail{{Field: field, Message: "must end with at most 2000 characters of the user"}},
			Words:   "too_long",
		}
	}
	return nil
}

// maxQuery is how many characters the concierge hears at once.
const maxQuery = 2000

// added is what a front end puts before an utterance: AITuberKit when it was said, or by whom in a
// broadcast's comments; Tonari the day and the time.
var added = regexp.MustCompile(`^\s*\[(?:\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|[+-]\d{2}:?\d{2})?|` +
	`\d{4}/\d{1,2}/\d{1,2}\([月火水木金土日]\) \d{1,2}:\d{2}|[^\[\]\n]{1,64}さんのコメント)\]`)

// Utterance returns what a visitor said of what a client sent.
func Utterance(text string) string {
	for {
		rest := text[len(added.FindString(text)):]
		if rest == text {
			return Trim(text)
		}
		text = rest
	}
}

// Trim cuts what can't be seen off both ends.
func Trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
}

// Tokens is about how many tokens a model would make of the text: one of each Japanese character,
// one of four others. No model counts them here.
func Tokens(of string) int {
	japanese, others := 0, 0
	for _, r := range of {
		if text.IsJapanese(r) {
			japanese++
		} else {
			others++
		}
	}
	return japanese + (others+3)/4
}
