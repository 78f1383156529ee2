package owner

import (
	"context"
	"slices"
	"time"

	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/prompts"
	"annai/tools/calendar"
)

// wantsReminder reports whether a reminder is wanted of something, or some time before it, of which
// it is not said at what hour it is: it may be an entry that is there.
func wantsReminder(cmd slots.Command) bool {
	atHour := func(e datetime.Expression) bool { return e.Kind == datetime.KindTime }
	beforeIt := cmd.Lead > 0 || len(cmd.Times) == 0
	return cmd.Remind && beforeIt && cmd.Operation == slots.Create && cmd.Frequency.Text == "" &&
		!slices.ContainsFunc(cmd.Times, atHour)
}

// reminder plans the reminder that is wanted for an entry, or tells of the entry that it comes as
// the calendar is set to. ok is false where there is no such entry, or several may be meant.
func (d dialog) reminder(ctx context.Context, cmd slots.Command) (r Result, ok bool, err error) {
	found, err := d.resolve(ctx, cmd, "")
	switch {
	case failed(ctx, err):
		return Result{}, false, err
	case err != nil:
		d.warn(ctx, err)
		return Result{}, false, nil
	case !found.named && len(d.Memory.Events) == 1:
		found.events = d.Memory.Events
	}
	if len(found.events) != 1 {
		return Result{}, false, nil
	}
	p := Plan{Do: ActionChange, Targets: found.events, Edit: Edit{Lead: cmd.Lead}, Remind: true}
	if d.reminding(p).Edit.Lead > 0 {
		r, err := d.reviewed(ctx, p)
		return r, err == nil, err
	}
	d.request = Request{Do: DoFind}
	out := d.describe(found.events[0])
	d.note(&out, d.say(prompts.WarnRemind{Lead: d.length(cmd.Lead), Silent: !d.reminds(p)}))
	out.Suggestions = d.kinds("own_today", "own_week")
	return answered(out, d.remember(found.events)), true, nil
}

// reminding is a plan whose reminder is one that the calendar can give. Another one stays a wish.
func (d dialog) reminding(p Plan) Plan {
	lead := p.Edit.Lead
	if lead == 0 {
		return p
	}
	p.Remind = true
	if !d.reminds(p) || lead > calendar.MaxRemindAhead || lead%time.Minute != 0 {
		p.Edit.Lead, p.Lead = 0, lead
	}
	return p
}

// reminds reports whether the calendar that a plan writes to tells its owner of entries.
func (d dialog) reminds(p Plan) bool {
	into, _ := d.agenda.Writable()
	for _, c := range d.agenda.Calendars() {
		if len(p.Targets) > 0 && c.ID == p.Targets[0].Ref.CalendarID {
			into = c
		}
	}
	return into.Reminds
}

// reminders are those that an edit gives an entry; nil leaves them as they are.
func (e Edit) reminders() *calendar.Reminders {
	if e.Lead == 0 {
		return nil
	}
	return calendar.RemindBefore(e.Lead)
}
