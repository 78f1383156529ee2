package recur_test

import (
	"fmt"
	"time"

	"annai/tools/calendar"
	"annai/tools/calendar/recur"
)

// The dates of a plan: every Wednesday until the end of March, but not on the 18th.
func ExampleExpander_First() {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Date(2026, time.March, 4, 15, 0, 0, 0, tokyo)
	plan := calendar.Event{
		ID: "draft", Title: "Reading circle", Start: start, End: start.Add(time.Hour), TimeZone: "Asia/Tokyo",
		Recurrence: []string{"RRULE:FREQ=WEEKLY;BYDAY=WE;UNTIL=20260331", "EXDATE;VALUE=DATE:20260318"},
	}
	x, err := recur.Compile(recur.Series{Master: recur.Entry{Event: plan}}, recur.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	dates, more := x.First(10, tokyo)
	for _, d := range dates {
		fmt.Println(d.ID, d.Start.Format("Mon 2 Jan 15:04"))
	}
	fmt.Println("more:", more)
	// Output:
	// draft/20260304T060000Z Wed 4 Mar 15:00
	// draft/20260311T060000Z Wed 11 Mar 15:00
	// draft/20260325T060000Z Wed 25 Mar 15:00
	// more: false
}
