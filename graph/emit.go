package graph

func (r *run[S]) wants(mode Mode) bool { return r.info.stream.wants(mode, r.info.namespace) }

// place is where an event of the superstep happens.
func (r *run[S]) place(step int, node string) Place {
	return Place{Namespace: r.info.namespace, Step: step, Node: node}
}

func (r *run[S]) emitValues() {
	if r.wants(ModeValues) {
		r.info.stream.send(StateEvent[S]{r.place(r.step, ""), r.state})
	}
}

// emitStep tells what a superstep's tasks wrote, and what came of it.
func (r *run[S]) emitStep(ended []task[S]) {
	if r.wants(ModeUpdates) {
		for i := range ended {
			r.info.stream.send(UpdateEvent[S]{r.place(r.step, ended[i].node.name), ended[i].cmd.Update})
		}
	}
	r.emitCheckpoint(SourceLoop)
	r.emitValues()
}

// emitCheckpoint tells where the run came to.
func (r *run[S]) emitCheckpoint(source Source) {
	if r.log == nil || !r.wants(ModeCheckpoints) && !r.wants(ModeDebug) {
		return
	}
	result := r.result()
	c := Checkpoint[S]{RunID: r.opts.RunID, Step: r.step, Source: source, State: result.State, Next: result.Next}
	if !r.exits() {
		c.ID, c.Parent, c.At = r.log.head, r.log.parent, r.log.at
	}
	r.info.stream.send(CheckpointEvent[S]{r.place(r.step, ""), c})
}

// emitTask tells of a task to those who listen for tasks.
func (r *run[S]) emitTask(index int, ended bool, err error) {
	if !r.wants(ModeTasks) && !r.wants(ModeDebug) {
		return
	}
	t := &r.tasks[index]
	e := TaskEvent{Place: r.place(r.step+1, t.node.name), ID: r.taskID(index, 0), Ended: ended, Err: err}
	switch {
	case ended:
		e.Interrupts = t.unanswered()
	case t.input != nil:
		e.Input, e.Sent = t.input, true
	default:
		e.Input = r.state
	}
	r.info.stream.send(e)
}
