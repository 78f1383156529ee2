package talks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"annai/api"
	"annai/dialog"
)

// An Asker answers one turn. A [nodes.Concierge] is one.
type Asker interface {
	Answer(ctx context.Context, turn dialog.Turn) (api.QueryResponse, error)
}

// An Outcome is how a turn went. Why is empty if its answer is right.
type Outcome struct {
	// ID is that of the talk or the single question, Turn the number of the turn from 0.
	ID   string
	Turn int
	Said Turn
	Text string
	Why  []string
	// Understood is how it was read; nil where it was not.
	Understood *api.Understood
}

// A Report counts right answers by language and kind of turn.
type Report struct {
	Outcomes []Outcome

	all, right map[string]int
}

// count counts an answer under each of the names.
func (r *Report) count(right bool, names ...string) {
	for _, name := range names {
		r.all[name]++
		if right {
			r.right[name]++
		}
	}
}

// Run asks all talks and single questions of a place, each in a session of its own, and judges the answers. An answer that fails is
// judged as one that says its error; a pattern that cannot be read is an error.
func Run(ctx context.Context, p Place, asker Asker) (Report, error) {
	r := Report{all: map[string]int{}, right: map[string]int{}}
	var j judge
	for _, s := range p.Singles {
		o, err := r.ask(ctx, &j, asker, s.ID, 0, s.Turn)
		if err != nil {
			return r, err
		}
		r.count(len(o.Why) == 0, "single "+s.Lang)
		if s.Unknown {
			r.count(len(o.Why) == 0, "single unknown")
		}
	}
	for _, t := range p.Talks {
		if err := r.talk(ctx, &j, asker, t); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Report) talk(ctx context.Context, j *judge, asker Asker, t Talk) error {
	whole := true
	for i, turn := range t.Turns {
		o, err := r.ask(ctx, j, asker, t.ID, i, turn)
		if err != nil {
			return err
		}
		right := len(o.Why) == 0
		whole = whole && right
		place := "turn first"
		if i > 0 {
			place = "turn after the first"
		}
		kind := turn.Kind
		if kind == "" {
			kind = "?"
		}
		r.count(right, "turn "+t.Lang, "turn kind "+kind, place)
		if turn.Ask != "" {
			r.count(right, "turn ask "+turn.Ask)
		}
	}
	r.count(whole, "whole talk")
	return nil
}

// ask asks a turn and judges the answer.
func (r *Report) ask(ctx context.Context, j *judge, asker Asker, id string, n int, turn Turn) (Outcome, error) {
	o := Outcome{ID: id, Turn: n, Said: turn}
	a, err := asker.Answer(ctx, dialog.Turn{Query: turn.Say, SessionID: id})
	if err != nil {
		o.Text, o.Why = err.Error(), []string{err.Error()}
	} else {
		o.Text, o.Understood = a.Text, a.Metadata.ProcessingInfo.Understood
		if o.Why, err = j.judge(turn, a); err != nil {
			return o, fmt.Errorf("%s, turn %d: %w", id, n, err)
		}
	}
	r.Outcomes = append(r.Outcomes, o)
	return o, nil
}

// Add adds the counts of another place.
func (r *Report) Add(o Report) {
	if r.all == nil {
		r.all, r.right = map[string]int{}, map[string]int{}
	}
	for name, n := range o.all {
		r.all[name] += n
		r.right[name] += o.right[name]
	}
	r.Outcomes = append(r.Outcomes, o.Outcomes...)
}

// Share is the share of right answers under a name of the table, in 0..1, and of how many.
func (r *Report) Share(name string) (share float64, of int) {
	if r.all[name] == 0 {
		return 0, 0
	}
	return float64(r.right[name]) / float64(r.all[name]), r.all[name]
}

// WriteTable writes a line for each name: how many answers are right, of how many.
func (r *Report) WriteTable(w io.Writer) error {
	for _, name := range slices.Sorted(maps.Keys(r.all)) {
		n, all := r.right[name], r.all[name]
		if _, err := fmt.Fprintf(w, "%-28s %4d of %4d  %5.1f %%\n", name, n, all, 100*float64(n)/float64(all)); err != nil {
			return fmt.Errorf("write the table: %w", err)
		}
	}
	return nil
}

// WriteWrong writes each wrong answer, and why it is.
func (r *Report) WriteWrong(w io.Writer) error {
	for _, o := range r.Outcomes {
		if len(o.Why) == 0 {
			continue
		}
		understood, _ := json.Marshal(o.Understood) // strings and a number
		if _, err := fmt.Fprintf(w, "WRONG %s %d %s -> %.300s %q %s\n", o.ID, o.Turn, o.Said.Say, o.Text, o.Why, understood); err != nil {
			return fmt.Errorf("write what is wrong: %w", err)
		}
	}
	return nil
}
