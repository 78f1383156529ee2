package mcp

import (
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"annai/internal/text"
	"annai/prompts"
)

// The names of prompts and of what they want.
const (
	promptWhatsOn = "whats_on"
	promptVisit   = "plan_visit"

	argumentWhen     = "when"
	argumentAbout    = "about"
	argumentLanguage = "language"
)

// choices are what arguments of prompts may be completed to.
var choices = map[string][]string{
	argumentWhen: {
		"今日", "明日", "今週", "今週末", "来週", "今月", "来月",
		"today", "tomorrow", "this week", "this weekend", "next week", "this month", "next month",
	},
	argumentLanguage: {"ja", "en"},
}

// addPrompts offers ready-made requests for what people ask most.
func (s *Server) addPrompts(server *sdk.Server, who identity) {
	s.addPrompt(server, who, promptWhatsOn, func(a map[string]string, lang string) prompts.Prompt {
		return prompts.ClientWhatsOn{Venue: s.parts.Venue.Name.In(lang), When: text.OneLine(a[argumentWhen], maxField)}
	}, argumentWhen)
	s.addPrompt(server, who, promptVisit, func(a map[string]string, lang string) prompts.Prompt {
		return prompts.ClientVisit{
			Venue: s.parts.Venue.Name.In(lang),
			When:  text.OneLine(a[argumentWhen], maxField), About: text.OneLine(a[argumentAbout], maxField),
		}
	}, argumentWhen, argumentAbout)
}

func (s *Server) addPrompt(server *sdk.Server, who identity, name string, fill func(a map[string]string, lang string) prompts.Prompt, arguments ...string) {
	words := func(part string) string { return prompts.ClientLabel{Name: part}.In(who.language) }
	p := &sdk.Prompt{Name: name, Title: words(name), Description: words(name + "_description")}
	for _, a := range append(arguments, argumentLanguage) {
		p.Arguments = append(p.Arguments, &sdk.PromptArgument{Name: a, Description: words(a)})
	}
	server.AddPrompt(p, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		lang := who.language
		if asked := req.Params.Arguments[argumentLanguage]; asked == "ja" || asked == "en" {
			lang = asked
		}
		return &sdk.GetPromptResult{
			Description: p.Description,
			Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: fill(req.Params.Arguments, lang).In(lang)}}},
		}, nil
	})
}

// complete proposes how an argument of a prompt may go on.
func complete(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values := slices.DeleteFunc(slices.Clone(choices[req.Params.Argument.Name]), func(v string) bool {
		return !strings.HasPrefix(v, strings.ToLower(req.Params.Argument.Value))
	})
	if values == nil {
		values = []string{}
	}
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
