package jtalk

import "strings"

const (
	numeral  = "数"
	counter  = "助数詞"
	adverbal = "副詞可能"
	comma    = "，"
	point    = "．"
	dot      = "・"
)

// digitOf returns the value of a word that is a digit, and -1 for another one.
func digitOf(n *node) int {
	if n.group1 == numeral {
		if d, ok := numbersTable().digits[n.text]; ok {
			return d.value
		}
	}
	return -1
}

func isPoint(text string) bool { return text == point || text == dot }

// counts reports whether a word counts things when it stands behind a number.
func (n *node) counts() bool { return n.group2 == counter || n.group1 == adverbal }

// readNumbers reads digits as numbers or one by one, and counters and days as their numbers demand.
func (s *sentence) readNumbers() {
	if !s.readDigits() {
		return
	}
	s.removeSilent()
	if s.head == nil {
		return
	}
	s.readPoints()
	for n := s.head.next; n != nil; n = n.next {
		if n.before.group1 == numeral && n.counts() {
			n.countWith(n.before)
		}
	}
	for n := s.head.next; n != nil; n = n.next {
		if n.before.group1 == numeral {
			n.joinNumeral(n.before)
		}
	}
	for n := s.head; n != nil; n = n.next {
		if n.next != nil && n.group1 == numeral && n.next.counts() &&
			(n.before == nil || n.before.pos == mark || n.before.group1 != numeral) {
			n.readWhole(n.next)
		}
	}
	for n := s.head; n != nil; n = n.next {
		if n.next != nil && n.next.next != nil && (n.before == nil || n.before.group1 != numeral) {
			n.readDays()
		}
	}
	s.removeSilent()
}

// readDigits reads each sequence of digits, commas and points, and reports whether there are
// numbers.
func (s *sentence) readDigits() bool {
	found := false
	var first, last *node
	for n := s.head; n != nil; n = n.next {
		found = found || n.group1 == numeral
		isDigit := digitOf(n) >= 0
		if isDigit {
			n.text = numbersTable().digits[n.text].text
		}
		if isDigit || n.group1 == numeral && (isPoint(n.text) || n.text == comma) {
			if first == nil {
				first = n
			}
			if n == s.tail {
				last = n
			}
		} else if first != nil {
			last = n.before
		}
		if first != nil && last != nil {
			s.readSequence(first, last)
			first, last = nil, nil
		}
	}
	return found
}

// readSequence reads digits up to a point or a comma and goes on behind it.
func (s *sentence) readSequence(first, last *node) {
	for ; first.text == comma || isPoint(first.text); first = first.next {
		if first == last {
			return
		}
	}
	end := first
	for end != last && end.next != nil && !isPoint(end.next.text) {
		end = end.next
	}
	for end != first && end.text == comma {
		end = end.before
	}
	firstComma, grouped := commas(first, end)
	zero := first != end && digitOf(first) == 0
	switch {
	case grouped && firstComma != nil && !zero:
		for n := first; n != end; n = n.next {
			if n.text == comma {
				s.remove(n)
			}
		}
		readNumber(first, end)
	default:
		if firstComma != nil {
			end = firstComma.before
		}
		if !zero && score(first, end) >= 0 {
			readNumber(first, end)
		} else {
			readOneByOne(first, end)
		}
	}
	if end != last {
		s.readSequence(end.next, last)
	}
}

// commas returns the first comma of a sequence, and whether they all stand before three digits.
func commas(first, end *node) (firstComma *node, grouped bool) {
	grouped = true
	for i, n := 0, end; ; i, n = i+1, n.before {
		isComma := n.text == comma
		if isComma {
			firstComma = n
		}
		grouped = grouped && isComma == (i%4 == 3)
		if n == first {
			return firstComma, grouped
		}
	}
}

// hyphens are what stands between groups of digits that are read one by one.
var hyphens = set([]string{"―", "−", "‐", "—", "－"})

