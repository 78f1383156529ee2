package nlu_test

import (
	"testing"
	"time"

	"annai/nlu"
)

// demo is an understander for a venue like the demo one.
func demo() *nlu.Reader {
	return nlu.New(nlu.Options{
		VenueNames:  []string{"エンジニアカフェ", "Engineer Cafe"},
		Corrections: map[string]string{"エンジニア壁": "エンジニアカフェ", "エンジンカフェ": "エンジニアカフェ", "engineer calf": "Engineer Cafe"},
		StaffWords:  []string{"コミュニティマネージャー", "community manager"},
	})
}

// now is Wednesday, 15 January 2025, 10:00 in Tokyo.
func now(tb testing.TB) time.Time {
	tb.Helper()
	loc, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		tb.Fatal(err)
	}
	return time.Date(2025, time.January, 15, 10, 0, 0, 0, loc)
}
