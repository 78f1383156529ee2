package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// readLiterals reads what must stand in the evidence letter by letter (addresses of the web and of mail, accounts, phone
// numbers), and what no sentence may hold, and makes both blank.
func readLiterals(text []byte) []feature {
	var out []feature
	for i := 0; i < len(text); {
		j := tokenEnd(text, i)
		if j == i {
			_, size := utf8.DecodeRune(text[i:])
			i += size
			continue
		}
		if f := literalOf(string(text[i:j])); f.kind != meaning {
			f.start, f.end = i, i+len(strings.TrimRight(string(text[i:j]), ".,:;!?'-"))
			blank(text, f.start, f.end)
			out = append(out, f)
		}
		i = j
	}
	return append(out, suspects(text)...)
}

// tokenEnd is where the run of characters that an address may be made of ends.
func tokenEnd(text []byte, i int) int {
	for i < len(text) && text[i] > ' ' && text[i] < 0x7F && !strings.ContainsRune("()[]{}<>\"`,;|", rune(text[i])) {
		i++
	}
	return i
}

// literalOf says what a token is, if it is a literal. Its kind is meaning if not.
func literalOf(token string) feature {
	token = strings.TrimRight(token, ".,:;!?'-")
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, token)
	switch {
	case strings.Contains(token, "://") || strings.HasPrefix(token, "www.") || strings.HasPrefix(token, "mailto:"):
		return feature{kind: literal, text: webForm(token)}
	case strings.HasPrefix(token, "@") && len(token) > 2, strings.Contains(token, "@") && strings.Contains(token, "."):
		return feature{kind: literal, text: token}
	case domain(token):
		return feature{kind: literal, text: webForm(token)}
	case len(digits) >= 9 && len(digits) <= 15 && strings.Trim(token, "0123456789-+.") == "" && strings.ContainsAny(token, "-+"):
		return feature{kind: literal, text: digits}
	case secret(token):
		return feature{kind: suspect, text: "looks like a key"}
	case strings.Contains(strings.Trim(token, "_*"), "_") || strings.Contains(token, "\\"):
		return feature{kind: suspect, text: "looks like the name of a tool"}
	}
	return feature{}
}

// webForm is an address without its scheme, www and closing slash.
func webForm(s string) string {
	if _, after, ok := strings.Cut(s, "://"); ok {
		s = after
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
}

// domain reports whether a token is a bare address: a name, a dot and a top level of letters, with or without a path.
func domain(token string) bool {
	host, _, path := strings.Cut(token, "/")
	labels := strings.Split(host, ".")
	top := labels[len(labels)-1]
	if len(labels) < 2 || len(top) < 2 || strings.Trim(top, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	for _, l := range labels {
		if l == "" {
			return false
		}
	}
	return path || len(labels[0]) > 1
}

// secret reports whether a token is long and mixed, as only a key is.
func secret(token string) bool {
	if strings.HasPrefix(token, "sk-") && len(token) > 8 {
		return true
	}
	return len(token) >= 20 && strings.ContainsAny(token, "0123456789") && strings.ContainsAny(token, "abcdefghijklmnopqrstuvwxyz") &&
		!strings.ContainsAny(token, ".")
}

// traces are what shows that a sentence speaks to a program, or of one: in no language a part of an answer.
var traces = []string{
	"[", "]", "{", "}", "<", ">", "```", "tool_call", "function call", "system prompt", "previous instruction", "above instruction", "ignore all", "ignore the", "instructions",
	"as an ai", "language model", "api key", "password is", "session id", "sessionid", "the evidence", "プロンプト", "指示を無視", "指示に従", "システムメッセージ", "apiキー", "パスワードは「", "セッションid", "他のセッション", "別のセッション", "ほかのセッション", "other session", "another session", "言語モデル", "エビデンス",
	"visitor before", "previous visitor", "last visitor", "another visitor", "visitor asked", "visitors asked", "visitor said", "visitors said", "visitor wanted", "someone else asked",
	"前のお客", "前の方が", "前の利用者", "別のお客", "お客様が言", "お客様が聞", "お客様は言", "お客様が尋", "お客様から聞", "お客様の質問", "お客様の予定", "お客さまの予定",
	"assistant:", "user:", "system:", "###",
	// an answer tells what is; it does nothing
	"i have deleted", "i have created", "i have booked", "i have added", "i have cancelled", "i have canceled", "i have sent", "i have registered", "i have reserved", "i have called",
	"i've deleted", "i've created", "i've booked", "i've added", "i've cancelled", "i've canceled", "i've sent", "i've registered", "i've reserved", "i've called",
	"i deleted", "i created", "i booked", "i added", "i cancelled", "i canceled", "i sent", "i registered", "i reserved", "i called",
	"削除しました", "削除いたしました", "登録しました", "登録いたしました", "作成しました", "作成いたしました", "予定を作りました", "予定を追加しました", "予約しました", "予約いたしました",
	"予約を取りました", "送信しました", "送信いたしました", "実行しました", "実行いたしました", "呼び出しました",
}

// orders are what shows that a sentence of the evidence tells somebody what to answer. It is no evidence of anything.
var orders = []string{
	"ignore all", "ignore the", "ignore any", "ignore previous", "previous instruction", "above instruction", "system prompt", "note to ai", "as an ai", "language model", "assistant must", "assistant should",
	"you must tell", "you must say", "you must answer", "you are now", "tell every visitor", "tell the visitor", "tell visitors", "api key", "tool_call", "function call", "assistant:", "system:", "<|", "###",
	"delete_event", "create_event", "update_event",
	"指示を無視", "指示に従", "プロンプト", "システムメッセージ", "言語モデル", "apiキー", "と答え", "と回答", "と案内する", "と言って", "と伝えて", "案内係は", "アシスタントは", "回答の前に", "回答の最後に",
}

// isOrder reports whether a sentence of the evidence is an order to whoever answers.
func isOrder(sentence string) bool {
	text := fold(sentence).text
	return slices.ContainsFunc(orders, func(o string) bool { return strings.Contains(text, o) })
}

func suspects(text []byte) []feature {
	s := string(text)
	for _, t := range traces {
		if i := strings.Index(s, t); i >= 0 {
			return []feature{{kind: suspect, text: "no part of an answer: " + t, start: i, end: i + len(t)}}
		}
	}
	return nil
}
