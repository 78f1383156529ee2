package nodes

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
)

// verdict is what an answer to a plan says. It is a closed set.
type verdict string

const (
	verdictYes     verdict = "yes"
	verdictNo      verdict = "no"
	verdictEdit    verdict = "edit"    // change the plan, and ask again
	verdictAgain   verdict = "again"   // ask again: something about the plan was asked
	verdictOther   verdict = "other"   // it is about something else
	verdictPuzzled verdict = "puzzled" // nobody knows
)

var (
	// denial is a no at the beginning of an answer, behind which something else is wanted: いや、15時.
	denial = regexp.MustCompile(`^(?:(?:いいえ|いや|いえ|ううん|違います|違う|ちがう|すみません|ごめん|no|nope|nah|not|actually|sorry|wait|rather)(?:[、。,.! ]|\b|$)|(?:いやいや|じゃなくて|ではなくて|でなくて|やっぱり|やっぱ|あ、)[、。 ]?)\s*`)
	// assent is a yes at the beginning of an answer: はい、でも15時.
	assent = regexp.MustCompile(`^(?:(?:はい)+|(?:うん)+|ええ|そうそう|そうです|そう|よし|いいね|オッケー|オーケー|了解|yes|yeah|yep|sure|ok|okay|right|でも|ただ|but|and|instead)(?:[、。,.! ]|\b|$)\s*`)
	// going are words that tell to go on, whatever stands around them.
	going = regexp.MustCompile(`お願い|よろしく|頼む|頼みます|進めて|そうして|いいよ|いいです|良いです|問題ない|問題ありません|それで(?:いい|大丈夫|ok|お願い|よい|良い)|go ahead|please do|do it|do that|sounds good|that's (?:fine|right|good|ok)|looks good|that works|works for me|go for it|perfect|great`)
	// dropping are words that tell to leave it.
	dropping = regexp.MustCompile(`やめ(?:て|ます|る|とく|よう|ておき|ときます)|取り消し|取りやめ|中止|キャンセル|結構です|いらない|要らない|不要|そのままで|しないで|なしで|なしに|無しで|やらないで|never ?mind|forget (?:it|about)|don't|do not|leave it|no thanks|no thank you|not now|cancel (?:that|it)|^cancel$|^stop`)
	// courtesy is what may stand behind a yes, besides nothing.
	courtesy = regexp.MustCompile(`^(?:です|でーす|だよ|よ|ね|それで|もちろん|please|thanks|thank you|ありがとう(?:ございます)?|[、。,.! ])*$`)
	okays    = regexp.MustCompile(`^[oO][kK](?:ay|AY)?[.!。！]?$`)
)

func okay(text string) bool { return okays.MatchString(strings.TrimSpace(text)) }

// said is an answer to a plan, read.
type said struct {
	verdict verdict
	// edit is what is to be different, repeat how it shall recur from now on.
	edit   edit
	repeat repeat
}

// readSaid reads what was said to a plan that waits for a yes.
func readSaid(p plan, u nlu.Understanding, now time.Time) said {
	text := strings.Trim(strings.ToLower(u.Text), " 。.!！、,")
	rest := strings.TrimSpace(assent.ReplaceAllString(text, ""))
	affirmed := rest != text
	after := strings.TrimSpace(denial.ReplaceAllString(rest, ""))
	after = strings.TrimSpace(denial.ReplaceAllString(after, "")) // actually no, ...
	denied := after != rest
	u.Command = commandBehind(u, after)
	switch {
	case u.Intent == nlu.Safety:
		return said{verdict: verdictOther}
	case p.Offered && hasAny(text, "大丈夫", "結構", "いいです", "いいや") && !hasAny(text, "お願い"):
		return said{verdict: verdictNo} // to an offer these decline
	case u.Intent == nlu.Affirm && u.Confidence >= sureOfYes && plainYes.MatchString(text):
		return said{verdict: verdictYes}
	case u.Intent == nlu.Deny && len(u.Times) == 0, text == "not now":
		return said{verdict: verdictNo}
	}
	if u.Reference.That && isQuestion(u.Text) && len(u.Keywords) == 0 && len(u.Times) == 0 {
		return said{verdict: verdictAgain}
	}
	if e, r := editSaid(p, u, now); !e.empty() || !r.isZero() {
		if asksSomething(u) {
			return said{verdict: verdictOther}
		}
		return said{verdict: verdictEdit, edit: e, repeat: r}
	}
	switch {
	case !denied && repeatsOrder(p, rest):
		return said{verdict: verdictYes}
	case dropping.MatchString(text):
		return said{verdict: verdictNo}
	case denied && after == "":
		return said{verdict: verdictNo}
	case affirmed && courtesy.MatchString(rest), goesOn(text) && !denied:
		return said{verdict: verdictYes}
	case denied && p.Do != planAdd && u.Reference.Ordinal == 0 && len(u.Keywords) == 0:
		return said{verdict: verdictNo}
	case u.Intent == nlu.Unclear && u.Reference.Empty(), u.Confidence < 0.35, u.Intent == nlu.Thanks, u.Intent == nlu.Greeting, u.Intent == nlu.Affirm, (affirmed || going.MatchString(text)) && !isQuestion(text):
		return said{verdict: verdictPuzzled}
	}
	return said{verdict: verdictOther}
}

