package owner

import (
	"context"
	"slices"

	"annai/nlu/datetime"
	"annai/nlu/slots"
	"annai/prompts"
)

// wantsReminder reports whether a reminder is wanted of something, or some time before it, of which
// it is not said at what hour it is: it may be an entry that is there.
func wantsReminder(cmd slots.Command) bool {
	atHour := func(e datetime.Expression) bool { return e.Kind == datetime.KindTime }
	beforeIt := cmd.Lead > 0 || len(cmd.Times) == 0
	return cmd.Remind && beforeIt && cmd.Operation == slots.Create && cmd.Frequency.Text == "" &&
		!slices.ContainsFunc(cmd.Times, atHour)
}

// reminder tells of the entry for which a reminder is wanted: it comes as the calendar is set to.
// ok is false where there is none, or several may be meant.
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
	d.request = Request{Do: DoFind}
	out := d.describe(found.events[0])
	d.note(&out, d.say(prompts.WarnRemind{Lead: d.length(cmd.Lead)}))
	out.Suggestions = d.kinds("own_today", "own_week")
	return answered(out, d.remember(found.events)), true, nil
}
