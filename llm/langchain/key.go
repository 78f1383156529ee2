package langchain

import (
	"fmt"
	"log/slog"

	"annai/internal/secret"
)

// A Key is a provider's. However it is printed, logged or encoded, asterisks come out.
type Key string

// Format writes asterisks, whatever the verb.
func (k Key) Format(f fmt.State, verb rune) { secret.Text(k).Format(f, verb) }

// LogValue is asterisks.
func (k Key) LogValue() slog.Value { return secret.Text(k).LogValue() }

// MarshalText is asterisks.
func (k Key) MarshalText() ([]byte, error) { return secret.Text(k).MarshalText() }