// plainYes are the words of a yes, one of which must be in it; sureOfYes is how sure it must be that there is nothing else.
var plainYes = regexp.MustCompile(`はい|うん|ええ|そう|お願い|おねがい|いい|大丈夫|もちろん|了解|わかりました|分かりました|オッケー|オーケー|おっけー|よろしく|ぜひ|頼|合ってます|合っています|正しい|その通り|\b(?:y|yes|yeah|yep|yup|sure|ok|okay|course|ahead|do|correct|right|exactly|good|confirm|confirmed|fine|absolutely|alright)\b`)

const sureOfYes = 0.95

// light are words that add nothing to a yes.
var light = regexp.MustCompile(`^(?:それ|これ|その|この|まま|内容|方向|形|感じ|通り|とおり|でも|で|に|を|は|も|の|よ|ね|です|します|いたします|でしたら|じゃあ|では|ぜひ|はい|うん|ええ|please|thanks|thank you|that|this|it|so|then|ok|okay|yes|yeah|sure|all|just|[\s、。,.!！])*$`)

// goesOn reports whether words tell to go on and say nothing else: a wish beside them must not be overheard.
func goesOn(text string) bool {
	return going.MatchString(text) && light.MatchString(going.ReplaceAllString(text, ""))
}

// commandBehind is the command in an answer, whose rest stands behind a yes or a no.
func commandBehind(u nlu.Understanding, rest string) slots.Command {
	text := strings.ToLower(u.Text)
	cut := strings.LastIndex(text, rest)
	if cut <= 0 || len(text) != len(u.Text) {
		return commandOf(u)
	}
	times := make([]datetime.Expression, 0, len(u.Times))
	for _, e := range u.Times {
		if e.Start >= cut && e.End <= cut+len(rest) {
			e.Start, e.End = e.Start-cut, e.End-cut
			times = append(times, e)
		}
	}
	return slots.Extract(u.Text[cut:cut+len(rest)], string(u.Language), times)
}

// sameOrder are orders that are said again, with nothing new in them: 登録して, "add it".
var sameOrder = map[planKind]*regexp.Regexp{
	planAdd:    regexp.MustCompile(`^(?:それを?|これを?|それで|カレンダーに)?(?:登録|追加|入れ|いれ|作成|予約|書い)(?:し?て|し?といて|し?ておいて)?(?:ください|くださいね|ね|よ|お願い|お願いします)?$|^(?:please )?(?:add|create|schedule|book|save|put|enter) ?(?:it|that|this|them)?(?: in| to| on)?(?: my calendar)?,?(?: please| then| now)?$`),
	planChange: regexp.MustCompile(`^(?:それを?|これを?|それで)?(?:変更|変え)(?:し?て|し?といて|し?ておいて)?(?:ください|ね|よ|お願い|お願いします)?$|^(?:please )?(?:change|move|update) ?(?:it|that|this),?(?: please| then| now)?$`),
	planRemove: regexp.MustCompile(`^(?:それを?|これを?|それで|全部)?(?:削除|消し|消去)(?:し?て|し?といて|し?ておいて)?(?:ください|ね|よ|お願い|お願いします)?$|^(?:please )?(?:delete|remove|cancel) ?(?:it|that|this|them|all)?(?: all)?,?(?: please| then| now)?$`),
}

