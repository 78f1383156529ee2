package config

import (
	"errors"
	"testing"

	"annai/fault"
)

func TestCheckHearing(t *testing.T) {
	const elsewhere = "http://a.example/v1"
	for name, c := range map[string]struct {
		hearing Hearing
		right   bool
	}{
		"none":               {Hearing{Model: "whisper-1"}, true},
		"a key for nothing":  {Hearing{Key: "k"}, false},
		"this machine":       {Hearing{URL: "http://127.0.0.1:8000/v1", Key: "k"}, true},
		"https":              {Hearing{URL: "https://a.example/v1", Key: "k"}, true},
		"in the clear":       {Hearing{URL: elsewhere}, false},
		"as it is wanted":    {Hearing{URL: elsewhere, Insecure: true}, true},
		"a key in the clear": {Hearing{URL: elsewhere, Key: "k", Insecure: true}, false},
	} {
		err := Config{Hearing: c.hearing}.CheckHearing()
		if (err == nil) != c.right || err != nil && !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("CheckHearing(%s) = %v", name, err)
		}
	}
}
