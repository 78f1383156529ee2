package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"annai/fault"
	"annai/runs"
	"annai/server/door"
)

// sendParams are a message, and how the answer is wanted.
type sendParams struct {
	Message       message `json:"message"`
	Configuration struct {
		// Blocking is how version 0.3 says whether the answer is waited for, ReturnImmediately how 1.0 says that it
		// is not.
		Blocking          *bool `json:"blocking"`
		ReturnImmediately bool  `json:"returnImmediately"`
		History           *int  `json:"historyLength"`
	} `json:"configuration"`
}

// send answers a message with its task, as it stands once it is over or asks.
func (*handlers) send(c *call) error {
	ctx := c.Request.Context()
	p, begun, err := c.begin(ctx)
	if err != nil {
		return err
	}
	blocking := p.Configuration.Blocking
	if !p.Configuration.ReturnImmediately && (blocking == nil || *blocking) {
		if _, err := begun.Wait(ctx); err != nil {
			return err
		}
	}
	j, err := c.job(ctx, taskOf(begun.Run))
	if err != nil {
		return err
	}
	return c.answerTask(j, p.Configuration.History, true)
}

// taskOf is the id of the task that a run belongs to.
func taskOf(r runs.Run) string {
	if id, ok := r.Metadata[metaTask].(string); ok {
		return id
	}
	return r.ID
}

// begin begins a task with a message, or goes on with the one that the message answers.
func (c *call) begin(ctx context.Context) (sendParams, *runs.Begun, error) {
	var p sendParams
	if err := c.read(&p); err != nil {
		return p, nil, err
	}
	m := p.Message
	switch {
	case m.ID == "" || len(m.Parts) == 0:
		return p, nil, fmt.Errorf("message has a messageId and parts: %w", fault.ErrInvalid)
	case m.ofAgent():
		return p, nil, fmt.Errorf("message.role is that of the agent: %w", fault.ErrInvalid)
	case slices.ContainsFunc(m.Parts, func(p part) bool { return p.file }):
		return p, nil, &refusal{codeContent, "CONTENT_TYPE_NOT_SUPPORTED", "texts and data are read here, no files"}
	}
	thread, request, err := m.ContextID, runs.Request{}, error(nil)
	if m.TaskID != "" {
		thread, request, err = c.reply(ctx, m)
	} else {
		request, err = c.ask(ctx, m)
	}
	if err != nil {
		return p, nil, err
	}
	if thread == "" {
		made, err := c.service.CreateThread(ctx, runs.NewThread{})
		if err != nil {
			return p, nil, err
		}
		thread = made.ID
	}
	caller := door.CallerOf(c.Context)
	request.IfNotExists, request.Resumable = "create", true
	request.StreamMode = runs.Modes{runs.ModeMessagesTuple, runs.ModeCustom}
	request.Owner, request.OwnerName = caller.Is(door.Owner), caller.Owner
	begun, err := c.service.Begin(ctx, thread, request, false)
	if errors.Is(err, fault.ErrNotFound) && m.ContextID != "" && m.TaskID == "" {
		err = fmt.Errorf("there is no such context, or no such agent: %w", fault.ErrInvalid)
	}
	if err == nil {
		door.SetObject(c.Context, "thread", thread)
		door.SetObject(c.Context, "run", begun.Run.ID)
	}
	return p, begun, err
}

// ask is the run that a message asks for. Data are the input; a text is a message of it.
func (c *call) ask(ctx context.Context, m message) (runs.Request, error) {
	input := runs.Object{}
	text, data := content(m.Parts)
	if strings.TrimSpace(text) == "" && len(data) == 0 {
		return runs.Request{}, fmt.Errorf("message has no words and no data: %w", fault.ErrInvalid)
	}
	for _, d := range data {
		if err := json.Unmarshal(d, &input); err != nil {
			return runs.Request{}, fmt.Errorf("data of the message is no object: %w", fault.ErrInvalid)
		}
	}
	if text != "" {
		names, err := c.inputs(ctx)
		if err != nil {
			return runs.Request{}, err
		}
		if names != nil && !slices.Contains(names, "messages") {
			return runs.Request{}, &refusal{
				codeContent, "CONTENT_TYPE_NOT_SUPPORTED", "this agent takes data, with " + strings.Join(names, ", "),
			}
		}
		input["messages"] = []runs.Object{{"type": "human", "id": m.ID, "content": text}}
	}
	body, err := json.Marshal(input)
	return runs.Request{AssistantID: c.assistant, Input: body}, err
}

// inputs are the names that the agent's input may have, in order; nil: any.
func (c *call) inputs(ctx context.Context) ([]string, error) {
	_, schemas, err := c.service.Schemas(ctx, c.assistant)
	if err != nil {
		return nil, err
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schemas.Input, &schema) != nil || schema.Properties == nil {
		return nil, nil // there is none
	}
	names := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// content is the text of parts and their data.
func content(parts []part) (text string, data []json.RawMessage) {
	var texts []string
	for _, p := range parts {
		if p.data != nil {
			data = append(data, p.data)
		} else if p.text != "" {
			texts = append(texts, p.text)
		}
	}
	return strings.Join(texts, "\n"), data
}

// reply is the run that goes on with the task that a message answers, and its thread.
func (c *call) reply(ctx context.Context, m message) (thread string, r runs.Request, err error) {
	j, err := c.job(ctx, m.TaskID)
	if err != nil {
		return "", r, err
	}
	if m.ContextID != "" && m.ContextID != j.thread.ID {
		return "", r, fmt.Errorf("contextId is not that of the task: %w", fault.ErrInvalid)
	}
	if s := j.state(); s != inputRequired {
		return "", r, &refusal{
			codeUnsupported, "UNSUPPORTED_OPERATION", "the task is " + string(s) + " and waits for no answer",
		}
	}
	answer, err := answerOf(m.Parts, j.open())
	if err != nil {
		return "", r, err
	}
	return j.thread.ID, runs.Request{
		AssistantID: j.run.AssistantID, Command: &runs.Command{Resume: answer}, Strategy: runs.Reject,
		Metadata: runs.Object{metaTask: j.id},
	}, nil
}

// answerOf is the answer to open questions: the words or the data of the parts, for several an object by their ids.
func answerOf(parts []part, open []runs.Interrupt) (json.RawMessage, error) {
	text, data := content(parts)
	if text != "" && len(data) > 0 || len(data) > 1 {
		return nil, fmt.Errorf("an answer is a text or one part of data: %w", fault.ErrInvalid)
	}
	if len(open) == 1 && len(data) == 0 {
		return json.Marshal(text)
	}
	if len(open) == 1 {
		return data[0], nil
	}
	ids := make([]string, 0, len(open))
	for _, i := range open {
		ids = append(ids, i.ID)
	}
	var byID map[string]json.RawMessage
	if len(data) == 0 || json.Unmarshal(data[0], &byID) != nil || len(byID) == 0 {
		byID = map[string]json.RawMessage{"": nil}
	}
	for id := range byID {
		if !slices.Contains(ids, id) {
			return nil, fmt.Errorf("%d questions are open, so the answer is data by their ids, which are %s: %w",
				len(open), strings.Join(ids, ", "), fault.ErrInvalid)
		}
	}
	return data[0], nil
}
