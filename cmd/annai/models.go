package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"annai/internal/config"
	"annai/internal/setup"
	"annai/llm"
	"annai/llm/langchain"
	"annai/prompts"
	"annai/venue"
)

// openModel returns the language model of the settings, with all that keeps it bearable around it; nil if there is
// none. What is around each is inside that. Nothing is asked.
func openModel(
	c config.Config, now func() time.Time, around func(llm.Model) llm.Model, log *slog.Logger,
) (llm.Model, error) {
	if err := c.CheckModels(); err != nil {
		return nil, err
	}
	var chain []llm.Model
	for _, m := range []config.Model{c.Model, c.FallbackModel} {
		if !m.On() {
			continue
		}
		made, err := bareModel(m)
		if err != nil {
			return nil, err
		}
		chain = append(chain, guarded(around(made), m, now, log))
	}
	switch len(chain) {
	case 0:
		return nil, nil
	case 1:
		return chain[0], nil
	}
	return llm.Fallback(chain...), nil
}

// bareModel returns a model of the settings as it is.
func bareModel(m config.Model) (made llm.Model, err error) {
	opts := langchain.Options{BaseURL: m.Address(), Key: langchain.Key(m.Key), NoTemperature: !m.Temperature}
	switch m.Provider {
	case "anthropic":
		made, err = langchain.Anthropic(m.Name, opts)
	case "google":
		made, err = langchain.Google(m.Name, opts)
	default:
		made, err = langchain.OpenAI(m.Name, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return made, nil
}

func guarded(made llm.Model, m config.Model, now func() time.Time, log *slog.Logger) llm.Model {
	return llm.Guard(made, now, llm.GuardOptions{
		Whole: m.Deadline, First: m.FirstWord, AtOnce: m.Concurrent,
		Breaker: llm.BreakerOptions{Changed: func(model string, open bool) {
			log.Warn("model left alone or asked again", "model", model, "left_alone", open)
		}},
	})
}

// models tries each of the configured models with a small question, worded as a visitor's is.
func (d *doctor) models(ctx context.Context, c config.Config, v *venue.Venue, now func() time.Time) {
	if err := c.CheckModels(); err != nil {
		d.say(false, "model", "%v", err)
		return
	}
	if !c.Model.On() {
		d.note("model", "none: answers are worded by templates alone")
		return
	}
	d.model(ctx, "model", c.Model, v, now)
	if c.FallbackModel.On() {
		d.model(ctx, "fallback", c.FallbackModel, v, now)
	}
}

// patience is how much longer than a visitor the doctor waits, to tell a slow model from one that does not answer.
const patience = 10

func (d *doctor) model(ctx context.Context, part string, m config.Model, v *venue.Venue, now func() time.Time) {
	made, err := bareModel(m)
	if err != nil {
		d.say(false, part, "%v", err)
		return
	}
	first, whole, err := tried(ctx, llm.Deadline(made, patience*m.Deadline, 0), v, now)
	var failure *llm.Failure
	switch {
	case errors.As(err, &failure):
		d.say(false, part, "%s: %s %s (%v)",
			made.Name(), failure.Advice("en"), failure.Advice("ja"), setup.OneLine(err))
	case err != nil:
		d.say(false, part, "%s: %v", made.Name(), setup.OneLine(err))
	case first > m.FirstWord || whole > m.Deadline:
		d.say(false, part, "%s is too slow: its answer began after %s (%s are allowed) and took %s (%s are allowed), so visitors get the templates. モデルの返答が遅すぎるため、定型の回答になります。",
			made.Name(), first.Round(10*time.Millisecond), m.FirstWord, whole.Round(10*time.Millisecond), m.Deadline)
	default:
		d.say(true, part, "%s: began to answer after %s, took %s", made.Name(), first.Round(10*time.Millisecond), whole.Round(10*time.Millisecond))
	}
}

// tried asks a model what a visitor might ask, and returns how long it took until the first word, and in all.
func tried(ctx context.Context, m llm.Model, v *venue.Venue, now func() time.Time) (first, whole time.Duration, err error) {
	began := now()
	evidence := prompts.ModelEvidence{
		Today: began.Format(time.DateOnly), Items: []prompts.ModelItem{{Title: "Wi-Fi", Text: "Free Wi-Fi on all floors. The password is at the desk."}}, Question: "Is there Wi-Fi?",
	}
	request := llm.Request{MaxTokens: 32, Messages: []llm.Message{
		{Role: llm.System, Text: prompts.ModelAnswer{Venue: v.Name.In("en")}.In("en")}, {Role: llm.User, Text: evidence.In("en")},
	}}
	for _, err := range m.Stream(ctx, request) {
		if err != nil {
			return 0, 0, err
		}
		if first == 0 {
			first = now().Sub(began)
		}
	}
	return first, now().Sub(began), nil
}
