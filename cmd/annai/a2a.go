package main

import (
	"annai/internal/config"
	"annai/internal/setup"
	"annai/runs"
	"annai/server/a2a"
	"annai/server/door"
)

// newA2A makes the door for agents, over the same threads and runs as LangGraph's. The concierge is who is asked.
func newA2A(a *assembly, c config.Config, service *runs.Service) door.Door {
	name := a.venue.Name.In("en")
	return a2a.New(service, a2a.Options{
		Assistant: assistantID, Version: version(), Visitors: setup.Limits(c, c.SessionIdle), MaxBody: c.Runs.MaxBody,
		Agents: map[string]a2a.Agent{assistantID: {
			Name: name,
			Description: "The concierge of " + name + ", in Japanese and English: opening hours, rooms, rules, " +
				"events, and for who may, their own calendar.",
			Skills: []a2a.Skill{{
				ID: "venue", Name: "About the venue", Tags: []string{"facility", "opening hours", "rules", "access"},
				Description: "Answers from what the venue says of itself; where it says nothing, that is the answer.",
				Examples:    []string{"When do you open?", "Wi-Fiは使えますか？"},
			}, {
				ID: "events", Name: "Events", Tags: []string{"events", "calendar"},
				Description: "Finds events by day, time and subject.",
				Examples:    []string{"What is on this weekend?", "今日のイベントを教えて"},
			}, {
				ID: "calendar", Name: "The owner's calendar", Tags: []string{"calendar", "scheduling", "tasks"},
				Description: "With an owner's key: reads and, after a yes, writes entries and tasks. " +
					"What would be written is told as input-required.",
				Examples: []string{"Am I free tomorrow at 3?", "明日の15時に打ち合わせを入れて"},
			}},
		}},
	})
}
