package langgraph

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"annai/internal/message"
	"annai/runs"
	"annai/server/stream"
)

// rendering turns the log of one run into the stream of the modes that are wanted. It is made anew for each reader, and begins with the run.
type rendering struct {
	run   runs.Run
	modes map[runs.Mode]bool
	// asRun takes the modes from the run's own beginning.
	asRun bool

	begin runs.Beginning
	said  map[string]*said
	calls calls
	// values is the newest state.
	values json.RawMessage
}

// said is a message as far as it was streamed.
type said struct {
	whole runs.Object
	ended bool
}

func newRendering(run runs.Run, modes []runs.Mode) *rendering {
	r := &rendering{run: run, modes: map[runs.Mode]bool{}, said: map[string]*said{}, calls: calls{}}
	r.want(modes)
	return r
}

func (r *rendering) want(modes []runs.Mode) {
	for _, m := range modes {
		r.modes[m] = true
	}
}

// frames is what an event shows.
func (r *rendering) frames(e runs.Event) ([]frame, error) {
	switch e.Kind {
	case runs.KindBegin:
		return r.beginning(e)
	case runs.KindValues:
		return r.state(e)
	case runs.KindUpdate:
		return r.update(e)
	case runs.KindMessage:
		return r.message(e)
	case runs.KindCustom:
		return r.plain(runs.ModeCustom, "custom", e, e.Data)
	case runs.KindTask, runs.KindTaskEnd:
		return r.task(e)
	case runs.KindCheckpoint:
		return r.checkpoint(e)
	case runs.KindInterrupt:
		return r.interrupt(e)
	case runs.KindEnd:
		return r.end(e)
	default:
		return nil, nil
	}
}

// plain shows data under the name, with the path inside graphs in graphs.
func (r *rendering) plain(mode runs.Mode, name string, e runs.Event, data []byte) ([]frame, error) {
	if !r.modes[mode] {
		return nil, nil
	}
	return []frame{{inPath(name, e), data}}, nil
}

func inPath(name string, e runs.Event) string {
	if e.Namespace == "" {
		return name
	}
	return name + "|" + e.Namespace
}

// encoded shows a value under the name.
func (r *rendering) encoded(name string, value any) ([]frame, error) {
	data, err := encode(value)
	return []frame{{name, data}}, err
}

func (r *rendering) beginning(e runs.Event) ([]frame, error) {
	if err := json.Unmarshal(e.Data, &r.begin); err != nil {
		return nil, fmt.Errorf("beginning of run %s: %w", e.RunID, err)
	}
	if r.asRun {
		r.want(r.begin.StreamMode)
	}
	frames, err := r.encoded("metadata", gin.H{"run_id": e.RunID, "attempt": r.begin.Attempt})
	if err != nil || !r.modes[runs.ModeEvents] {
		return frames, err
	}
	more, err := r.happened("on_chain_start", "", runs.Event{}, gin.H{"input": gin.H{}})
	return append(frames, more...), err
}

// happened shows an event in the manner of LangChain, of a node's if e has one, and under another name than that if
// there is one.
func (r *rendering) happened(what, name string, e runs.Event, data any) ([]frame, error) {
	about, tags := runs.Object{}, []string{}
	if e.Node != "" {
		about, tags = r.about(e), []string{"graph:step:" + strconv.Itoa(e.Step)}
	} else {
		about["run_id"], about["thread_id"] = r.run.ID, r.run.ThreadID
		about["graph_id"], about["assistant_id"] = r.begin.GraphID, r.begin.AssistantID
	}
	return r.encoded("events", gin.H{
		"event": what, "name": cmp.Or(name, e.Node, r.begin.GraphID), "run_id": r.run.ID, "tags": tags,
		"parent_ids": []string{}, "data": data, "metadata": about,
	})
}

func (r *rendering) state(e runs.Event) ([]frame, error) {
	if e.Namespace == "" {
		r.values = e.Data
	}
	return r.plain(runs.ModeValues, "values", e, e.Data)
}

func (r *rendering) update(e runs.Event) ([]frame, error) {
	var frames []frame
	if r.modes[runs.ModeUpdates] {
		data, err := encode(map[string]json.RawMessage{e.Node: e.Data})
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame{inPath("updates", e), data})
	}
	if !r.modes[runs.ModeMessages] && !r.modes[runs.ModeMessagesTuple] && !r.modes[runs.ModeTools] &&
		!r.modes[runs.ModeEvents] {
		return frames, nil
	}
	for _, m := range stream.Messages(e.Data) {
		for _, show := range []func(runs.Event, runs.Object) ([]frame, error){r.answered, r.written} {
			more, err := show(e, m)
			if err != nil {
				return nil, err
			}
			frames = append(frames, more...)
		}
	}
	if !r.modes[runs.ModeEvents] {
		return frames, nil
	}
	for _, what := range [][2]string{{"on_chain_stream", "chunk"}, {"on_chain_end", "output"}} {
		more, err := r.happened(what[0], "", e, gin.H{what[1]: e.Data})
		if err != nil {
			return nil, err
		}
		frames = append(frames, more...)
	}
	return frames, nil
}

