package prompts

// TodoList introduces tasks that are not done, More of which are not told; Count may be 0. Range,
// when they are due, may be empty.
type TodoList struct {
	Range       string
	Count, More int
}

// In returns the words in a language.
func (p TodoList) In(lang string) string { return fill("todo_list", lang, p) }

// TodoItem is one task of a list. Number is 0 where the list is not numbered; Due and Note may be
// empty. Late says that its day is past, Spoken that it is said.
type TodoItem struct {
	Number           int
	Title, Due, Note string
	Late, Spoken     bool
}

// In returns the words in a language.
func (p TodoItem) In(lang string) string { return fill("todo_item", lang, p) }

// TodoNone says that no task matches.
type TodoNone struct{ Wanted string }

// In returns the words in a language.
func (p TodoNone) In(lang string) string { return fill("todo_none", lang, p) }

// TodoAsk asks for what a plan lacks. Do is "todo_add" (what is to be done), "todo_tick" or
// "todo_remove" (which task).
type TodoAsk struct{ Do string }

// In returns the words in a language.
func (p TodoAsk) In(lang string) string { return fillKind("todo_ask", lang, p.Do, p) }

// TodoConfirm asks whether tasks shall be added, ticked off or deleted. Due may be empty.
type TodoConfirm struct {
	Do, Title, Due string
	Count          int
}

// In returns the words in a language.
func (p TodoConfirm) In(lang string) string { return fill("todo_confirm", lang, p) }

// TodoDone says what was done. Due may be empty.
type TodoDone struct {
	Do, Title, Due string
	Count          int
}

// In returns the words in a language.
func (p TodoDone) In(lang string) string { return fill("todo_done", lang, p) }
