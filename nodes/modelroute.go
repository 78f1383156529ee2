package nodes

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"annai/api"
	"annai/internal/text"
	"annai/llm"
	"annai/nlu"
	"annai/nodes/owner"
	"annai/nodes/wording"
	"annai/prompts"
)

// sureOfAgent is how sure rules and classifier must be of where an utterance leads for no model to
// be asked.
const sureOfAgent = 0.65

// routeShare is the part of a turn's time in which a model must say where an utterance leads.
const routeShare = 0.25

// routeOther is the word for what leads nowhere.
const routeOther = "other"

// askWhere asks the model where an utterance leads that neither rules nor the classifier are sure
// of. It only chooses among the nodes; what they find is not its business. Whatever goes wrong, the
// route stays as it is.
func (c *Concierge) askWhere(ctx context.Context, s State, r route) route {
	if c.parts.Model == nil || !c.unsure(s, r) {
		return r
	}
	words := []string{nodeEvent, nodeInfo, nodeDate}
	owner := s.Turn.Owner && c.parts.Agenda != nil
	if owner {
		words = append(words, nodeCalendar)
	}
	use := &api.ModelUse{Name: c.parts.Model.Name(), Did: didRouting}
	began := c.opts.Now()
	word, name, err := c.oneWord(ctx, s, append(words, routeOther), owner)
	if name != "" {
		use.Name = name
	}
	if err != nil {
		use.Fallback = wording.FailureOf(err)
		if ctx.Err() == nil {
			c.opts.Log.LogAttrs(ctx, slog.LevelWarn, "model failed", slog.String("model", use.Name), slog.Any("err", err))
		}
	}
	if slices.Contains(words, word) && word != r.Node {
		r = c.leadsTo(s, r, word)
	}
	r.Model, r.ModelMS = use, milliseconds(c.opts.Now().Sub(began))
	return r
}

// unsure reports whether nobody knows what an utterance is about: the rules do not, or are
// outweighed, and the classifier hesitates.
func (c *Concierge) unsure(s State, r route) bool {
	u := s.Understanding
	switch {
	case r.By == bySafety, r.Inherited, s.Asked.Done, r.Node == nodeClarify, !hasLetters(u.Text), nlu.BareNumber(u.Text) != 0:
		return false
	case r.Node == nodeCalendar && (!s.Turn.Owner || r.Calendar.Do == owner.DoWrite || c.parts.Agenda == nil):
		return false
	}
	if _, invalid := invalidDate(u); invalid {
		return false
	}
	switch u.Intent {
	case nlu.Unclear:
		return r.Node == nodeRespond || u.AgentConfidence < sureOfAgent
	case nlu.Event, nlu.Calendar, nlu.DateCalc, nlu.Info:
		return u.AgentConfidence < sureOfAgent
	case nlu.Greeting, nlu.Thanks, nlu.Farewell, nlu.Identity, nlu.SmallTalk, nlu.CallStaff, nlu.Safety, nlu.Affirm, nlu.Deny, nlu.OutOfScope:
	}
	return false
}

// oneWord asks for one of the words.
func (c *Concierge) oneWord(ctx context.Context, s State, words []string, owner bool) (word, model string, err error) {
	limited, cancel := c.budget(ctx, routeShare)
	defer cancel()
	lang := string(s.Understanding.Language)
	answer, err := llm.Collect(c.parts.Model.Stream(limited, llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: prompts.ModelRoute{Venue: c.parts.Venue.Name.In(lang), Owner: owner}.In(lang)},
			{Role: llm.User, Text: prompts.ModelAsked{Today: c.nowWords(s), Question: text.OneLine(s.Understanding.Text, maxAsked)}.In(lang)},
		},
		Schema: routeSchema(words), MaxTokens: maxRouteTokens,
	}))
	if err != nil {
		return "", "", err //nolint:wrapcheck // llm says what it did
	}
	var chosen struct {
		Route string `json:"route"`
	}
	if err := answer.Decode(&chosen); err != nil {
		return "", answer.End.Model, err //nolint:wrapcheck // llm says what it did
	}
	return chosen.Route, answer.End.Model, nil
}

const maxRouteTokens = 24

// routeSchema is the schema of an answer that is one of the words.
func routeSchema(words []string) json.RawMessage {
	type property struct {
		Type string   `json:"type"`
		Enum []string `json:"enum"`
	}
	schema, _ := json.Marshal(struct { // strings always encode
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
		Additional bool                `json:"additionalProperties"`
	}{"object", map[string]property{"route": {"string", words}}, []string{"route"}, false})
	return schema
}

// leadsTo is the route to a node, for an utterance that the rules would have led elsewhere.
func (c *Concierge) leadsTo(s State, was route, node string) route {
	now := s.Turn.At.In(c.location(s.Turn))
	r := route{Node: node, By: byModel, Reason: "chosen by the model", Confidence: was.Confidence, Title: was.Title, MS: was.MS}
	switch node {
	case nodeEvent:
		r.Event = c.eventWishOf(s.Understanding, now, was.Title)
	case nodeDate:
		r.Date = dateWishOf(s.Understanding, now, "")
	case nodeCalendar:
		r.Calendar = owner.RequestOf(s.Understanding, now)
	default:
		r = c.aboutVenue(s, now, r)
	}
	return r
}
