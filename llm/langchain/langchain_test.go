package langchain_test

import (
	"testing"

	"annai/llm"
	"annai/llm/langchain"
	"annai/llm/llmtest"
)

func TestModels(t *testing.T) {
	for _, p := range providers() {
		t.Run(p.name, func(t *testing.T) {
			llmtest.Run(t, func(t *testing.T, reply llmtest.Reply) llm.Model {
				return p.serve(t, p.reply(t, reply), langchain.Options{Key: key})
			})
		})
	}
}
