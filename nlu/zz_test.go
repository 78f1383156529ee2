package nlu_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"annai/nlu"
)

func TestTry(t *testing.T) {
	b, err := os.ReadFile("/tmp/try.txt")
	if err != nil {
		t.Skip()
	}
	r := nlu.New(nlu.Options{VenueNames: []string{"エンジニアカフェ", "Engineer Cafe"}, Corrections: map[string]string{"エンジニア壁": "エンジニアカフェ", "エンジンカフェ": "エンジニアカフェ"}})
	loc, _ := time.LoadLocation("Asia/Tokyo")
	at := time.Date(2025, 1, 15, 10, 0, 0, 0, loc)
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		u := r.Understand(l, at)
		var ts []string
		for _, x := range u.Times {
			ts = append(ts, x.Text+"="+string(x.Name))
		}
		t.Logf("%s :: %s %s %.2f %s | topic %q %v | ref %+v | %v | own %v wr %v past %v | %s", l, u.Language, u.Intent, u.Confidence, u.Safety, u.Topic, u.Keywords, u.Reference, ts, u.Owner, u.Write, u.PastAsked, u.Reason)
	}
}

func TestSafety(t *testing.T) {
	for _, c := range readRoutes(t, "route.jsonl") {
		u := demo2.Understand(c.Text, now(t))
		switch u.Intent {
		case nlu.Safety, nlu.CallStaff, nlu.Identity, nlu.Greeting, nlu.Farewell, nlu.Affirm, nlu.Deny, nlu.Unclear:
			t.Logf("%s %s | %s", u.Intent, u.Safety, c.Text)
		}
		if string(u.Language) != c.Lang {
			t.Logf("LANG %s %s", u.Language, c.Text)
		}
	}
}

var demo2 = demo()
