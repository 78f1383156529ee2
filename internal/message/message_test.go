package message_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"annai/fault"
	"annai/internal/message"
)

func TestTooManyMessages(t *testing.T) {
	newID := func() string { return "id" }
	for n, want := range map[int]error{1000: nil, 1001: fault.ErrInvalid} {
		data := json.RawMessage("[" + strings.Repeat(`"",`, n-1) + `""]`)
		if _, err := message.Read(data, newID); !errors.Is(err, want) {
			t.Errorf("ReadMessages of %d = %v, want %v", n, err, want)
		}
	}
}
