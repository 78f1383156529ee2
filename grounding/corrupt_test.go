package grounding_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// A corruption makes false sentences of a true one.
type corruption struct {
	kind string
	make func(s sentence) []string
}

// corruptions are the ways in which a model's sentence may be wrong.
var corruptions = []corruption{
	{"hour", wrongHours},
	{"weekday", func(s sentence) []string {
		return append(swapAll(s.Text, weekdaysJa, 2), swapAll(s.Text, weekdaysEn, 2)...)
	}},
	{"price", wrongPrices},
	{"title", wrongTitles},
	{"start as end", wrongEnds},
	{"negation", func(s sentence) []string { return replaceFirst(s.Text, negations) }},
	{"number", wrongNumbers},
	{"limit", func(s sentence) []string { return replaceFirst(s.Text, limits) }},
	{"url", wrongAddresses},
	{"place", func(s sentence) []string {
		return append(swapAll(s.Text, placesJa, 2), swapAll(s.Text, placesEn, 2)...)
	}},
}

var (
	weekdaysJa = []string{"月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜"}
	weekdaysEn = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	placesJa   = []string{"メインホール", "テラス", "アンダースペース", "MAKER'sスペース", "防音室", "談話室", "集中スペース"}
	placesEn   = []string{"Main Hall", "terrace", "Under Space", "MAKER's Space", "soundproof booth", "lounge", "Focus Space"}
	titles     = map[string][][]string{
		"week": {
			{"もくもく会", "Go勉強会", "LT会", "はんだ付け入門ワークショップ", "はじめてのプログラミング"},
			{"Mokumoku Night", "Go Study Group", "Lightning Talks Night", "Soldering for Beginners", "Coding for Beginners"},
		},
		"camp": {{"MAKER's Days", "週末ハッカソン", "コミュニティマネージャーなんでも相談デー"}, {"Three Days of Making", "Weekend Hackathon"}},
	}
)

// swapAll puts, for each of some names in a text, others in its place: at most n, that are not in
// it.
func swapAll(text string, names []string, n int) []string {
	var out []string
	for i, name := range names {
		if !strings.Contains(text, name) {
			continue
		}
		done := 0
		for k := 1; k < len(names) && done < n; k++ {
			if with := names[(i+k)%len(names)]; !strings.Contains(text, with) {
				out = append(out, strings.ReplaceAll(text, name, with))
				done++
			}
		}
	}
	return out
}

// each makes one text for every match of a pattern and every replacement of it.
func each(text, pattern string, change func(match []string) []string) []string {
	re := regexp.MustCompile(pattern)
	var out []string
	for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
		var match []string
		for i := 0; i < len(at); i += 2 {
			if at[i] < 0 {
				match = append(match, "")
				continue
			}
			match = append(match, text[at[i]:at[i+1]])
		}
		for _, with := range change(match) {
			if with != match[0] {
				out = append(out, text[:at[0]]+with+text[at[1]:])
			}
		}
	}
	return out
}

func atoi(s string) int { n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", "")); return n }

func wrongHours(s sentence) []string {
	out := each(s.Text, `(\d{1,2})(時|:\d\d)([^間]|$)`, func(m []string) []string {
		h := atoi(m[1])
		if h == 0 || strings.Contains(m[0], "前") {
			return nil
		}
		return []string{fmt.Sprint(h+1) + m[2] + m[3], fmt.Sprint(h-1) + m[2] + m[3]}
	})
	return append(out, each(s.Text, `\b(\d{1,2})((?::\d\d)? [ap]\.m\.)`, func(m []string) []string {
		h := atoi(m[1])
		return []string{fmt.Sprint(h%12+1) + m[2], fmt.Sprint((h+10)%12+1) + m[2]}
	})...)
}

func wrongPrices(s sentence) []string {
	other := func(p string) []string { n := atoi(p); return []string{fmt.Sprint(n + 100), fmt.Sprint(n * 2)} }
	out := each(s.Text, `([\d,]+)(円| yen)`, func(m []string) []string {
		var list []string
		for _, p := range other(m[1]) {
			list = append(list, p+m[2])
		}
		return list
	})
	out = append(out, each(s.Text, `¥([\d,]+)`, func(m []string) []string {
		var list []string
		for _, p := range other(m[1]) {
			list = append(list, "¥"+p)
		}
		return list
	})...)
	return append(out, replaceFirst(s.Text, [][2]string{{"五百円", "八百円"}, {"五百七十円", "五百円"}, {"千円です", "二千円です"}})...)
}

func wrongTitles(s sentence) []string {
	var out []string
	for _, list := range titles[s.Scene.Name] {
		out = append(out, swapAll(s.Text, list, 4)...)
	}
	return out
}

func wrongEnds(s sentence) []string {
	out := each(s.Text, `(\d+時半?)から(\D*)(\d+時半?)`, func(m []string) []string {
		return []string{m[3] + "から" + m[2] + m[3], m[1] + "から" + m[2] + m[1]}
	})
	out = append(out, each(s.Text, `([\d:]+)( [ap]\.m\.)? (to|until|and|through) ([\d:]+)( [ap]\.m\.)?`, func(m []string) []string {
		if m[2]+m[5] == "" && !strings.Contains(m[0], ":") {
			return nil
		}
		return []string{m[4] + m[2] + " " + m[3] + " " + m[4] + m[5]}
	})...)
	if len(out) > 0 {
		return out
	}
	return replaceFirst(s.Text, [][2]string{
		{"時からは", "時までは"},
		{"時から、", "時まで、"},
		{"時からです", "時までです"},
		{"時スタート", "時終了"},
		{"に始ま", "に終わ"},
		{"終了は", "開始は"},
		{"に終わ", "に始ま"},
		{"時半まで", "時半から"},
		{"時まで続", "時から続"},
		{"時半から始ま", "時半に終わ"},
		{"閉館は", "開館は"},
		{"に閉まり", "に開き"},
		{"starts at", "ends at"},
		{"kicks off at", "ends at"},
		{"ends at", "starts at"},
		{"opens at", "closes at"},
		{"finishes at", "starts at"},
		{"wraps up at", "starts at"},
		{"meets on Thursday, November 26, at", "ends on Thursday, November 26, at"},
		{"until 10 p.m.", "from 10 p.m."},
		{"ends on", "starts on"},
	})
}

func japanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
}

