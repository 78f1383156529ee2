package graph

func (r *run[S]) wants(mode Mode) bool { return r.info.stream.wants(mode, r.info.namespace) }

func (r *run[S]) emit(mode Mode, node string, value any) { r.emitAt(r.step, mode, node, value) }

func (r *run[S]) emitAt(step int, mode Mode, node string, value any) {
	r.info.stream.send(Event{Mode: mode, Namespace: r.info.namespace, Step: step, Node: node, Value: value})
}

func (r *run[S]) emitValues() {
	if r.wants(ModeValues) {
		r.emit(ModeValues, "", r.state)
	}
}

// emitStep tells what a superstep's tasks wrote, and what came of it.
func (r *run[S]) emitStep(ended []task[S]) {
	if r.wants(ModeUpdates) {
		for i := range ended {
			r.emit(ModeUpdates, ended[i].node.name, ended[i].cmd.Update)
		}
	}
	r.emitCheckpoint(SourceLoop)
	r.emitValues()
}

// emitCheckpoint tells where the run came to.
func (r *run[S]) emitCheckpoint(source Source) {
	for _, mode := range []Mode{ModeCheckpoints, ModeDebug} {
		if r.log == nil || !r.wants(mode) {
			continue
		}
		result := r.result()
		c := Checkpoint[S]{RunID: r.opts.RunID, Step: r.step, Source: source, State: result.State, Next: result.Next}
		if !r.exits() {
			c.ID, c.Parent, c.At = r.log.head, r.log.parent, r.log.at
		}
		r.emit(mode, "", c)
	}
}

// emitTask tells of a task to those who listen for tasks.
func (r *run[S]) emitTask(index int, ended bool, err error) {
	for _, mode := range []Mode{ModeTasks, ModeDebug} {
		if !r.wants(mode) {
			continue
		}
		t := &r.tasks[index]
		e := TaskEvent{ID: r.taskID(index, 0), Node: t.node.name, Ended: ended, Err: err}
		switch {
		case ended:
			e.Interrupts = t.unanswered()
		case t.input != nil:
			e.Input, e.Sent = t.input, true
		default:
			e.Input = r.state
		}
		r.emitAt(r.step+1, mode, t.node.name, e)
	}
}