// repeatsOrder reports whether an answer is the order again, without anything new.
func repeatsOrder(p plan, rest string) bool { return sameOrder[p.Do].MatchString(rest) }

// asksSomething reports whether the utterance is a question or an order that stands by itself, though it names a time.
func asksSomething(u nlu.Understanding) bool {
	text := strings.ToLower(u.Text)
	if hasAny(text, planWords...) && isQuestion(text) || hasAny(text, eventWords...) {
		return true
	}
	c := commandOf(u)
	switch c.Operation {
	case slots.Query:
		return u.Intent == nlu.Calendar && (c.Free || c.Suggest || u.Owner) || isQuestion(text) && !u.Reference.Elliptic
	case slots.Create:
		return u.Write && u.Intent == nlu.Calendar && c.Title.Text != "" && len(c.Times) > 0 && !namesField(text)
	case slots.Delete:
		return u.Write
	case slots.Update:
		return false
	}
	return false
}

// planWords name somebody's own plans, eventWords public ones.
var (
	planWords  = []string{"予定", "スケジュール", "schedule", "agenda", "appointment", "calendar", "カレンダー", "plans"}
	eventWords = []string{"イベント", "催し", "event", "勉強会は"}
)

func isQuestion(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), "。 ")
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") {
		return true
	}
	return hasAny(strings.ToLower(text), "教えて", "ですか", "ますか", "what ", "when ", "where ", "which ", "how ", "who ", "tell me", "show me")
}

// fields are how parts of an entry are named in front of what they shall be.
var fields = []struct {
	name string
	said *regexp.Regexp
}{
	{"place", regexp.MustCompile(`(?:場所|会場|ばしょ)(?:は|を|が|:|：|、)\s*(.+)$|^(?:the )?(?:place|location|venue) (?:is|should be|to)\s+(.+)$|^(?:change|set|make) the (?:place|location|venue) (?:to\s+)?(.+)$`)},
	{"title", regexp.MustCompile(`(?:タイトル|題名|件名|名前|用件|内容|予定名)(?:は|を|が|:|：|、)\s*(.+)$|^(?:the )?(?:title|name) (?:is|should be|to)\s+(.+)$|^(?:call|name|title|rename) it (?:to |as )?(.+)$|^(?:change|set|make) the (?:title|name) (?:to\s+)?(.+)$`)},
	{"note", regexp.MustCompile(`(?:メモ|備考|説明|詳細)(?:は|を|に|が|:|：|、)\s*(.+)$|^(?:the )?(?:note|description|notes) (?:is|should be|to)\s+(.+)$|^(?:add a )?(?:note|description)[: ]\s*(.+)$`)},
}

var fieldEnd = regexp.MustCompile(`(?:に|で|と|へ)?(?:して(?:ください|くださいね|ね|よ)?|変更して(?:ください)?|変更|変えて(?:ください)?|直して(?:ください)?|でお願いします|お願いします|にする|にします|です|だよ|だ|にして|書いて(?:おいて)?|入れて(?:おいて)?)$`)

// namesField reports whether a part of an entry is named.
func namesField(text string) bool {
	for _, f := range fields {
		if f.said.MatchString(strings.ToLower(text)) {
			return true
		}
	}
	return false
}

// fieldSaid reads 場所は会議室B, タイトルを歯科に変えて, "call it dentist".
func fieldSaid(original string) edit {
	text := strings.Trim(original, " 。.!！")
	low := strings.ToLower(text)
	if len(low) != len(text) {
		low = text
	}
	low = strings.TrimSpace(denial.ReplaceAllString(assent.ReplaceAllString(low, ""), ""))
	text = text[len(text)-len(low):]
	for _, f := range fields {
		m := f.said.FindStringSubmatchIndex(low)
		if m == nil {
			continue
		}
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 {
				continue
			}
			value := fieldValue(text[m[g]:m[g+1]])
			if value == "" || isQuestion(text) || isQuestion(value) {
				return edit{}
			}
			switch f.name {
			case "place":
				return edit{Place: oneLine(value, maxSaid)}
			case "title":
				return edit{Title: oneLine(value, maxSaid)}
			}
			return edit{Note: oneLine(value, maxSaid)}
		}
	}
	return edit{}
}