// answered shows that a message answers a tool call.
func (r *rendering) answered(e runs.Event, m runs.Object) ([]frame, error) {
	call, ok := r.calls.end(m)
	if !ok {
		return nil, nil
	}
	return r.calling(e, call, "on_tool_end", call.finished(m), gin.H{"output": m, "input": call.Args})
}

// calling shows what happens to a tool call.
func (r *rendering) calling(e runs.Event, call toolCall, what string, told runs.Object, data gin.H) ([]frame, error) {
	var frames []frame
	if r.modes[runs.ModeTools] {
		data, err := encode(told)
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame{inPath("tools", e), data})
	}
	if !r.modes[runs.ModeEvents] {
		return frames, nil
	}
	more, err := r.happened(what, call.Name, e, data)
	return append(frames, more...), err
}

// written shows a message that a node wrote to the state: whole if it was not streamed before.
func (r *rendering) written(e runs.Event, m runs.Object) ([]frame, error) {
	id, _ := m["id"].(string)
	streamed := r.said[id]
	if streamed != nil && streamed.ended {
		return nil, nil
	}
	r.said[id] = &said{whole: m, ended: true}
	var frames []frame
	if r.modes[runs.ModeEvents] && streamed != nil {
		more, err := r.happened("on_chat_model_end", "", e, gin.H{"output": m})
		if err != nil {
			return nil, err
		}
		frames = append(frames, more...)
	}
	if r.modes[runs.ModeMessagesTuple] && streamed == nil {
		data, err := encode([]any{m, r.about(e)})
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame{inPath("messages", e), data})
	}
	if !r.modes[runs.ModeMessages] {
		return frames, nil
	}
	if streamed == nil {
		data, err := encode(gin.H{id: gin.H{"metadata": r.about(e)}})
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame{inPath("messages/metadata", e), data})
	}
	data, err := encode([]any{m})
	return append(frames, frame{inPath("messages/complete", e), data}), err
}

// about is what is said beside a message.
func (r *rendering) about(e runs.Event) runs.Object {
	where := placeOf(e)
	return runs.Object{
		"langgraph_node": e.Node, "langgraph_step": e.Step, "langgraph_triggers": []string{"branch:to:" + e.Node},
		"langgraph_path": []string{"__pregel_pull", e.Node}, "langgraph_checkpoint_ns": where, "checkpoint_ns": where,
		"thread_id": r.run.ThreadID, "run_id": r.run.ID, "assistant_id": r.begin.AssistantID, "graph_id": r.begin.GraphID, "run_attempt": r.begin.Attempt,
		"tags": []string{},
	}
}

// message shows a message, or a piece of one, that a node says while it runs.
func (r *rendering) message(e runs.Event) ([]frame, error) {
	var piece runs.Object
	if err := json.Unmarshal(e.Data, &piece); err != nil {
		return nil, nil //nolint:nilerr // nodes may say what is no message
	}
	id, _ := piece["id"].(string)
	known := r.said[id]
	first := known == nil
	if first {
		known = &said{whole: maps.Clone(piece)}
		if pieces := callPieces(piece); len(pieces) > 0 {
			delete(known.whole, "tool_call_chunks")
			joinCalls(known.whole, pieces)
		}
		r.said[id] = known
	} else {
		known.whole = joined(known.whole, piece)
	}
	return r.streamed(e, id, piece, known.whole, first)
}

// joined is a message with a further piece at its end.
func joined(m, piece runs.Object) runs.Object {
	next := maps.Clone(m)
	next["content"] = message.Text(m) + message.Text(piece)
	if more := callPieces(piece); len(more) > 0 {
		joinCalls(next, more)
	} else if more, _ := piece["tool_calls"].([]any); len(more) > 0 {
		before, _ := m["tool_calls"].([]any)
		next["tool_calls"] = append(slices.Clip(before), more...)
	}
	return next
}

func (r *rendering) streamed(e runs.Event, id string, piece, whole runs.Object, first bool) (frames []frame, err error) {
	add := func(name string, value any) {
		data, failed := encode(value)
		if err == nil {
			err = failed
		}
		frames = append(frames, frame{name, data})
	}
	if piece["type"] == "ai" {
		piece = maps.Clone(piece)
		piece["type"] = "AIMessageChunk"
	}
	if r.modes[runs.ModeMessagesTuple] {
		add(inPath("messages", e), []any{piece, r.about(e)})
	}
	if r.modes[runs.ModeMessages] {
		if first {
			add(inPath("messages/metadata", e), gin.H{id: gin.H{"metadata": r.about(e)}})
		}
		add(inPath("messages/partial", e), []any{whole})
	}
	if r.modes[runs.ModeEvents] && err == nil {
		var more []frame
		if first {
			more, err = r.happened("on_chat_model_start", "", e, gin.H{"input": gin.H{}})
			frames = append(frames, more...)
		}
		if err == nil {
			more, err = r.happened("on_chat_model_stream", "", e, gin.H{"chunk": piece})
			frames = append(frames, more...)
		}
	}
	return frames, err
}