// score judges by the words around digits whether they are a number (0 or more) or read one by one.
func score(first, last *node) int {
	sum := 0
	if p := first.before; p != nil {
		sum += scoreBefore(p)
		if p.before != nil && p.before.text == "番号" {
			sum -= 2
		}
	}
	if n := last.next; n != nil {
		sum += scoreBehind(n)
	}
	return sum
}

func scoreBefore(p *node) int {
	sum := 0
	if p.group1 == "数接続" {
		sum += 2
	}
	if p.counts() {
		sum++
	}
	behindNumeral := p.before != nil && p.before.group1 == numeral
	switch {
	case isPoint(p.text):
		if behindNumeral {
			sum -= 5
		}
	case p.text == "（":
		if behindNumeral {
			sum -= 2
		}
	case hyphens[p.text] || p.text == "）" || p.text == "番号":
		sum -= 2
	}
	return sum
}

func scoreBehind(n *node) int {
	sum := 0
	if n.counts() {
		sum += 2
	}
	switch {
	case n.text == "）":
		if n.next != nil && n.next.group1 == numeral {
			sum -= 2
		}
	case hyphens[n.text] || n.text == "（" || n.text == "番号":
		sum -= 2
	case isPoint(n.text):
		sum += 4
	}
	return sum
}

// readOneByOne reads digits as a telephone number: two of them in an accent phrase.
func readOneByOne(first, last *node) {
	if first == last {
		return
	}
	long := map[string]string{"〇": "ゼロ", "０": "ゼロ", "二": "ニー", "五": "ゴー"}
	end := last.next
	for i, n := 0, first; n != end; i, n = i+1, n.next {
		if pron, ok := long[n.text]; ok {
			n.pron, n.moras = pron, 2
		}
		n.rule = "*"
		n.chain = apart
		if i%2 == 1 {
			n.chain = joined
			n.before.acc = 3
		}
	}
}

// readNumber puts 十, 百, 千, 万 ... between digits.
func readNumber(first, last *node) {
	const group = 4
	size := 1
	for n := first; n != last; n = n.next {
		size++
	}
	table := numbersTable()
	if size == 1 || (size-1)/group >= len(table.groups) {
		return
	}
	nonzero := false
	end := last.next
	for n := first; n != end; n = n.next {
		size--
		place, which := size%group, size/group
		value := digitOf(n)
		switch {
		case value <= 0:
			n.pron, n.acc, n.moras = "", 0, 0
		case place > 0 && value == 1:
			n.load(table.places[place])
			nonzero = true
		case place > 0:
			n = n.insertFeatures(table.places[place])
			nonzero = true
		default:
			nonzero = true
		}
		if place == 0 {
			if nonzero && which > 0 {
				n = n.insertFeatures(table.groups[which])
			}
			nonzero = false
		}
	}
}

func (n *node) insertFeatures(features string) *node {
	word := &node{}
	word.load(features)
	return n.insert(word)
}

// readPoints reads the point of decimal fractions.
func (s *sentence) readPoints() {
	for n := s.head.next; n != nil && n.next != nil; {
		if !isPoint(n.text) || n.before.group1 != numeral || n.next.group1 != numeral {
			n = n.next
			continue
		}
		n.load("．,名詞,接尾,助数詞,*,*,*,．,テン,テン,0/2,*")
		n.chain = joined
		switch n.before.text {
		case "〇", "０":
			n.before.pron, n.before.moras = "レー", 2
		case "二":
			n.before.pron, n.before.moras = "ニー", 2
		case "五":
			n.before.pron, n.before.moras = "ゴー", 2
		case "六":
			n.before.acc = 1
		}
		for n = n.next; n != nil && n.pos == noun; {
			n = n.next
		}
		if n != nil {
			n = n.next
		}
	}
}

// countWith makes a number and the counter behind it sound as they do together.
func (n *node) countWith(num *node) {
	table := numbersTable()
	num.readFor(table.class("1", n.text))
	n.soundFor(table.class("2", n.text), num)
	num.chain, n.chain = apart, joined
}

