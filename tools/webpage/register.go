package webpage

import (
	"context"
	"embed"
	"errors"
	"time"

	"annai/internal/outbound"
	"annai/tools"
)

//go:embed descriptions
var descriptions embed.FS

// Limits of the tool, those of the specification; an answer is given again for a short while, so
// that a site is not asked twice.
const (
	timeout = 10 * time.Second
	kept    = 5 * time.Minute
)

// NewClient returns what asks for pages: on the internet only, on the ports of the web, by the name
// userAgent.
func NewClient(userAgent string) (*outbound.Client, error) {
	return outbound.New(outbound.Options{UserAgent: userAgent, Timeout: fetchTime})
}

// Register adds url_expand, which everybody may call.
func Register(r *tools.Registry, reader *Reader) error {
	words, err := tools.Descriptions(descriptions, "url_expand")
	if err != nil {
		return err
	}
	return tools.Add(r, tools.Tool[Request, Expansion]{
		Spec: tools.Spec{
			Name: "url_expand", Description: words, Class: tools.Read, Roles: []tools.Role{
				tools.Visitor,
				tools.Owner, tools.Operator,
			},
			Timeout: timeout, Retries: 1, TTL: kept, BackEnd: "embedded",
		},
		Do: func(ctx context.Context, _ tools.Caller, in Request) (Expansion, error) {
			return reader.Expand(ctx,
				in.URL)
		},
		Degraded: func(caller tools.Caller, err error) (Expansion, bool) {
			var f *Failure
			if !errors.As(err, &f) || f.Reason == noAddress {
				return Expansion{}, false
			}
			return Expansion{
				URL: f.Address, Backend: "embedded", Degraded: true, Reason: f.Reason,
				Error: f.Message(caller.Language),
			}, true
		},
		Retry: func(err error) (time.Duration, bool) {
			var f *Failure
			return 0, errors.As(err, &f) && f.Temporary()
		},
	})
}