func (r *rendering) task(e runs.Event) ([]frame, error) {
	frames, err := r.plain(runs.ModeTasks, "tasks", e, e.Data)
	if err == nil && e.Kind == runs.KindTask && (r.modes[runs.ModeEvents] || r.modes[runs.ModeTools]) {
		var more []frame
		more, err = r.entered(e)
		frames = append(frames, more...)
	}
	if err != nil || !r.modes[runs.ModeDebug] {
		return frames, err
	}
	kind := "task"
	if e.Kind == runs.KindTaskEnd {
		kind = "task_result"
	}
	more, err := r.debug(e, e.Step, kind, e.Data)
	return append(frames, more...), err
}

// entered shows that a node begins, and the tool call that it is given.
func (r *rendering) entered(e runs.Event) (frames []frame, err error) {
	if r.modes[runs.ModeEvents] {
		var task struct {
			Input json.RawMessage `json:"input"`
		}
		if err := json.Unmarshal(e.Data, &task); err != nil {
			return nil, fmt.Errorf("task of run %s: %w", e.RunID, err)
		}
		if frames, err = r.happened("on_chain_start", "", e, gin.H{"input": task.Input}); err != nil {
			return nil, err
		}
	}
	call, ok := r.calls.begin(e)
	if !ok {
		return frames, nil
	}
	more, err := r.calling(e, call, "on_tool_start", call.started(), gin.H{"input": call.Args})
	return append(frames, more...), err
}

func (r *rendering) debug(e runs.Event, step int, kind string, payload any) ([]frame, error) {
	return r.encoded(inPath("debug", e), gin.H{"step": step, "type": kind, "timestamp": e.At, "payload": payload})
}

func (r *rendering) checkpoint(e runs.Event) ([]frame, error) {
	if !r.modes[runs.ModeCheckpoints] && !r.modes[runs.ModeDebug] {
		return nil, nil
	}
	var s runs.State
	if err := json.Unmarshal(e.Data, &s); err != nil {
		return nil, fmt.Errorf("checkpoint of run %s: %w", e.RunID, err)
	}
	at, parent := ref(r.run.ThreadID, s.Checkpoint), ref(r.run.ThreadID, s.Parent)
	for _, c := range []*checkpointRef{at, parent} {
		if c != nil {
			c.Namespace = e.Namespace
		}
	}
	payload := gin.H{
		"config": configOf(at), "parent_config": configOf(parent), "checkpoint": at, "parent_checkpoint": parent,
		"values": s.Values, "metadata": gin.H{"source": s.Source, "step": s.Step, "parents": gin.H{}}, "next": s.Next(), "tasks": s.Tasks,
	}
	var frames []frame
	if r.modes[runs.ModeCheckpoints] {
		data, err := encode(payload)
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame{inPath("checkpoints", e), data})
	}
	if !r.modes[runs.ModeDebug] {
		return frames, nil
	}
	more, err := r.debug(e, s.Step, "checkpoint", payload)
	return append(frames, more...), err
}

func configOf(at *checkpointRef) any {
	if at == nil {
		return nil
	}
	return gin.H{"configurable": gin.H{
		"thread_id": at.ThreadID, "checkpoint_ns": at.Namespace, "checkpoint_id": at.ID,
	}}
}

// interrupt shows what the run asks: as an update, and as a part of the state.
func (r *rendering) interrupt(e runs.Event) ([]frame, error) {
	asked := map[string]json.RawMessage{"__interrupt__": e.Data}
	var frames []frame
	if r.modes[runs.ModeUpdates] {
		more, err := r.encoded("updates", asked)
		if err != nil {
			return nil, err
		}
		frames = append(frames, more...)
	}
	if !r.modes[runs.ModeValues] {
		return frames, nil
	}
	values := map[string]json.RawMessage{}
	if len(r.values) > 0 {
		if err := json.Unmarshal(r.values, &values); err != nil {
			return nil, fmt.Errorf("state of run %s: %w", e.RunID, err)
		}
	}
	if values == nil {
		values = asked
	}
	values["__interrupt__"] = e.Data
	more, err := r.encoded("values", values)
	return append(frames, more...), err
}

func (r *rendering) end(e runs.Event) ([]frame, error) {
	var ending runs.Ending
	if err := json.Unmarshal(e.Data, &ending); err != nil {
		return nil, fmt.Errorf("end of run %s: %w", e.RunID, err)
	}
	if ending.Error != "" {
		return r.encoded("error", gin.H{"error": ending.Error, "message": ending.Message})
	}
	if r.modes[runs.ModeEvents] {
		return r.happened("on_chain_end", "", runs.Event{}, gin.H{"output": r.values})
	}
	return nil, nil
}
