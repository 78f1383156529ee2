package evals

import (
	"slices"
	"strings"
	"time"

	"annai/api"
	"annai/dialog"
)

// agents says which category goes with which agent.
var agents = map[string]string{"EventAgent": "events", "CalendarAgent": "calendar", "DateAgent": "dates", "InfoAgent": "info"}

// always returns what is wrong with an answer whatever was asked: the rules that hold for all of them.
func always(r api.QueryResponse) failures {
	var f failures
	alwaysFace(&f, r)
	alwaysMetadata(&f, r)
	alwaysSources(&f, r.Metadata)
	if t := r.Metadata.TimeRange; t != nil {
		start, err := time.Parse(time.RFC3339, t.Start)
		end, err2 := time.Parse(time.RFC3339, t.End)
		if err != nil || err2 != nil || !start.Before(end) {
			f.add("timeRange from %q to %q is no range of times with offsets", t.Start, t.End)
		}
		if !slices.Contains(rangeNames, t.Name) {
			f.add("timeRange.name = %q, which is none of the ranges", t.Name)
		}
	}
	if r.SessionID == "" || r.RunID == "" {
		f.add("sessionId = %q, runId = %q, want both", r.SessionID, r.RunID)
	}
	return f
}

// tagOf returns the tag that a text begins with, or "".
func tagOf(text string) string {
	if !strings.HasPrefix(text, "[") {
		return ""
	}
	return text[:strings.IndexByte(text, ']')+1]
}

// alwaysFace: one tag, at the beginning, which is that of the emotion and of the face; nothing else that an avatar takes for one.
func alwaysFace(f *failures, r api.QueryResponse) {
	tag := tagOf(r.Text)
	known := false
	for _, e := range dialog.Emotions().Emotions {
		if e.Emotion == r.Emotion {
			known = true
			f.same("tag", tag, e.Tag)
			f.same("vrm.expression", r.VRM.Expression, e.Expression)
		}
	}
	if !known {
		f.add("emotion = %q, which is none of those that are published", r.Emotion)
	}
	body := strings.TrimPrefix(r.Text, tag)
	if strings.ContainsAny(body, "[]［］") {
		f.add("text has a bracket after its tag")
	}
	if strings.TrimSpace(body) == "" {
		f.add("text says nothing")
	}
	if len(r.Speech) == 0 {
		f.add("speech is empty")
	}
	for _, s := range r.Speech {
		if s.Text == "" || strings.ContainsAny(s.Text, "[]［］") {
			f.add("speech has the sentence %q", s.Text)
		}
		f.same("emotion of a sentence", s.Emotion, r.VRM.Expression)
	}
}

// alwaysMetadata: what is said twice is the same, and agent and category go together.
func alwaysMetadata(f *failures, r api.QueryResponse) {
	m := r.Metadata
	f.same("metadata.agentName", m.AgentName, r.AgentName)
	f.same("metadata.language", m.Language, r.Language)
	category, ok := agents[r.AgentName]
	if !ok {
		f.add("agentName = %q, which is none of the agents", r.AgentName)
	}
	f.same("category of "+r.AgentName, m.Category, category)
	if r.Language != "ja" && r.Language != "en" {
		f.add("language = %q", r.Language)
	}
	if m.ProcessingInfo.EnhancedRAG {
		f.add("enhancedRag = true")
	}
	if m.Confidence < 0 || m.Confidence > 1 {
		f.add("confidence = %g, not in 0..1", m.Confidence)
	}
}

// alwaysSources: sources are those that contributed, so their status is ok; a status is one of the four.
func alwaysSources(f *failures, m api.Metadata) {
	if m.Sources == nil {
		f.add("sources is null, want a list")
	}
	for _, s := range m.Sources {
		if m.SourceStatus[s] != "ok" {
			f.add("sources has %q, whose sourceStatus is %q", s, m.SourceStatus[s])
		}
	}
	for _, s := range sourceNames {
		if !slices.Contains(statuses, m.SourceStatus[s]) {
			f.add("sourceStatus.%s = %q", s, m.SourceStatus[s])
		}
	}
}
