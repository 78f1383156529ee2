package gate

import (
	"annai/prompts"
	"annai/server/door"
)

// Words is what an avatar says of the failure, in its language.
func Words(f door.Failure) string {
	if f.Say != "" {
		return f.Say
	}
	return prompts.Failure{Name: f.Words}.In(f.Language)
}
