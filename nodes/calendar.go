package nodes

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"annai/graph"
	"annai/internal/civil"
	"annai/nlu"
	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/prompts"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
)

// calendarNode answers about the owner's own schedule. What is only looked up is answered at once; what would be written becomes a plan, which is
// asked about first. Whoever is not the owner is told so, and nothing of it is read.
func (c *Concierge) calendarNode(ctx context.Context, s State) (graph.Command[State], error) {
	if d, ok := c.noCalendar(s); ok {
		return answered(d, topic{Node: nodeCalendar}), nil
	}
	d := c.diary(s)
	switch {
	case s.Plan.Search:
		p := s.Plan
		p.Search = false
		return c.aimed(ctx, d, p, commandOf(s.Understanding), s.Understanding)
	case s.Plan.Await == awaitTarget:
		p, out := d.ask(s.Plan, awaitTarget, civil.Date{})
		d.again(&out)
		p.Puzzled, p.AskedAt = false, d.now
		return asking(p, out), nil
	case s.Plan.open() && len(s.Plan.Choices) > 1:
		p, out := d.which(s.Plan, aimed{list: s.Plan.Choices})
		if p.Puzzled {
			d.again(&out)
			p.Puzzled = false
		}
		return asking(p, out), nil
	case s.Plan.open():
		return c.reviewed(ctx, d, s.Plan)
	case d.wish.Do == doWrite || d.wish.Do == doPick:
		return c.write(ctx, d, s)
	}
	out, next, err := d.read(ctx)
	switch {
	case err != nil:
		return graph.Command[State]{}, err
	case d.wish.Elsewhere && out.Facts.Calendar == statusEmpty:
		r := c.aboutVenue(s, d.now, route{By: byRule, Reason: s.Understanding.Reason, Confidence: s.Understanding.Confidence})
		return graph.Command[State]{Update: graph.Update[State]{routeChannel.Write(r)}, Goto: r.Node}, nil
	}
	return answered(out, next), nil
}

// answered is the command of a node that has its answer.
func answered(d draft, next topic) graph.Command[State] {
	return graph.Command[State]{
		Update: graph.Update[State]{draftChannel.Write(d), topicChannel.Write(next), planChannel.Write(plan{})}, Goto: nodeRespond,
	}
}

// noCalendar says why there is nothing to look at or to write to.
func (c *Concierge) noCalendar(s State) (draft, bool) {
	lang := string(s.Language)
	writes := s.Understanding.Write || s.Route.Calendar.Do == doWrite || s.Plan.open()
	d := draft{Suggestions: suggestions(s.Language, "today", "this_week"), Facts: facts{Gesture: "explain"}}
	switch {
	case !s.Turn.Owner && writes:
		d.Text = prompts.CalendarWrite{Staff: c.parts.Venue.Staff.Where.In(lang)}.In(lang)
	case !s.Turn.Owner:
		d.Text = prompts.CalendarPersonal{}.In(lang)
	case c.parts.Agenda == nil:
		d.Text = prompts.CalendarMissing{Why: "none"}.In(lang)
	case writes && c.parts.Checkpointer == nil:
		d.Text = prompts.CalendarMissing{Why: "memory"}.In(lang)
	case writes:
		if _, ok := c.parts.Agenda.Writable(); ok {
			return draft{}, false
		}
		d.Text = prompts.CalendarMissing{Why: "readonly"}.In(lang)
	default:
		return draft{}, false
	}
	return d, true
}

// write makes a plan of what was said.
func (c *Concierge) write(ctx context.Context, d diary, s State) (graph.Command[State], error) {
	u := s.Understanding
	cmd := commandOf(u)
	if d.wish.Do == doPick {
		return c.picked(ctx, d, s)
	}
	key := agenda.KeyFor("draft", s.Turn.SessionID, s.Turn.RunID, s.Turn.At.UTC().Format(time.RFC3339Nano))
	switch {
	case d.wish.Item < 0:
		out, next := d.recallOwn()
		return answered(out, next), nil
	case cmd.Operation == slots.Update:
		e := changeOf(cmd, d.now.Location())
		if to := renamed(u.Text); !to.empty() {
			e = to
		}
		return c.aimed(ctx, d, plan{Do: planChange, Edit: e}, cmd, u)
	case cmd.Operation == slots.Delete:
		return c.aimed(ctx, d, plan{Do: planRemove}, cmd, u)
	}
	p, out, ok := d.newPlan(cmd, u, key)
	if !ok {
		return answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}), nil
	}
	return c.reviewed(ctx, d, p)
}

