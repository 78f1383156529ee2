//go:build novoice

package hts

import (
	"fmt"

	"annai/fault"
)

// Mei is [fault.ErrUnavailable]: the program was built without the data of its voices.
func Mei() (*Voice, error) {
	return nil, fmt.Errorf("built without voices (-tags novoice): %w", fault.ErrUnavailable)
}
