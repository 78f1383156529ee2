package calendar

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"annai/internal/text"
)

// Notice is what is to be known of an event beside its [Status]. It is a closed set.
type Notice string

// The values of [Notice]. Of a postponed event the status is [Cancelled]: it does not take place
// then.
const (
	// Full is an event that nobody more can come to.
	Full Notice = "full"
	// Reserved is one for a group, and not for everybody.
	Reserved Notice = "reserved"
	// Postponed is one that is to be at another time.
	Postponed Notice = "postponed"
)

//go:embed notices.tsv
var noticesFile string

// A mark is a row of notices.tsv.
type mark struct {
	says string // a notice, or "cancelled"
	word string
	// head says that the word counts at the head of a title too, before a space.
	head bool
}

// marks are the rows by their folded words, heads by the first letter of these: most titles begin
// with none of them.
var marks, heads = readMarks()

func readMarks() (all map[string]mark, heads map[rune][]mark) {
	all, heads = map[string]mark{}, map[rune][]mark{}
	for row := range strings.Lines(noticesFile) {
		fields := strings.Split(strings.TrimSpace(row), "\t")
		if len(fields) == 3 {
			m := mark{says: fields[0], word: fields[2], head: fields[1] == "head"}
			all[text.Fold(m.word)] = m
			first, _ := utf8.DecodeRuneInString(m.word)
			heads[text.FoldRune(first)] = append(heads[text.FoldRune(first)], m)
		}
	}
	return all, heads
}

// SaysOf returns the event with what a word says of it, such as the value of a column: 満席,
// "cancelled", "full". Words that say nothing of it leave it as it is; known tells the two apart.
func (e Event) SaysOf(word string) (said Event, known bool) {
	says := text.Fold(strings.TrimSpace(word))
	if m, ok := marks[says]; ok {
		says = m.says
	}
	switch says {
	case string(Confirmed), string(Tentative):
		e.Status = Status(says)
	case string(Cancelled):
		e.Status = Cancelled
	case string(Postponed):
		e.Status, e.Notice = Cancelled, Postponed
	case string(Full), string(Reserved):
		e.Notice = Notice(says)
	default:
		return e, false
	}
	return e, true
}

// WithNotice returns the event with what its title says of it: in brackets anywhere, or at its
// head: 【満席】, (SOLD OUT), 中止：, "CANCELLED - ". That is taken out of the title, unless nothing else
// is in it. What is graver is kept.
func (e Event) WithNotice() Event {
	title, found := withoutHead(e.Title, nil)
	title, found = withoutMarks(title, found)
	if len(found) == 0 { // as of nearly all
		return e
	}
	title, found = withoutHead(title, found) // which brackets may have stood before
	status, notice := e.Status, e.Notice
	for _, says := range []string{
		string(Reserved), string(Full), string(Postponed),
		string(Cancelled),
	} { // the gravest last
		for _, m := range found {
			if m.says == says {
				e, _ = e.SaysOf(says)
			}
		}
	}
	if status == Cancelled {
		e.Status = Cancelled
	}
	if notice != "" && e.Status != Cancelled {
		e.Notice = notice
	}
	if title = strings.Join(strings.Fields(title), " "); title != "" {
		e.Title = title
	}
	return e
}

// Brackets in which titles have marks, opening and closing ones in the same order.
const opening, closing = "【［[(（〔《〈<＜≪『", "】］])）〕》〉>＞≫』"

// opens reports whether a character is one of opening. It is asked for each one of each title.
func opens(r rune) bool {
	switch r {
	case '【', '［', '[', '(', '（', '〔', '《', '〈', '<', '＜', '≪', '『':
		return true
	}
	return false
}

// withoutMarks takes marks in brackets out of a title.
func withoutMarks(title string, found []mark) (string, []mark) {
	rest := ""
	for {
		at := strings.IndexFunc(title, opens)
		if at < 0 {
			return rest + title, found
		}
		r, size := utf8.DecodeRuneInString(title[at:])
		closer := []rune(closing)[utf8.RuneCountInString(opening[:strings.IndexRune(opening, r)])]
		inside := title[at+size:]
		end := strings.IndexRune(inside, closer)
		m, ok := mark{}, false
		if end >= 0 {
			m, ok = marks[text.Fold(strings.Trim(inside[:end], decoration))]
		}
		if ok {
			found = append(found, m)
			rest, title = rest+title[:at]+" ", inside[end+utf8.RuneLen(closer):]
		} else {
			rest, title = rest+title[:at+size], inside
		}
	}
}

const (
	// decoration stands around marks, separators part one at the head from the title; a space alone
	// parts some.
	decoration = " \u3000★☆※◆◇■□●○◎✕×!！*"
	separators = ":：|｜/／–—"
)

// withoutHead takes a mark at the head of a title out of it.
func withoutHead(title string, found []mark) (string, []mark) {
	start := strings.TrimLeft(title, decoration)
	var best mark
	var left string
	first, _ := utf8.DecodeRuneInString(start)
	for _, m := range heads[text.FoldRune(first)] {
		if after, ok := m.cut(start); ok && len(m.word) > len(best.word) {
			best, left = m, after
		}
	}
	if best.word == "" {
		return title, found
	}
	left = strings.TrimLeft(left, decoration)
	left = strings.TrimLeft(left, separators)
	if rest, ok := strings.CutPrefix(left, "- "); ok {
		left = rest
	}
	return left, append(found, best)
}

// cut cuts a mark off the head of a title: before a colon or a dash, or whole; some in their own
// letters also before a space, since "Sold out cities" are none.
func (m mark) cut(title string) (after string, ok bool) {
	end := 0
	for range utf8.RuneCountInString(m.word) {
		_, size := utf8.DecodeRuneInString(title[end:])
		end += size
	}
	if text.Fold(title[:end]) != text.Fold(m.word) {
		return "", false
	}
	after = title[end:]
	trimmed := strings.TrimLeft(after, " \u3000")
	first, _ := utf8.DecodeRuneInString(trimmed)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case trimmed == "", strings.ContainsRune(separators, first), strings.HasPrefix(trimmed, "- ") && trimmed != after:
		return after, true
	}
	return after, m.head && title[:end] == m.word && strings.ContainsRune(decoration, next)
}
