package api

import (
	"encoding/json"
	"fmt"
)

// A Viseme is a shape of the mouth and when it begins, in milliseconds from the start of the sound. In
// JSON it is a list of two: [95, "a"].
type Viseme struct {
	MS int
	// Shape is a, i, u, e or o for vowels, n for lips that are closed, and empty for a mouth at rest.
	Shape string
}

// MarshalJSON writes [ms, shape].
func (v Viseme) MarshalJSON() ([]byte, error) { return json.Marshal([]any{v.MS, v.Shape}) }

// UnmarshalJSON reads [ms, shape].
func (v *Viseme) UnmarshalJSON(text []byte) error {
	var ms, shape json.RawMessage
	parts := []*json.RawMessage{&ms, &shape}
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) != 2 {
		return fmt.Errorf("viseme is not [ms, shape]: %s", text)
	}
	if err := json.Unmarshal(ms, &v.MS); err != nil {
		return err
	}
	return json.Unmarshal(shape, &v.Shape)
}

// SpeechResponse is the answer of GET /speech/{name} for a name that ends in .json.
type SpeechResponse struct {
	// Audio is where the sound is.
	Audio string `json:"audio"`
	// MS is how long it lasts.
	MS int `json:"ms"`
	// Mouth is how the mouth moves with it.
	Mouth []Viseme `json:"mouth"`
}
