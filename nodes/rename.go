package nodes

import (
	"regexp"
	"strings"

	"annai/nlu"
	"annai/nlu/slots"
)

// renames are orders that say which part of which entry becomes what. The groups are: what, the part, the new words.
var renames = []*regexp.Regexp{
	regexp.MustCompile(`^(.*?)の?(タイトル|題名|件名|名前|場所|会場|メモ|備考|説明)を(.+?)(?:に|へ|と)(?:変更|変え|直し|して|する|修正)`),
	regexp.MustCompile(`(?i)^(?:please )?(?:change|set|update|make) the (title|name|place|location|venue|note|description) (?:of|for) (.+?) to (.+)$`),
	regexp.MustCompile(`(?i)^(?:please )?(rename) (.+?) (?:to|as) (.+)$`),
	regexp.MustCompile(`(?i)^(?:please )?change (.+?)'s (title|name|place|location|venue|note|description) to (.+)$`),
}

// order is what such an order says.
func order(text string) (what, part, value string) {
	text = strings.Trim(text, " 。.!！")
	for i, r := range renames {
		m := r.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		what, part, value = m[1], m[2], m[3]
		if i == 1 || i == 2 {
			what, part = m[2], m[1]
		}
		return strings.TrimSpace(what), strings.ToLower(part), strings.Trim(value, ` 「」『』"“”'`)
	}
	return "", "", ""
}

// renamed is what an order makes of a part of an entry.
func renamed(text string) edit {
	_, part, value := order(text)
	switch part {
	case "":
		return edit{}
	case "場所", "会場", "place", "location", "venue":
		return edit{Place: oneLine(value, maxSaid)}
	case "メモ", "備考", "説明", "note", "description":
		return edit{Note: oneLine(value, maxSaid)}
	}
	return edit{Title: oneLine(value, maxSaid)}
}

// renamedWhat is what such an order names the entry by, without the words for days in front.
func renamedWhat(text string) string {
	what, _, _ := order(text)
	for _, word := range []string{"the ", "my ", "The ", "My ", "今度は", "次は", "やっぱり", "じゃあ", "では", "あと", "、"} {
		what = strings.TrimPrefix(what, word)
	}
	if _, after, ok := strings.Cut(what, "の"); ok && timeish.MatchString(what) {
		what = after
	}
	return what
}

// ordered is the command of an utterance as an order to the calendar: whatever names a part of an entry and what it becomes is a change.
func ordered(u nlu.Understanding) slots.Command {
	cmd := commandOf(u)
	if !renamed(u.Text).empty() && !isQuestion(u.Text) {
		cmd.Operation = slots.Update
		cmd.Title = slots.Piece{Text: renamedWhat(u.Text)}
	}
	if !resized(u.Text, u.Times).empty() && !isQuestion(u.Text) {
		cmd.Operation = slots.Update
	}
	return cmd
}

var timeish = regexp.MustCompile(`^(?:今日|明日|明後日|あさって|昨日|今週|来週|再来週|\d+月\d+日|\d+日|[月火水木金土日]曜日?|来週の?[月火水木金土日]曜日?)の`)

// maxSaid is how many runes of what a visitor wants written are taken; more is refused by the calendar.
const maxSaid = 2000
