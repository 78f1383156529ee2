package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"annai/fault"
)

// page is where the parts of a record are written, in room that is used again.
type page struct {
	data []byte
	// start is where what was appended to the data since the last write begins.
	start  int
	writes []ChannelData
	tasks  []TaskData
}

func (p *page) reset() {
	p.resetWrites()
	clear(p.tasks)
	p.tasks = p.tasks[:0]
}

func (p *page) resetWrites() {
	const most = 1 << 20 // room for more is not worth keeping
	if cap(p.data) > most {
		p.data = nil
	}
	p.data, p.start, p.writes = p.data[:0], 0, p.writes[:0]
}

// add takes what was appended to the data since the last call as the data of the channel.
func (p *page) add(channel string) {
	w := ChannelData{Channel: channel}
	if end := len(p.data); end > p.start {
		w.Data, p.start = p.data[p.start:end:end], end
	}
	p.writes = append(p.writes, w)
}

// carriedChannel stands among a record's writes if its tasks are those of the record before, made at the origin that is its value: the checkpoint
// and the superstep.
const carriedChannel = "__carried__"

func (p *page) carried(from origin) {
	p.data = fmt.Appendf(p.data, "%d %d", from.checkpoint, from.step)
	p.add(carriedChannel)
}

// encodeUpdates encodes what must be kept: not what is written again, and of a finished run nothing ephemeral.
func encodeUpdates[S any](p *page, updates []Update[S], finished bool) (err error) {
	for i, u := range updates {
		for j := range u {
			c := u[j].channel
			if c.ephemeral && finished || c.exclusive && writtenLater(c, u[j+1:], updates[i+1:]) {
				continue
			}
			if p.data, err = c.encode(p.data, &u[j]); err != nil {
				return fmt.Errorf("channel %s: %w: %w", c.name, err, fault.ErrInvalid)
			}
			p.add(c.name)
		}
	}
	return nil
}

// writtenLater reports whether the channel is written again: of one that keeps the last value only the last write is kept.
func writtenLater[S any](c *channel[S], rest Update[S], updates []Update[S]) bool {
	is := func(w Write[S]) bool { return w.channel == c }
	return slices.ContainsFunc(rest, is) || slices.ContainsFunc(updates, func(u Update[S]) bool { return slices.ContainsFunc(u, is) })
}

func (g *Graph[S]) snapshot(p *page, state *S, finished bool) (err error) {
	for _, c := range g.channels {
		if c.ephemeral && finished {
			continue
		}
		if p.data, err = c.snapshot(p.data, state); err != nil {
			return fmt.Errorf("channel %s: %w: %w", c.name, err, fault.ErrInvalid)
		}
		p.add(c.name)
	}
	return nil
}

func encodeTasks[S any](p *page, tasks []task[S]) error {
	for i := range tasks {
		data := TaskData{Node: tasks[i].node.name}
		if tasks[i].input != nil {
			var err error
			if data.Input, err = json.Marshal(tasks[i].input); err != nil {
				return fmt.Errorf("input of node %s: %w: %w", data.Node, err, fault.ErrInvalid)
			}
		}
		p.tasks = append(p.tasks, data)
	}
	return nil
}

// encodeQuestion writes down what an interrupt asks: the question, and behind it the schema of its answers.
func encodeQuestion(i Interrupt) ([]byte, error) {
	question, err := json.Marshal(i.Question)
	if err != nil || i.ResponseSchema == nil {
		return question, err
	}
	var schema map[string]json.RawMessage
	if err := json.Unmarshal(i.ResponseSchema, &schema); err != nil || schema == nil {
		return nil, errors.New("the schema of its answers is no JSON object")
	}
	return slices.Concat(question, []byte("\n"), i.ResponseSchema), nil
}

// decodeQuestion is the reverse of encodeQuestion.
func decodeQuestion(data []byte, i *Interrupt) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&i.Question); err != nil {
		return err
	}
	if err := d.Decode(&i.ResponseSchema); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// encodeTalk writes down what the task asked and what was answered.
func (t *task[S]) encodeTalk(w *TaskWrites) error {
	said := t.said()
	if asked := said.asked; asked.ID != "" && !t.done && len(said.interrupts) == 0 {
		// The node has not come to an end with its last answer: what that is to is kept, in case that it is wrong.
		last := len(said.answers) - 1
		said.interrupts = []Interrupt{asked}
		said.given = map[string]any{asked.ID: said.answers[last]}
		said.answers = said.answers[:last]
	}
	for _, i := range said.interrupts {
		question, err := encodeQuestion(i)
		if err != nil {
			return fmt.Errorf("question of node %s: %w: %w", i.Node, err, fault.ErrInvalid)
		}
		data := InterruptData{ID: i.ID, Node: i.Node, Question: question}
		if answer, ok := said.given[i.ID]; ok {
			if data.Answer, err = json.Marshal(answer); err != nil {
				return fmt.Errorf("answer to node %s: %w: %w", i.Node, err, fault.ErrInvalid)
			}
		}
		w.Interrupts = append(w.Interrupts, data)
	}
	for _, a := range said.answers {
		data, err := json.Marshal(a)
		if err != nil {
			return fmt.Errorf("answer to node %s: %w: %w", t.node.name, err, fault.ErrInvalid)
		}
		w.Answers = append(w.Answers, data)
	}
	return nil
}
