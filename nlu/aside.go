package nlu

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// aside are the words that say something of what is asked for and are in no title, in order, in
// runes: where one has heard of it, the stems of verbs (見た, 連れて) that the lexicon does not know,
// and a lone kanji that is left beside a time.
func (s *sentence) aside() [][2]int {
	var found [][2]int
	ignoredSpans := s.ignoredSpans
	known, h := 0, 0 // where the last known word ends; the next hit
	for i := 0; i < len(s.lower); {
		for h < len(s.hits) && s.hits[h].start < i {
			h++
		}
		for len(ignoredSpans) > 0 && ignoredSpans[0][1] <= i {
			ignoredSpans = ignoredSpans[1:]
		}
		end := s.timeEnd(i)
		switch {
		case len(ignoredSpans) > 0 && ignoredSpans[0][0] <= i:
			end = ignoredSpans[0][1]
			found = append(found, [2]int{i, end})
		case h < len(s.hits) && s.hits[h].start == i && s.hits[h].end > end:
			end = s.hits[h].end
		case end > i:
		default:
			if end = s.asideEnd(i, i > known); end > i {
				found = append(found, [2]int{i, end})
			}
		}
		if end > i {
			i, known = end, end
			continue
		}
		i++
	}
	return found
}

// asideEnd is where a verb or a scrap at rune i ends, or i. inRun says that an unknown word may
// have begun before it.
func (s *sentence) asideEnd(i int, inRun bool) int {
	if end := verbAt(s.lower, i, inRun); end > i {
		return end
	}
	if s.isScrap(i) {
		return i + 1
	}
	return i
}

// scraps are kanji that stand behind a noun and say nothing alone: 連休中, 冬の間.
const scraps = "中内間前後時頃用等側"

// isScrap reports whether rune i is a lone kanji that says nothing, or touches a time.
func (s *sentence) isScrap(i int) bool {
	isKanji := func(j int) bool { return j >= 0 && j < len(s.text) && scriptOf(s.text[j]) == scriptKanji }
	inTime := func(j int) bool { return j >= 0 && j < len(s.text) && s.spanEnds[j] > 0 }
	if !isKanji(i) || isKanji(i-1) && !inTime(i-1) || isKanji(i+1) && !inTime(i+1) {
		return false
	}
	return inTime(i-1) || inTime(i+1) || strings.ContainsRune(scraps, s.text[i])
}

// hearsay is where and how somebody has heard of what is asked for: 看板で見た, "that I saw on the poster".
var (
	hearsay        = regexp.MustCompile(`(?:看板|ポスター|チラシ|ちらし|フライヤー|張り紙|貼り紙|掲示板|掲示|ホームページ|hp|公式サイト|サイト|ウェブ|web|ネット|ブログ|記事|sns|ツイッター|twitter|インスタ|instagram|facebook|フェイスブック|connpass|コンパス|メール|案内|アナウンス|放送|テレビ|新聞|雑誌|カレンダー|友達|友人|知人|知り合い|先輩|先生|同僚|家族)(?:さん)?(?:で|に|から|の)(?:見|聞|知|読|載|書|紹介|教|貼|張|言|のって|あった)`)
	hearsayEnglish = regexp.MustCompile(`(?:that |which )?(?:i|we|i've|we've|my friend|a friend) (?:just |recently )?(?:saw|seen|heard|read|noticed|found|told)(?: me)?(?: about| of)?(?: it| this)?(?: (?:on|in|at|from) (?:the |a |an |your |my |some )?(?:sign|signboard|poster|posters|flyer|flyers|leaflet|board|notice board|bulletin board|website|site|web|internet|homepage|blog|news|newspaper|twitter|instagram|facebook|connpass|calendar|friend|entrance|door))?\b`)
)

// heardEnglish are the words of which one is in all that [hearsayEnglish] finds: without them it
// need not look.
var heardEnglish = []string{"saw", "seen", "heard", "read", "noticed", "found", "told"}

// mayBeHeard reports whether [hearsay] need look: a verb of learning stands behind a particle.
func mayBeHeard(text []rune) bool {
	for i := 1; i < len(text); i++ {
		if !strings.ContainsRune("でにらの", text[i-1]) {
			continue
		}
		if strings.ContainsRune("見聞知読載書紹教貼張言", text[i]) || i+1 < len(text) && text[i+1] == 'っ' {
			return true
		}
	}
	return false
}

// hearsayIn are the ranges of hearsay in a text, in runes.
func (s *sentence) hearsayIn(text string) [][2]int {
	re := hearsay
	if s.language == English {
		if !containsAny(text, heardEnglish) {
			return nil
		}
		re = hearsayEnglish
	} else if !mayBeHeard(s.lower) {
		return nil
	}
	var found [][2]int
	for _, m := range re.FindAllStringIndex(text, -1) {
		start := utf8.RuneCountInString(text[:m[0]])
		found = append(found, [2]int{start, start + utf8.RuneCountInString(text[m[0]:m[1]])})
	}
	return found
}

// containsAny reports whether one of the words is in a text.
func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// hearingIsNoTime takes out the time at which the speaker has heard of what is asked for:
// 昨日ポスターで見た勉強会 is on another day.
func (s *sentence) hearingIsNoTime() {
	s.keepTimes(func(i int) bool {
		for k, h := range s.ignoredSpans {
			gap := h[0] - s.spans[i][1]
			if gap == 0 || gap == 1 && strings.ContainsRune("にの、", s.text[h[0]-1]) {
				s.ignoredSpans[k][0] = s.spans[i][0]
				return false
			}
		}
		return true
	})
}

// happening are the stems of verbs that say of an event that it takes place.
const happening = "始終開行催集"

// purposeVerbs are the stems of the verbs that say what somebody wants to do, where nothing else
// says what a place is wanted for.
func (s *sentence) purposeVerbs() string {
	var stems []string
	for _, a := range s.aside() {
		if stem := s.text[a[0]]; scriptOf(stem) == scriptKanji && !strings.ContainsRune(happening, stem) {
			stems = append(stems, string(stem))
		}
	}
	return strings.Join(stems, " ")
}

// notSaid notes a range of runes that is not spoken of.
func (s *sentence) notSaid(span [2]int) {
	s.ignoredSpans = append(s.ignoredSpans, span)
	slices.SortFunc(s.ignoredSpans, func(a, b [2]int) int { return a[0] - b[0] })
}
