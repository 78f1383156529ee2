package places

import (
	"context"
	"embed"
	"errors"
	"time"

	"annai/fault"
	"annai/tools"
)

//go:embed descriptions
var descriptions embed.FS

// Input is that of places_resolve.
type Input struct {
	Query      string `json:"query" jsonschema:"A name or an address: 天神駅, \"123 Main St, San Francisco\"."`
	RegionCode string `json:"regionCode,omitempty" jsonschema:"Only in this country (ISO 3166-1): JP, US."`
	// Candidates asks for an [Unresolved] where the answer would be null.
	Candidates bool `json:"candidates,omitempty" jsonschema:"Say which places it may be, instead of null."`
}

// Register adds places_resolve, which everybody may call. service is asked for what is no place of the
// venue; nil: the list inside the program is. Where it fails, that list answers.
func Register(r *tools.Registry, e *Embedded, service Resolver) error {
	words, err := tools.Descriptions(descriptions, "places_resolve")
	if err != nil {
		return err
	}
	t := tool{embedded: e, service: service}
	backEnd := "the venue's places and an embedded list"
	if service != nil {
		backEnd = "Google Places"
	}
	return tools.Add(r, tools.Tool[Input, Answer]{
		Spec: tools.Spec{
			Name: "places_resolve", Description: words, Class: tools.Read,
			Roles:   []tools.Role{tools.Visitor, tools.Owner, tools.Operator},
			Timeout: 5 * time.Second, Retries: 1, TTL: 24 * time.Hour, BackEnd: backEnd,
		},
		Do: t.resolve, Degraded: degraded,
	})
}

type tool struct {
	embedded *Embedded
	service  Resolver
}

func (t tool) resolve(ctx context.Context, caller tools.Caller, in Input) (Answer, error) {
	q, err := Query{Text: in.Query, Region: in.RegionCode, Language: caller.Language}.check()
	if err != nil {
		return Answer{}, err
	}
	if found, ok := t.embedded.Own(q); ok {
		return answer(found, q, backendEmbedded, in.Candidates), nil
	}
	if t.service != nil {
		found, err := t.service.Resolve(ctx, q)
		if err == nil {
			return answer(found, q, BackendGoogle, in.Candidates), nil
		}
		listed, listErr := t.embedded.listed(q)
		instead := answer(listed, q, backendEmbedded, in.Candidates)
		return Answer{}, &tools.Instead[Answer]{Err: errors.Join(err, listErr), Answer: instead}
	}
	found, err := t.embedded.listed(q)
	return answer(found, q, backendEmbedded, in.Candidates), err
}

// degraded is null, as the contract of the tool wants. What is wrong with the input stays an error.
func degraded(_ tools.Caller, err error) (Answer, bool) {
	return Answer{}, !errors.Is(err, fault.ErrInvalid)
}