func (n *node) readFor(class string) {
	if r, ok := numbersTable().reads[class+" "+n.text]; ok && class != "" {
		n.pron, n.acc, n.moras = r.pron, r.acc, r.moras
	}
}

// soundFor changes the first sound of a counter or of 百 and 千.
func (n *node) soundFor(class string, num *node) {
	table := numbersTable()
	sounds := map[int]map[string]string{1: table.voiced, 2: table.half}[table.sounds[class+" "+num.text]]
	for plain, changed := range sounds {
		if rest, ok := strings.CutPrefix(n.pron, plain); ok && class != "" {
			n.pron = changed + rest
			return
		}
	}
}

// joinNumeral makes one accent phrase of 三 and 十, and lets 十 and 三 be two.
func (n *node) joinNumeral(num *node) {
	table := numbersTable()
	if n.group1 == numeral {
		switch {
		case table.small[num.text] && table.large[n.text]:
			num.chain, n.chain = apart, joined
		case table.large[num.text] && table.small[n.text]:
			n.chain = apart
		}
	}
	num.readFor(table.class("n8", n.text))
	num.readFor(table.class("n10", n.text))
	n.soundFor(table.class("n6", n.text), num)
}

// readWhole reads what is irregular as a whole: one thing or two, people, days of a month and
// numbers of days.
func (n *node) readWhole(what *node) {
	table := numbersTable()
	if r, ok := table.reads["native "+n.text]; ok && table.native[what.text+" "+what.entry] {
		n.pron, n.acc, n.moras = r.pron, r.acc, r.moras
	}
	var kind string
	switch what.text {
	case "人":
		kind = "person"
	case "日":
		kind = "day"
		if n.before != nil && strings.Contains(n.before.text, "月") && n.text == "一" {
			n.load("一日,名詞,副詞可能,*,*,*,*,一日,ツイタチ,ツイタチ,4/4,*")
			what.pron = ""
			return
		}
	case "日間":
		kind = "days"
	}
	if features, ok := table.whole[kind+" "+n.text]; ok {
		n.load(features)
		what.pron = ""
	}
}

// readDays reads the 14th, the 20th and the 24th, and as many days.
func (n *node) readDays() {
	second, third := n.next, n.next.next
	switch {
	case n.text == "十" && second.text == "四":
		readTogether(third, map[string][]string{
			"日":  {"十四日,名詞,副詞可能,*,*,*,*,十四日,ジュウヨッカ,ジューヨッカ,1/5,*"},
			"日間": {"十四日間,名詞,副詞可能,*,*,*,*,十四日間,ジュウヨッカカン,ジューヨッカカン,5/7,*"},
		}, n, second)
	case n.text == "二" && second.text == "十" && third.text == "四" && third.next != nil:
		const twenty = "二十,名詞,副詞可能,*,*,*,*,二十,ニジュウ,ニジュー,1/3,*"
		readTogether(third.next, map[string][]string{
			"日":  {twenty, "四日,名詞,副詞可能,*,*,*,*,四日,ヨッカ,ヨッカ,0/3,*,0"},
			"日間": {twenty, "四日間,名詞,副詞可能,*,*,*,*,四日間,ヨッカカン,ヨッカカン,3/5,*,0"},
		}, n, second, third)
	case n.text == "二" && second.text == "十":
		readTogether(third, map[string][]string{
			"日":  {"二十日,名詞,副詞可能,*,*,*,*,二十日,ハツカ,ハツカ,0/3,*"},
			"日間": {"二十日間,名詞,副詞可能,*,*,*,*,二十日間,ハツカカン,ハツカカン,3/5,*"},
		}, n, second)
	}
}

// readTogether gives digits the features for their counter; what is over, and the counter, are
// silent.
func readTogether(counter *node, features map[string][]string, digits ...*node) {
	lines, ok := features[counter.text]
	if !ok {
		return
	}
	for i, n := range digits {
		if i < len(lines) {
			n.load(lines[i])
		} else {
			n.pron = ""
		}
	}
	counter.pron = ""
}
