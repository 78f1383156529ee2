package mcp

import (
	"context"
	"io"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestStdio serves an owner's client over pipes until the client goes away.
func TestStdio(t *testing.T) {
	f := newFixture(t, Options{})
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- f.Stdio(context.WithoutCancel(t.Context()), fromClient, toClient, true, "en") }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
	})
	s, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	must(t, err)
	if got := textOf(call(t, s, "write", note{"buy milk"})); got != `{"text":"buy milk"}` || len(f.written) != 1 {
		t.Errorf("write = %q, written %q", got, f.written)
	}
	must(t, s.Close())
	must(t, toServer.Close())
	if err := <-ended; err != nil {
		t.Errorf("Stdio = %v, want nil at the end of its input", err)
	}
}
