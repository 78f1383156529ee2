package mirror

import (
	"testing"
	"time"
)

// Whatever is in a file, reading it ends with a copy or an error.
func FuzzFile(f *testing.F) {
	m := &Mirror{opts: Options{CalendarID: "feed", Now: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }, Location: time.UTC}}
	for _, text := range []string{
		`{"CalendarID":"feed","Token":"1","AsOf":"2025-01-01T00:00:00Z","Events":[{"ID":"a","Start":"2025-01-01T00:00:00Z","Zone":"Asia/Tokyo"}]}`,
		`{"CalendarID":"feed","AsOf":"2025-01-01T00:00:00Z","Overrides":[{"ID":"b","SeriesID":"a","OriginalDay":"2025-01-01"}]}`, `{}`, `[`,
	} {
		sealed, err := m.seal([]byte(text))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(text), sealed)
	}
	f.Fuzz(func(t *testing.T, text, sealed []byte) {
		if opened, err := m.open(sealed); err == nil {
			text = opened
		}
		s, err := m.parse(text)
		if err != nil {
			return
		}
		if c, err := s.contents(); err == nil {
			newCopied(nil, m.opts, c)
		}
	})
}
