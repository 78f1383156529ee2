// Package secret has a text that does not give itself away: a key, a token, an address with a password in it.
//
// Its one idea: whoever prints, logs or encodes it by mistake gets asterisks, and whoever means to use it says so by converting it to a string.
package secret

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// A Text is one that nobody is to read: however it is printed, logged or encoded, asterisks come out. Converting it to a string reveals it.
type Text string

const asterisks = "***"

// Format writes asterisks, whatever the verb.
func (Text) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, asterisks) }

// LogValue is asterisks.
func (Text) LogValue() slog.Value { return slog.StringValue(asterisks) }

// MarshalText is asterisks.
func (Text) MarshalText() ([]byte, error) { return []byte(asterisks), nil }

// Hide returns what others wrote, with asterisks where it quotes one of these.
func Hide(text string, these ...Text) string {
	for _, t := range these {
		if t != "" {
			text = strings.ReplaceAll(text, string(t), asterisks)
		}
	}
	return text
}