func fieldValue(s string) string {
	s = strings.TrimSpace(fieldEnd.ReplaceAllString(strings.TrimSpace(s), ""))
	for _, tail := range []string{"に", "で"} {
		s = strings.TrimSuffix(s, tail)
	}
	return strings.Trim(strings.TrimSuffix(strings.TrimSuffix(s, " please"), ","), ` 「」『』"“”'`)
}

// editSaid is what an answer changes in a plan.
func editSaid(p plan, u nlu.Understanding, now time.Time) (edit, repeat) {
	if e := fieldSaid(u.Text); !e.empty() {
		return e, repeat{}
	}
	low := strings.ToLower(u.Text)
	if by := resized(u.Text, u.Times); !by.empty() {
		return by, repeat{}
	}
	times := inMonthOf(p, u.Times, now)
	until := readTimes(times, now)
	e := until.edit
	if allDay(low) && !p.Edit.AllDay {
		e.AllDay = true
	}
	c := commandOf(u)
	if place := c.Change.Place.Text + c.Place.Text; place != "" && !isQuestion(low) && p.Do != planRemove {
		e.Place = oneLine(place, maxSaid)
	}
	switch {
	case c.Change.Shift != 0:
		e.Shift, e.Length = c.Change.Shift, 0
	case e.Length != 0 && e.Clock == nil && hasAny(low, "later", "遅", "後ろ倒し", "後ろに"):
		e.Shift, e.Length = e.Length, 0
	case e.Length != 0 && e.Clock == nil && hasAny(low, "earlier", "早", "前倒し", "前に"):
		e.Shift, e.Length = -e.Length, 0
	case len(times) == 1 && times[0].Kind == datetime.KindTime && strings.HasSuffix(strings.TrimRight(low, " .!"), "later"):
		e = edit{Shift: times[0].TimeRange.Start.Sub(now)} // later than planned, not than now
	case len(times) == 0:
		if m := toHour.FindStringSubmatch(low); m != nil {
			e = readTimes(datetime.Parse(m[1]+" o'clock", now), now).edit
		}
	}
	var r repeat
	if !p.Repeat.isZero() || c.Frequency.Text != "" {
		if set := setOf(times); set != "" {
			var clock edit
			if r, clock, _ = repeatOf(set, u.Text, until, now); clock.Clock != nil {
				e = e.then(clock)
			}
		} else if !p.Repeat.isZero() && !until.until.IsZero() {
			r = p.Repeat
			r.Until, r.Count = until.until, 0
			e.AllDay, e.LastDay = false, civil.Date{}
		}
	}
	switch {
	case p.Edit.Shift != 0 && e.Length != 0 && e.Clock == nil:
		e.Shift, e.Length = e.Length, 0
		if p.Edit.Shift < 0 {
			e.Shift = -e.Shift
		}
	case e.Guessed: // a time of day alone leaves the day as it is, if it was named
		if !p.Edit.Day.IsZero() && !p.Edit.Guessed || p.Do == planChange {
			e.Day, e.Guessed = p.Edit.Day, false
		}
	}
	return e, r
}

// inMonthOf puts days of a month that is not named into that of the plan: the 28th, to a plan for the 7th of April.
func inMonthOf(p plan, times []datetime.Expression, now time.Time) []datetime.Expression {
	day := p.Edit.Day
	if day.IsZero() && len(p.Targets) == 1 {
		day = firstDay(p.Targets[0].when(), now.Location())
	}
	if day.IsZero() {
		return times
	}
	out := slices.Clone(times)
	for i, e := range out {
		if e.NoMonth && !e.Invalid {
			out[i] = e.InMonth(day, now)
		}
	}
	return out
}

// toHour is a bare hour that something is moved to.
var toHour = regexp.MustCompile(`^(?:no,? |yes,? but )?(?:make it|at|move it to|change it to) (\d{1,2})$`)

// setOf is the words of the first expression that recurs.
func setOf(times []datetime.Expression) string {
	for _, t := range times {
		if t.Kind == datetime.KindSet {
			return t.Text
		}
	}
	return ""
}

// commandOf is what an utterance asks of a calendar, whatever it was taken for.
func commandOf(u nlu.Understanding) slots.Command {
	if u.Command.Operation != "" {
		return u.Command
	}
	return slots.Extract(u.Text, string(u.Language), u.Times)
}
