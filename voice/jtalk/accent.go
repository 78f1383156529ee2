package jtalk

import "strings"

// joinPhrases decides which words belong to the accent phrase of the word before.
func (s *sentence) joinPhrases() {
	if s.head == nil {
		return
	}
	for n := s.head.next; n != nil; n = n.next {
		if n.chain == undecided {
			n.chain = apart
			if joins(n.before, n) {
				n.chain = joined
			}
		}
	}
}

// joins applies the rules of Open JTalk, numbered as there, the last one first: of those that
// apply, the last one holds.
func joins(p, n *node) bool {
	switch {
	case n.group1 == "接尾": // 18
		return true
	case p.pos == noun && n.group3 == "名", p.group3 == "姓" && n.pos == noun: // 17, 16
		return false
	case n.pos == "接頭詞": // 15
		return false
	case n.pos == mark || p.pos == mark: // 14
		return false
	case p.pos == noun && (n.pos == verb || n.pos == adjective || n.group1 == adjectivalNoun): // 13
		return false
	case n.pos == verb && n.group1 == dependent && joinsVerb(p): // 12
		return true
	case n.pos == adjective && n.group1 == dependent && joinsAdjective(p): // 11
		return true
	case p.group1 == "接尾" && n.pos == noun: // 10
		return false
	}
	return joinsPlain(p, n)
}

const (
	adjective      = "形容詞"
	adjectivalNoun = "形容動詞語幹"
	dependent      = "非自立"
	continuative   = "連用"
)

func joinsVerb(p *node) bool {
	return p.pos == verb && strings.HasPrefix(p.cform, continuative) || p.pos == noun && p.group1 == "サ変接続"
}

func joinsAdjective(p *node) bool {
	switch p.pos {
	case verb, adjective:
		return strings.HasPrefix(p.cform, continuative)
	case particle:
		return p.group1 == "接続助詞" && (p.text == "て" || p.text == "で")
	}
	return false
}

// joinsPlain has the rules 9 to 1.
func joinsPlain(p, n *node) bool {
	attached := n.pos == auxiliary || n.pos == particle
	switch {
	case (p.pos == auxiliary || p.pos == particle) && !attached: // 9
		return false
	case attached: // 8
		return true
	case p.pos == noun && p.group1 == adverbal, n.pos == noun && n.group1 == adverbal: // 7
		return false
	case alone[n.pos] || alone[p.pos]: // 6
		return false
	case p.pos == verb && (n.pos == adjective || n.pos == noun): // 5
		return false
	case p.pos == noun && p.group1 == adjectivalNoun && n.pos == noun: // 4
		return false
	case p.pos == adjective && n.pos == noun: // 3
		return false
	}
	return true // 2, 1
}

// alone are the parts of speech that are accent phrases by themselves.
var alone = set([]string{"副詞", "接続詞", "連体詞"})

// moveAccents finds the accent of each phrase, which its first word keeps.
func (s *sentence) moveAccents() {
	var top *node
	moras := 0
	for n := s.head; n != nil; n = n.next {
		if n.before == nil || n.chain != joined {
			top, moras = n, 0
		} else {
			top.acc = moved(top.acc, moras, n)
		}
		if n.before != nil && n.chain == joined && n.before.group1 == numeral && n.group1 == numeral {
			n.before.acc = numeralAccent(n.before, n)
		}
		if n.text == "十" && n.chain != joined && n.next != nil && n.next.group1 == numeral {
			n.acc = 0
		}
		moras += n.moras
	}
}

// moved returns the accent of a phrase of so many morae when n is joined to it.
func moved(acc, moras int, n *node) int {
	rule, add := ruleBehind(n.rule, n.before.pos)
	switch rule {
	case "F2":
		if acc == 0 {
			acc = moras + add
		}
	case "F3":
		if acc != 0 {
			acc = moras + add
		}
	case "F4":
		acc = moras + add
	case "F5", "C4", "P6":
		acc = 0
	case "C1":
		acc = moras + n.acc
	case "C2":
		acc = moras + 1
	case "C3":
		acc = moras
	case "P1":
		if acc = 0; n.acc != 0 {
			acc = moras + n.acc
		}
	case "P2":
		if acc = moras + 1; n.acc != 0 {
			acc = moras + n.acc
		}
	case "P14":
		if n.acc != 0 {
			acc = moras + n.acc
		}
	}
	return max(0, acc)
}

// ruleBehind returns which of a word's rules holds behind a part of speech, and the number that it
// adds: 動詞%F2@1/形容詞%F4@-2 is F2 and 1 behind a verb.
func ruleBehind(rules, pos string) (rule string, add int) {
	for rules != "" {
		word, sep, rest := cutRule(rules)
		if sep != '%' {
			return added(word, sep, rest)
		}
		if strings.Contains(pos, word) {
			return added(cutRule(rest))
		}
		for sep == '%' || sep == '@' {
			_, sep, rest = cutRule(rest)
		}
		rules = rest
	}
	return "*", 0
}

func added(rule string, sep byte, rest string) (string, int) {
	if sep != '@' {
		return rule, 0
	}
	add, _, _ := cutRule(rest)
	return rule, number(add)
}

func cutRule(rules string) (word string, sep byte, rest string) {
	i := strings.IndexAny(rules, "%@/")
	if i < 0 {
		return rules, 0, ""
	}
	return rules[:i], rules[i], rules[i+1:]
}

// numeralAccent returns the accent of a numeral before 十, 百, 千, 万, 億 or 兆.
func numeralAccent(num, n *node) int {
	is := func(texts string) bool { return strings.Contains(texts, num.text) && num.text != "" }
	switch n.text {
	case "十":
		if is("五六八") && n.next != nil && numbersTable().small[n.next.text] && !unsure[n.next.text] {
			return 0
		}
		return 1
	case "百":
		switch {
		case num.text == "七":
			return 2
		case is("三四九何"):
			return 1
		}
		return num.moras + n.moras
	case "千", "万":
		return num.moras + 1
	case "億":
		if is("一六七八幾") {
			return 2
		}
		return 1
	case "兆":
		if is("六七") {
			return 2
		}
		return 1
	}
	return num.acc
}

// unsure are small numerals that are not known ones.
var unsure = set([]string{"何", "幾", "数"})