// replaceFirst makes one text for each pair whose first is in it, at most two.
func replaceFirst(text string, pairs [][2]string) []string {
	var out []string
	for _, p := range pairs {
		if strings.Contains(text, p[0]) && len(out) < 2 && (p[0] != "There are " || !strings.Contains(text, "There are no")) {
			out = append(out, strings.Replace(text, p[0], p[1], 1))
		}
	}
	return out
}

// limits turn the most into the least, and the reverse.
var limits = [][2]string{
	{"名以上", "名以下"},
	{"人以上", "人まで"},
	{"歳以上", "歳以下"},
	{"名まで", "名から"},
	{"人まで", "人以上"},
	{"台まで", "台以上"},
	{"以内", "以上"},
	{"最大", "最低"},
	{"up to ", "at least "},
	{"at least ", "at most "},
	{"at most ", "at least "},
	{" or more", " or fewer"},
	{" and over", " and under"},
	{"no more than ", "no less than "},
}

var negations = [][2]string{
	{"ありません", "あります"},
	{"ございません", "ございます"},
	{"できません", "できます"},
	{"いりません", "いります"},
	{"していません", "しています"},
	{"行っていません", "行っています"},
	{"あります", "ありません"},
	{"できます", "できません"},
	{"使えます", "使えません"},
	{"不要", "必要"},
	{"必要です", "不要です"},
	{"必要があります", "必要はありません"},
	{"無料", "有料"},
	{"有料", "無料"},
	{"開いています", "閉まっています"},
	{"開館しています", "休館しています"},
	{"休館となります", "開館しています"},
	{"お休みです", "営業しています"},
	{"大丈夫", "禁止"},
	{"お控えください", "ご自由にどうぞ"},
	{"全面禁煙", "喫煙可能"},
	{"加工できます", "加工できません"},
	{"借りられます", "借りられません"},
	{"受け付けています", "受け付けていません"},
	{"置いていません", "置いています"},
	{" open ", " closed "},
	{" closed ", " open "},
	{"can't", "can"},
	{"isn't", "is"},
	{"aren't", "are"},
	{"don't need", "need"},
	{"don't have", "have"},
	{"'s no ", "'s a "},
	{"no booking is", "a booking is"},
	{"You can ", "You can't "},
	{"is free", "isn't free"},
	{"are welcome", "aren't welcome"},
	{"There are ", "There are no "},
	{"is available", "isn't available"},
	{"doesn't", "does"},
	{" is booked", " isn't booked"},
	{"No booking", "A booking"},
	{"need to take", "don't need to take"},
	{"there is no charge", "there is a charge"},
	{"are no lockers", "are lockers"},
	{"costs", "doesn't cost"},
	{"but please don't", "and please"},
}

func wrongNumbers(s sentence) []string {
	more := func(m []string) []string {
		n := atoi(m[1])
		return []string{fmt.Sprint(n+1) + m[2], fmt.Sprint(n*2+1) + m[2]}
	}
	out := each(s.Text, `(\d+)(名|人|席|階|分|番|か月|時間|日前|日間|枠|つ|件|年|月\d|グラム|％|-seat| seats| people| minutes| ?GHz| participants| years| metres|%)`, more)
	words := []string{"two", "three", "five", "six", "eight", "ten", "twelve"}
	for i, w := range words {
		out = append(out, each(s.Text, `\b`+w+`\b`, func([]string) []string { return []string{words[(i+2)%len(words)]} })...)
	}
	return append(out, swapAll(s.Text, []string{"first floor", "second floor", "third floor", "fourth floor"}, 1)...)
}

