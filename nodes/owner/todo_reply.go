package owner

import (
	"cmp"
	"slices"
	"strings"

	"annai/internal/text"
	"annai/nlu"
	"annai/nlu/todo"
	"annai/nodes/display"
)

// answerTodo reads an answer to a plan for tasks, and takes it into the plan.
func (d dialog) answerTodo(p *Plan) verdict {
	u := d.Understanding
	switch {
	case d.Option == 0 && dismissed(u):
		return verdictNo
	case u.Intent == nlu.Safety:
		return verdictOther
	case p.Await == awaitChoice:
		return d.chooseTodo(p)
	case p.Await == awaitTitle:
		return d.nameTodo(p)
	case d.Option == 1:
		return verdictYes
	case d.Option > 1:
		return verdictNo
	}
	s := speak(u)
	if v := decided(*p, u, s); v != "" {
		return v
	}
	if _, another := todo.Read(u.Text, u.Times); another || isQuestion(u.Text) || u.Write {
		return verdictOther
	}
	if due := dueOf(u.Times, d.now); !due.IsZero() && p.Do == ActionTodoAdd && len(p.Todos) == 1 {
		t := p.Todos[0]
		t.Due = due
		p.Todos = []Todo{t}
		return verdictEdit
	}
	return agreed(*p, u, s)
}

// chooseTodo takes one of those that were listed.
func (d dialog) chooseTodo(p *Plan) verdict {
	u := d.Understanding
	said := strings.TrimSpace(d.Said)
	n := placed(cmp.Or(d.Option, u.Reference.Ordinal, nlu.BareNumber(u.Text)), len(p.Asked))
	if n < 0 {
		return verdictPuzzled
	}
	if n == 0 {
		named := func(t Todo) bool {
			return text.ContainsWord(said, t.Title) || text.ContainsWord(t.Title, todoWords(said))
		}
		n = slices.IndexFunc(p.Asked, named) + 1
	}
	switch {
	case n > 0:
		p.Todos, p.Asked = slices.Clone(p.Asked[n-1:n]), nil
		return verdictEdit
	case u.Intent == nlu.Affirm, u.Intent == nlu.Unclear:
		return verdictPuzzled
	}
	return verdictOther
}

// nameTodo takes what was said for what is to be done.
func (d dialog) nameTodo(p *Plan) verdict {
	u := d.Understanding
	t := p.Todos[0]
	if order, ok := todo.Read(
		u.Text,
		u.Times,
	); ok && (order.Do != todo.Add || order.Title == "") ||
		isQuestion(u.Text) {
		return verdictOther
	} else if ok {
		t.Title = order.Title
	} else if t.Title = valueOf(
		valueSaid(withoutTimes(u.Text, u)),
	); !hasLetters(t.Title) ||
		u.Intent == nlu.Affirm {
		return verdictPuzzled
	}
	t.Title = display.Capital(t.Title, d.lang)
	if due := dueOf(u.Times, d.now); !due.IsZero() {
		t.Due = due
	}
	p.Todos = []Todo{t}
	return verdictEdit
}
