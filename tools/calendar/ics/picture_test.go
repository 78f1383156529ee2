package ics_test

import (
	"strings"
	"testing"
	"time"

	"annai/tools/calendar"
	"annai/tools/calendar/ics"
)

// The picture of an event is its IMAGE, else an attachment that is one.
func TestPicture(t *testing.T) {
	for lines, want := range map[string]string{
		"IMAGE;DISPLAY=BADGE;FMTTYPE=image/png:https://a.example/a.png":      "https://a.example/a.png",
		"IMAGE;VALUE=URI:https://a.example/picture?id=1":                     "https://a.example/picture?id=1",
		"ATTACH;FMTTYPE=image/jpeg:https://a.example/flyer":                  "https://a.example/flyer",
		"ATTACH:https://a.example/flyer.JPG?x=1":                             "https://a.example/flyer.JPG?x=1",
		"ATTACH;FMTTYPE=application/pdf:https://a.example/a.png":             "",
		"ATTACH:https://a.example/programme":                                 "",
		"ATTACH;VALUE=BINARY;ENCODING=BASE64;FMTTYPE=image/png:iVBORw0KGgo=": "",
		"ATTACH:https://a.example/a.pdf\r\nIMAGE:https://a.example/b":        "https://a.example/b",
		"IMAGE;FMTTYPE=image/png:javascript:alert(1)":                        "",
	} {
		file := strings.ReplaceAll("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\n"+
			"DTSTAMP:20260101T000000Z\nDTSTART:20260105T100000Z\nSUMMARY:Talk\n", "\n", "\r\n") +
			lines + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
		got, err := fileOf(t, file, ics.Options{}).Events(t.Context(), windowOf(t, week))
		if err != nil || len(got.Events) != 1 || got.Events[0].Picture != want {
			t.Errorf("%s: Events = %+v, %v, want the picture %q", lines, got.Events, err, want)
		}
	}
}

// A picture that is written is read again, however long its address is.
func TestPictureIsWritten(t *testing.T) {
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	want := "https://guide.example/pictures/" + strings.Repeat("a", 80) + ".jpg"
	file := string(ics.WriteEvents([]calendar.Event{
		{ID: "1", Title: "Talk", Start: at, End: at.Add(time.Hour), Picture: want},
		{ID: "2", Title: "Walk", Start: at, End: at.Add(time.Hour)},
	}, ics.Stamp{Now: at}))
	got, err := fileOf(t, file, ics.Options{}).Events(t.Context(), windowOf(t, week))
	if err != nil || len(got.Events) != 2 || got.Events[0].Picture != want || got.Events[1].Picture != "" {
		t.Errorf("Events = %+v, %v, want the picture %q on the first alone:\n%s", got.Events, err, want, file)
	}
	if flat := strings.ReplaceAll(file, "\r\n ", ""); !strings.Contains(flat, "\r\nATTACH:"+want+"\r\n") {
		t.Errorf("the picture is not attached:\n%s", flat)
	}
}
