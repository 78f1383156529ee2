package date

import (
	"context"
	"embed"
	"errors"
	"time"

	"annai/tools"
)

//go:embed descriptions
var descriptions embed.FS

// timeout is far more than arithmetic takes.
const timeout = time.Second

// Register adds get_current_datetime, calculate_date and list_dates_in_range, which everybody may call, and their family "date". now is the
// clock, and loc where it is read.
func Register(r *tools.Registry, now func() time.Time, loc *time.Location) error {
	here := func() time.Time { return now().In(loc) }
	err := errors.Join(
		add(r, "get_current_datetime", func(_ struct{}, lang string) (Current, error) {
			return GetCurrentDatetime(here(), lang), nil
		}),
		add(r, "calculate_date", func(in Calculation, lang string) (Calculated, error) {
			return CalculateDate(in, here(), lang)
		}),
		add(r, "list_dates_in_range", ListDatesInRange),
	)
	r.AddFamily(tools.Family{
		Name: "date", Tools: []string{"get_current_datetime", "calculate_date", "list_dates_in_range"}, Roles: everybody, Choose: choose,
	})
	return err
}

var everybody = []tools.Role{tools.Visitor, tools.Owner, tools.Operator}

func add[In, Out any](r *tools.Registry, name string, do func(in In, lang string) (Out, error)) error {
	words, err := tools.Descriptions(descriptions, name)
	if err != nil {
		return err
	}
	return tools.Add(r, tools.Tool[In, Out]{
		Spec: tools.Spec{Name: name, Description: words, Class: tools.Read, Roles: everybody, Timeout: timeout, BackEnd: "none"},
		Do: func(_ context.Context, caller tools.Caller, in In) (Out, error) {
			return do(in, caller.Language)
		},
	})
}

// choose tells from the fields which tool is meant. What belongs to one tool only leads there, so that it can say what is missing.
func choose(fields tools.Fields) (string, error) {
	switch {
	case fields.Any("start_date", "end_date", "weekday"):
		return "list_dates_in_range", nil
	case fields.Any("base_date", "offset_days", "offset_weeks", "offset_months"):
		return "calculate_date", nil
	default:
		return "get_current_datetime", nil
	}
}