func wrongAddresses(s sentence) []string {
	out := each(s.Text, `(\d)/`, func(m []string) []string { return []string{fmt.Sprint((atoi(m[1])+3)%10) + "/", m[1] + "9/"} })
	out = append(out, replaceFirst(s.Text, [][2]string{
		{"connpass.com", "conpass.com"}, {"engineercafe.jp", "engineercafe.com"}, {"@EngineerCafeJP", "@EngineerCafe"}, {"080-6742-7231", "080-6742-7213"}, {"https://", "https://evil."},
	})...)
	if s.Scene.Name == "week" && japanese(s.Text) {
		out = append(out, strings.TrimRight(s.Text, "。！!")+"。詳細は https://example.com/"+fmt.Sprint(len(s.Text))+" をご覧ください。")
	}
	return out
}

// stillTrue are corruptions that happen to be true of the evidence, or mean the same.
var stillTrue = []string{
	"The Go Study Group ends at 9 p.m.",                                   // so does the one it was put for
	"もくもく会は19時から、LT会は翌日の27日19時からです。",                                      // it begins at 19:00 as well
	"LT会の会場は1階のメインホールです。", "The Focus Space is first come, first served.", // as is what they were put for
	"日曜日は11時から20時まで営業しています。", "On Thursdays it's open from noon", // as on the day they were put for
	"Mondays are no different",                     // all days but the last Monday
	"The Main Hall is on the first floor.",         // as is the lounge
	"興味がありませんか",                                    // still a question
	"9時から9時",                                       // 9:00 to 21:00 in other words
	"申し訳ありますが", "申し訳ございますが", "施設ではあります", "Neither", // still an apology
}

// A falsehood is a false sentence, and the items that the true one is from of which it was made: a
// model cites well and mistakes a fact.
type falsehood struct {
	sentence
	from []string
}

// corrupted are the false sentences of a kind made of true ones, each once.
func corrupted(kind corruption, truths []sentence) []falsehood {
	seen := map[string]bool{}
	var out []falsehood
	for _, s := range truths {
		if s.Scene.Name == "any" {
			continue
		}
		from := s.Scene.Checker.Check(s.Text).Uses
		for _, text := range kind.make(s) {
			if !seen[s.Scene.Name+text] && text != s.Text && !slices.ContainsFunc(stillTrue, func(t string) bool { return strings.Contains(text, t) }) {
				seen[s.Scene.Name+text] = true
				out = append(out, falsehood{sentence{s.Scene, text}, from})
			}
		}
	}
	return out
}

// TestCorruptedSentencesFail bounds how many sentences pass in which one fact is false, by kind of
// fact.
func TestCorruptedSentencesFail(t *testing.T) {
	inAll, caughtInAll := 0, 0
	for _, set := range []struct {
		name   string
		truths []sentence
		least  float64
		show   bool
	}{
		{"tuned", loadTuned(t), 0.97, true},
		{"held", loadTruths(t, heldFile), 0.94, false},
		{"freer", loadAll(t, freerFiles), 0.94, true},
		{"places", loadTruths(t, placesFile), 0.91, false},
		{"free", loadTruths(t, freeFile), 0.97, false},
	} {
		all, caught, blind := 0, 0, 0
		for _, kind := range corruptions {
			texts, n, alone := corrupted(kind, set.truths), 0, 0
			for _, s := range texts {
				if !s.Scene.Checker.Check(s.Text).OK {
					alone++
				}
				if v := s.Scene.Checker.Check(s.Text, s.from...); !v.OK {
					n++
				} else if set.show {
					t.Logf("%s: %s: passed: %s %v", kind.kind, s.Scene.Name, s.Text, s.from)
				}
			}
			t.Logf("%s: %s: %d of %d caught, %d without citations", set.name, kind.kind, n, len(texts), alone)
			all, caught, blind = all+len(texts), caught+n, blind+alone
		}
		t.Logf("%s: all: %d of %d caught (%.1f %%), %d without citations (%.1f %%)", set.name, caught, all, 100*float64(caught)/float64(all), blind, 100*float64(blind)/float64(all))
		if share := float64(caught) / float64(all); share < set.least {
			t.Errorf("%s: %.1f %% of the false sentences caught, want at least %.0f %%", set.name, 100*share, 100*set.least)
		}
		inAll, caughtInAll = inAll+all, caughtInAll+caught
	}
	share := float64(caughtInAll) / float64(inAll)
	if t.Logf("all sets: %d of %d caught (%.1f %%)", caughtInAll, inAll, 100*share); share < 0.97 {
		t.Errorf("%.1f %% of all false sentences caught, want at least 97 %%", 100*share)
	}
}