// newPlan is the plan of a new entry. ok is false where it is said how often in words that nobody understands.
func (d diary) newPlan(cmd slots.Command, u nlu.Understanding, key string) (p plan, out draft, ok bool) {
	said := editOf(cmd, d.now.Location())
	text := strings.ToLower(u.Text)
	p = plan{Do: planAdd, Key: key, Edit: said.edit, People: peopleOf(cmd), Offered: !orders(text)}
	p.Edit.Title = capital(newTitle(said.edit.Title), d.lang)
	if p.Edit.Title == "" && cmd.Operation == slots.Query {
		p.Edit.Title = toldTitle(u, cmd)
	}
	if allDay(text) {
		p.Edit.Title = strings.TrimSpace(allDayWords.ReplaceAllString(p.Edit.Title, ""))
		p.Edit = p.Edit.then(edit{AllDay: true, LastDay: p.Edit.LastDay})
	}
	if len(said.days) > 1 && !p.Edit.AllDay {
		p.Days = said.days
	}
	if cmd.Frequency.Text == "" {
		return p, draft{}, true
	}
	frequency := cmd.Frequency.Text
	for i, e := range cmd.Times { // 平日は毎朝9時に
		if hasAny(strings.ToLower(e.Text), "平日", "weekday") {
			frequency = e.Text + " " + frequency
			said = editOf(slots.Command{Times: slices.Delete(slices.Clone(cmd.Times), i, i+1), Duration: cmd.Duration}, d.now.Location())
			p.Edit.AllDay, p.Edit.LastDay = false, civil.Date{}
			break
		}
	}
	r, clock, ok := repeatOf(frequency, u.Text, said, d.now)
	if !ok {
		return plan{}, draft{Text: d.say(prompts.CalendarRule{}), Facts: facts{Asking: true}}, false
	}
	if r.Until.IsZero() && r.Count == 0 { // 3月の毎週水曜: the month stands in the words for how often
		inside := readTimes(datetime.Parse(strings.NewReplacer("毎週", "", "毎日", "").Replace(cmd.Frequency.Text), d.now), d.now.Location())
		if !inside.until.IsZero() {
			r.Until, r.From = inside.until, laterDay(inside.from, civil.DateOf(d.now))
			clock.Day = r.From
		}
	}
	if said.edit.AllDay && !said.from.IsZero() { // from one day to another, and not one entry of that length
		p.Edit.AllDay, p.Edit.LastDay = false, civil.Date{}
	}
	p.Repeat, p.Days = r, nil
	if r.Count > 0 {
		p.Edit.Title = strings.TrimSpace(countWords.ReplaceAllString(p.Edit.Title, ""))
	}
	if clock.Clock != nil || p.Edit.Clock == nil {
		p.Edit.Clock, p.Edit.Afternoon = clock.Clock, clock.Afternoon
	}
	if clock.Length != 0 && p.Edit.Length == 0 {
		p.Edit.Length = clock.Length
	}
	p.Edit.Day, p.Edit.Guessed, p.Edit.Weekday = clock.Day, false, false
	return p, draft{}, true
}

var countWords = regexp.MustCompile(`を? ?\d+ ?回(?:分)?| ?\d+ times| ?for \d+ (?:weeks|days|months)`)

var allDayWords = regexp.MustCompile(`(?i)[、,]? ?(?:終日|一日中|1日中|all[- ]day)の?`)

// allDay reports whether it is said that something takes the whole day.
func allDay(text string) bool {
	return hasAny(text, "終日", "一日中", "1日中", "all day", "all-day", "whole day")
}

func laterDay(a, b civil.Date) civil.Date {
	if a.After(b) {
		return a
	}
	return b
}

// orderWords are what one says who wants something written, and does not only tell of it.
var orderWords = []string{
	"入れ", "いれて", "登録", "追加", "作成", "作って", "予約", "書い", "ブロック", "押さえ", "おさえ", "スケジュールし", "リマインド", "セット", "設定", "メモし", "カレンダー", "お願い", "ください", "決め", "組ん",
	"add", "schedule", "create", "book", "put ", "set ", "set up", "make", "plan ", "remind", "insert", "enter", "block", "reserve", "save", "note ", "please", "calendar",
}

func orders(text string) bool {
	return hasAny(text, orderWords...)
}

