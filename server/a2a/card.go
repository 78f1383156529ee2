package a2a

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"annai/runs"
	"annai/server/door"
)

// An Agent is what an agent card says of an assistant.
type Agent struct {
	Name, Description string
	Skills            []Skill
}

// A Skill is something that an agent can do. All but Examples are required.
type Skill struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Examples    []string `json:"examples,omitempty"`
}

// card is GET /.well-known/agent-card.json, with ?assistant_id= for another than the default. It is a card of both
// versions of the protocol at once: each reads its own fields.
func (a *handlers) card(c *gin.Context) error {
	id, place := a.opts.Assistant, path
	if other := c.Query("assistant_id"); other != "" {
		id, place = other, path+"/"+url.PathEscape(other)
	}
	assistant, err := a.runs.Assistant(c.Request.Context(), id)
	if err != nil {
		return err
	}
	agent := a.agentOf(assistant)
	address := origin(c.Request) + place
	modes := []string{"text/plain", "application/json"}
	card := gin.H{
		"name": agent.Name, "description": agent.Description, "version": a.opts.Version, "skills": agent.Skills,
		"defaultInputModes": modes, "defaultOutputModes": modes,
		"capabilities": gin.H{"streaming": true, "pushNotifications": false},
		"supportedInterfaces": []gin.H{
			{"url": address, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
			{"url": address, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
		},
		"protocolVersion": "0.3.0", "url": address, "preferredTransport": "JSONRPC",
		"securitySchemes": gin.H{"key": gin.H{
			"type": "http", "scheme": "bearer", "httpAuthSecurityScheme": gin.H{"scheme": "bearer"},
		}},
	}
	if who := door.CallerOf(c); who.Key != "" || !who.Is(door.Visitor) {
		card["security"] = []gin.H{{"key": []string{}}}
		card["securityRequirements"] = []gin.H{{"schemes": gin.H{"key": gin.H{"list": []string{}}}}}
	}
	body, err := encode(card)
	if err != nil {
		return err
	}
	c.Header("Cache-Control", "no-cache")
	c.Data(http.StatusOK, "application/json", body)
	return nil
}

// agentOf is what is said of an assistant.
func (a *handlers) agentOf(assistant runs.Assistant) Agent {
	if agent, ok := a.opts.Agents[assistant.GraphID]; ok && assistant.ID == runs.AssistantID(assistant.GraphID) {
		return agent
	}
	agent := Agent{Name: assistant.Name, Description: assistant.Name}
	if assistant.Description != nil {
		agent.Description = *assistant.Description
	}
	agent.Skills = []Skill{{
		ID: assistant.GraphID, Name: agent.Name, Description: agent.Description, Tags: []string{assistant.GraphID},
	}}
	return agent
}

// origin is where the server is reached, as the client did: by the name that it asked for.
func origin(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
