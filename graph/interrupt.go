package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"annai/fault"
)

// talk is what a task asked and was answered.
type talk struct {
	// answers are to the task's own interrupts, in order.
	answers []any
	// interrupts are open; given are the answers to some of them. To a subgraph they are handed once there are all of
	// them, and stay until its task has come to its end or to other questions.
	interrupts []Interrupt
	given      map[string]any
	// asked is the question that the last of the answers is to.
	asked Interrupt
}

// said is the task's talk to be read.
func (t *task[S]) said() talk {
	if t.talk == nil {
		return talk{}
	}
	return *t.talk
}

// talking is the task's talk to be added to.
func (t *task[S]) talking() *talk {
	if t.talk == nil {
		t.talk = new(talk)
	}
	return t.talk
}

// unanswered lists the interrupts that have no answer yet.
func (t *task[S]) unanswered() []Interrupt {
	said := t.said()
	if len(said.given) == 0 {
		return said.interrupts
	}
	return slices.DeleteFunc(slices.Clone(said.interrupts), func(i Interrupt) bool { _, ok := said.given[i.ID]; return ok })
}

// resume takes in answers to open interrupts, and keeps them before any node runs. A task runs again only when all of
// its interrupts are answered.
func (r *run[S]) resume(ctx context.Context, answers map[string]any) error {
	answers, err := r.named(answers)
	if err != nil {
		return err
	}
	if r.info.namespace == "" { // a subgraph may have taken in some before a crash
		if err := r.allOpen(answers); err != nil {
			return err
		}
		if err := r.checkAnswers(answers); err != nil {
			return err
		}
	}
	for i := range r.tasks {
		t := &r.tasks[i]
		taken := false
		for _, interrupt := range t.unanswered() {
			if answer, ok := answers[interrupt.ID]; ok {
				t.answer(interrupt.ID, answer)
				delete(answers, interrupt.ID)
				taken = true
			}
		}
		if !taken {
			continue
		}
		if r.exits() {
			t.fresh = true
			continue
		}
		if err := r.log.putWrites(ctx, r, i); err != nil {
			return err
		}
	}
	for i := range r.tasks {
		r.tasks[i].ready()
	}
	return nil
}

// allOpen looks whether each answer has its question, before any of them is kept.
func (r *run[S]) allOpen(answers map[string]any) error {
	unknown := maps.Clone(answers)
	for i := range r.tasks {
		for _, interrupt := range r.tasks[i].unanswered() {
			delete(unknown, interrupt.ID)
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("no open interrupt %q: %w", slices.Sorted(maps.Keys(unknown)), fault.ErrNotFound)
	}
	return nil
}

// wrongAnswerError says that a node could not read the answer to the question with the id.
type wrongAnswerError struct {
	error

	id string
}

func (e *wrongAnswerError) Unwrap() error { return e.error }

// reopen opens the question again whose answer the task, or one of the graph in it, could not read, and reports whether
// there is one.
func (t *task[S]) reopen(failed error) bool {
	var wrong *wrongAnswerError
	if t.talk == nil || !errors.As(failed, &wrong) {
		return false
	}
	talk := t.talking()
	if _, given := talk.given[wrong.id]; given { // a subgraph asks
		delete(talk.given, wrong.id)
		return true
	}
	if wrong.id != talk.asked.ID || len(talk.answers) == 0 {
		return false
	}
	talk.answers = talk.answers[:len(talk.answers)-1]
	talk.interrupts, talk.given, talk.asked = []Interrupt{talk.asked}, nil, Interrupt{}
	return true
}

// AnswerOf is a NodeOptions.CheckAnswer that takes answers of type T: those that [Answer] can decode into a T, without
// unknown fields, and not null unless T can be nil.
func AnswerOf[T any](_ Interrupt, answer json.RawMessage) error {
	var reply T
	kind := reflect.TypeFor[T]().Kind()
	nilable := kind == reflect.Pointer || kind == reflect.Interface || kind == reflect.Slice || kind == reflect.Map
	if bytes.Equal(answer, []byte("null")) && !nilable {
		return errors.New("it is null")
	}
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.DisallowUnknownFields()
	return decoder.Decode(&reply)
}

// checkAnswers lets the nodes that asked look at the answers, before any of them is kept.
func (r *run[S]) checkAnswers(answers map[string]any) error {
	for i := range r.tasks {
		for _, question := range r.tasks[i].unanswered() {
			answer, ok := answers[question.ID]
			if !ok {
				continue
			}
			data, err := json.Marshal(answer)
			if err == nil {
				_, err = r.tasks[i].node.checkAnswer(question, data)
			}
			if err != nil {
				return fmt.Errorf("the answer to the question of node %s is refused: %w", question.Node, invalid(err))
			}
		}
	}
	return nil
}

// invalid makes an error one of kind [fault.ErrInvalid], unless it is.
func invalid(err error) error {
	if errors.Is(err, fault.ErrInvalid) {
		return err
	}
	return fmt.Errorf("%w: %w", err, fault.ErrInvalid)
}

// checkAnswer looks at an answer; known says that the node, or one of the graph in it, may have asked.
func (n *node[S]) checkAnswer(question Interrupt, answer json.RawMessage) (known bool, err error) {
	switch {
	case n.inner != nil:
		return n.inner(question, answer)
	case n.name != question.Node:
		return false, nil
	case n.opts.CheckAnswer == nil:
		return true, nil
	}
	return true, n.opts.CheckAnswer(question, answer)
}

// checkAnswer lets the node of that name look at an answer. Where graphs in the graph have nodes of the same name,
// it is taken if one of them takes it.
func (g *Graph[S]) checkAnswer(question Interrupt, answer json.RawMessage) (known bool, err error) {
	for _, n := range g.nodes {
		is, refused := n.checkAnswer(question, answer)
		if is && refused == nil {
			return true, nil
		}
		if is {
			known, err = true, refused
		}
	}
	return known, err
}

// named gives the id of the only open interrupt to an answer without one.
func (r *run[S]) named(answers map[string]any) (map[string]any, error) {
	answers = maps.Clone(answers)
	answer, ok := answers[""]
	if !ok {
		return answers, nil
	}
	var open []Interrupt
	for i := range r.tasks {
		open = append(open, r.tasks[i].unanswered()...)
	}
	if len(open) != 1 {
		return nil, fmt.Errorf("an answer without an id, but %d interrupts are open: %w", len(open), fault.ErrInvalid)
	}
	delete(answers, "")
	answers[open[0].ID] = answer
	return answers, nil
}

// answer keeps the answer to one of the task's interrupts.
func (t *task[S]) answer(id string, answer any) {
	talk := t.talking()
	if talk.given == nil {
		talk.given = map[string]any{}
	}
	talk.given[id] = answer
}

// ready hands the answers to the task if it has all of them: a node finds its own with [Answer]. A subgraph is
// resumed with them when it runs.
func (t *task[S]) ready() {
	if len(t.said().given) == 0 || len(t.unanswered()) > 0 || t.node.sub != nil {
		return
	}
	talk := t.talking()
	for _, i := range talk.interrupts {
		talk.answers = append(slices.Clip(talk.answers), talk.given[i.ID])
		talk.asked = i
	}
	talk.interrupts, talk.given = nil, nil
}