// newTitle is the title of a new entry: nothing where only an entry as such is named.
func newTitle(title string) string {
	for _, start := range []string{"having ", "going to ", "to have ", "have "} {
		if rest, ok := strings.CutPrefix(title, start); ok && rest != "" {
			title = rest
		}
	}
	if isGeneric(title) {
		return ""
	}
	return title
}

// capital begins an English title with a capital letter, as one would write it.
func capital(title string, lang nlu.Language) string {
	if lang != nlu.English || title == "" || title[0] < 'a' || title[0] > 'z' {
		return title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}

// picked makes a plan of one of the times that were suggested.
func (c *Concierge) picked(ctx context.Context, d diary, s State) (graph.Command[State], error) {
	list := d.before.Slots
	if d.wish.Item < 1 || d.wish.Item > len(list) {
		out := draft{Text: d.say(prompts.CalendarNoItem{Count: len(list)}), Facts: facts{Calendar: statusOK, Asking: true}}
		return answered(out, d.before), nil
	}
	look := d.before.Look
	start := list[d.wish.Item-1].Start.In(d.now.Location())
	e := look.Edit
	e.Day, e.Clock = civil.DateOf(start), minutesOf(start)
	e.Length = list[d.wish.Item-1].End.Sub(list[d.wish.Item-1].Start)
	if more := editOf(commandOf(s.Understanding), d.now.Location()).edit; e.Title == "" && s.Understanding.Write {
		e.Title = newTitle(more.Title)
	}
	e.Title = capital(e.Title, d.lang)
	key := agenda.KeyFor("draft", s.Turn.SessionID, s.Turn.RunID, s.Turn.At.UTC().Format(time.RFC3339Nano))
	return c.reviewed(ctx, d, plan{Do: planAdd, Key: key, Edit: e, People: look.People})
}

// aimed finds what a plan is about, and asks where that is not clear.
func (c *Concierge) aimed(ctx context.Context, d diary, p plan, cmd slots.Command, u nlu.Understanding) (graph.Command[State], error) {
	found, err := d.aim(ctx, cmd, u.Text, p.Words)
	if failed(ctx, err) {
		return graph.Command[State]{}, err
	}
	look := topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}
	p.Words, p.Targets = found.words, nil
	if len(found.list) > 1 {
		found.list, p.LeftOut = d.writable(found.list)
	}
	switch {
	case err != nil:
		d.warn(ctx, err)
		return answered(d.refuse(p, calendar.KindOf(err)), look), nil
	case !found.named:
		p, out := d.ask(p, awaitTarget, civil.Date{})
		p.AskedAt = d.now
		return asking(p, out), nil
	case len(found.list) == 0 && !found.complete:
		return answered(d.refuse(p, calendar.Unavailable), look), nil
	case len(found.list) == 0:
		return answered(d.nothingSuch(found, cmd), look), nil
	case len(found.list) == 1, cmd.All && p.Do == planRemove && len(found.list) <= maxItems:
		p.Targets = found.list
		return c.reviewed(ctx, d, p)
	}
	p.AskedAt = d.now
	p, out := d.which(p, found)
	return asking(p, out), nil
}

// nothingSuch says that there is no entry like the one that was named.
func (d diary) nothingSuch(found aimed, cmd slots.Command) draft {
	s, timed := spanOf(targetTimes(cmd), d.now)
	out := draft{Facts: facts{Calendar: statusEmpty, Nothing: true}, Suggestions: d.kinds("own_today", "own_week")}
	switch {
	case found.words == "" && timed:
		out.Text = d.say(prompts.CalendarEmpty{Range: s.words(d.now, d.lang)})
	case timed:
		out.Text = d.say(prompts.CalendarNotFound{Wanted: quote(found.words), Range: inLang(d.lang, s.words(d.now, d.lang), s.adverb(d.now, d.lang))})
	default:
		out.Text = d.say(prompts.CalendarNotFound{Wanted: quote(found.words)})
	}
	return out
}

// reviewed goes on with a plan: to the question, or to the answer that it can't be.
func (c *Concierge) reviewed(ctx context.Context, d diary, p plan) (graph.Command[State], error) {
	p, out, ok, err := d.review(ctx, p)
	if err != nil {
		return graph.Command[State]{}, err
	}
	if !ok {
		return answered(out, topic{Node: nodeCalendar, Look: calendarWish{Do: doList}}), nil
	}
	return asking(p, out), nil
}

// asking is the command of a node whose plan is to be asked about.
func asking(p plan, out draft) graph.Command[State] {
	return graph.Command[State]{Update: graph.Update[State]{planChannel.Write(p), draftChannel.Write(out)}, Goto: nodeConfirm}
}
