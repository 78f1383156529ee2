package llm_test

import (
	"context"
	"fmt"
	"time"

	"annai/llm"
)

// A model that is broken, and one that answers: who asks hears the second, piece by piece.
func Example() {
	broken := &llm.Script{As: "large", Answer: llm.Turns(llm.Fail(llm.Auth))}
	works := &llm.Script{As: "small", Answer: llm.Turns(llm.Say("The library ", "opens at 9."))}
	guard := llm.GuardOptions{Whole: 4 * time.Second, First: time.Second}
	m := llm.Fallback(llm.Guard(broken, time.Now, guard), llm.Guard(works, time.Now, guard))

	request := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "When does the library open?"}}, MaxTokens: 100}
	for d, err := range m.Stream(context.Background(), request) {
		switch {
		case err != nil:
			fmt.Println("failed:", err)
		case d.End != nil:
			fmt.Println(d.End.Stop, "by", d.End.Model)
		default:
			fmt.Printf("%q\n", d.Text)
		}
	}
	// Output:
	// "The library "
	// "opens at 9."
	// finished by small
}
