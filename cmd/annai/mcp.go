package main

import (
	"errors"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"annai/internal/config"
	"annai/internal/setup"
	"annai/rag"
	"annai/server/mcp"
)

func mcpCommand() *cobra.Command {
	var owner bool
	var language string
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve one client of the Model Context Protocol over standard input and output",
		Long: "Serve one client of the Model Context Protocol over standard input and output, as its configuration starts it.\n" +
			"A running server has the same at /mcp. Only log lines go to standard error.\n\n" + exitCodeHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if language != "ja" && language != "en" {
				return errors.Join(errUsage, errors.New("--language is ja or en"))
			}
			c, err := load(cmd)
			if err != nil {
				return err
			}
			log := setup.Logger(c, cmd.ErrOrStderr())
			audit, err := setup.Audit(c, cmd.ErrOrStderr(), log)
			if err != nil {
				return err
			}
			defer func() { _ = audit.Close() }() // what was written is written
			user := setup.Username()
			w := wants{owner: owner, observe: auditTools(audit, user), wrote: auditTalk(audit, user)}
			a, err := w.traced(cmd.Context(), c, log)
			if err != nil {
				return err
			}
			defer watching(cmd.Context(), a, log)()
			s, err := newMCP(a, a.concierge, c, log)
			if err != nil {
				return errors.Join(err, a.close())
			}
			err = s.Stdio(cmd.Context(), io.NopCloser(cmd.InOrStdin()), unclosed{cmd.OutOrStdout()}, owner, language)
			return errors.Join(err, a.close())
		},
	}
	config.Bind(cmd.Flags())
	cmd.Flags().BoolVar(&owner, "owner", false, "the client is the owner's: it may read and write the owner's calendars")
	cmd.Flags().StringVar(&language, "language", "en", "language of descriptions and messages: ja or en")
	return cmd
}

// newMCP makes the door for clients of the Model Context Protocol.
func newMCP(a *assembly, concierge mcp.Concierge, c config.Config, log *slog.Logger) (*mcp.Server, error) {
	return mcp.New(mcp.Parts{
		Venue: a.venue, Concierge: concierge, Tools: a.tools, Now: a.now,
		Passages: func() []mcp.Passage { return quotable(a.passages()) },
	}, mcp.Options{Version: version(), ClientConfirms: c.MCPConfirm == "client", Log: log})
}

// unclosed is an output that is not the protocol's to close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// quotable are passages as clients quote them.
func quotable(known []rag.Passage) []mcp.Passage {
	passages := make([]mcp.Passage, len(known))
	for i, p := range known {
		passages[i] = mcp.Passage{
			ID: p.ID, Title: p.Title, Text: p.Text, Lang: p.Lang, Category: p.Category, Source: p.Source,
			UpdatedAt: p.UpdatedAt, ValidFrom: p.ValidFrom, ValidUntil: p.ValidUntil,
		}
	}
	return passages
}
