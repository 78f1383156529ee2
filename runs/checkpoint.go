package runs

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"annai/fault"
	"annai/graph"
)

// place is a checkpoint as it is shown. A record that an input made is shown as two: before the input was taken in, when [graph.Start] is what runs next,
// and after it.
type place struct {
	record int64
	// before says that it is the first of the two.
	before bool
}

// text is a checkpoint's id: a UUID of the thread and the place, in which later ones of a thread are larger.
func (p place) text(thread string) string {
	if p.record == 0 {
		return ""
	}
	n := 2*p.record + 1
	if p.before {
		n--
	}
	return prefix(thread) + fmt.Sprintf("%012x", n)
}

func prefix(thread string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(thread))
	sum := h.Sum64()
	return fmt.Sprintf("%08x-%04x-6%03x-8%03x-", sum>>32, sum>>16&0xffff, sum>>4&0xfff, sum&0xf)
}

// placeOf reads the id of a checkpoint of the thread; "" is the zero place.
func placeOf(thread, id string) (place, error) {
	if id == "" {
		return place{}, nil
	}
	start := prefix(thread)
	if len(id) == len(start)+12 && id[:len(start)] == start {
		if n, err := strconv.ParseInt(id[len(start):], 16, 64); err == nil && n > 1 {
			return place{record: n / 2, before: n%2 == 0}, nil
		}
	}
	return place{}, fmt.Errorf("checkpoint %q of thread %s: %w", id, thread, fault.ErrNotFound)
}

// blankRun, and the record before whose input it is, is the run of a blank record; see begin.
const blankRun = "blank:"

func blank(run string) bool { return strings.HasPrefix(run, blankRun) }

// standsFor is the place that a blank record stands for; the zero place for none.
func standsFor(run string) place {
	record, _ := strconv.ParseInt(strings.TrimPrefix(run, blankRun), 10, 64)
	return place{record, true}
}

// step is the number of the superstep that is shown for a record: it grows from each record to those after it, by one where there are no forks, and leaves a
// number for what an input shows before it.
func step(id int64, step int) int { return int(2*id) - step - 2 }

// taskID tells a task from all others of the thread.
func taskID(thread string, record int64, index int) string {
	return textID(fmt.Sprintf("%s %d %d", thread, record, index))
}

// textID makes a UUID of a text.
func textID(text string) string {
	h := fnv.New128a()
	_, _ = h.Write([]byte(text))
	return formatID([16]byte(h.Sum(nil)), 8)
}

// formatID writes 16 bytes as a UUID of the version.
func formatID(b [16]byte, version byte) string {
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// tasks lists what runs next at a record, with the questions that are open. What a graph inside asks is its node's. Asks says which tasks are known to ask
// what; other questions of a node are in the order of its tasks.
func tasks(thread string, record int64, next []string, open []graph.Interrupt, asks map[string]int) ([]Task, error) {
	list := make([]Task, len(next))
	for i, name := range next {
		list[i] = Task{ID: taskID(thread, record, i), Name: name, Interrupts: []Interrupt{}}
	}
	for _, o := range open {
		asked, err := interrupt(o)
		if err != nil {
			return nil, err
		}
		at, known := asks[o.ID]
		if !known {
			at = asker(list, o.Node)
		}
		if at < 0 || at >= len(list) {
			continue
		}
		list[at].Interrupts = append(list[at].Interrupts, asked)
	}
	return list, nil
}

// asker returns the place of the task that asks: of the node, and without a question yet; else the first whose name is none of an asking node's.
func asker(list []Task, node string) int {
	other := -1
	for i, t := range list {
		switch {
		case t.Name == node && len(t.Interrupts) == 0:
			return i
		case t.Name != node && other < 0:
			other = i
		}
	}
	return other
}
