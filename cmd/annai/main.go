// Command annai is the concierge: the server for kiosks and avatars, the same in a terminal, and what an operator needs to look after it.
//
// It holds the flags and the wiring and decides nothing: only here is it known which back end is in use.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"annai/internal/config"
	"annai/internal/keyscommand"
)

// The exit codes. They are said in the help.
const (
	exitOK       = 0
	exitFailed   = 1 // something could not be done, or a check failed
	exitUsage    = 2 // the command line can't be understood
	exitStopped  = 130
	exitCodeHelp = `Exit codes: 0 done, 1 it could not be done or a check failed, 2 the command line was not understood, 130 interrupted.`
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// terminal is where a command reads and writes.
type terminal struct {
	in       io.Reader
	out, err io.Writer
}

// errUsage is a command line that can't be understood.
var errUsage = errors.New("usage")

func run(ctx context.Context, args []string, term terminal) int {
	root := &cobra.Command{
		Use:   "annai",
		Short: "A bilingual concierge for kiosks and avatars",
		Long: `annai (案内, "showing the way") answers visitors' questions about events, dates and the place, in Japanese and English,
from calendars and knowledge. It works without a key, a network or a second process.

` + exitCodeHelp,
		SilenceErrors: true, SilenceUsage: true,
		Args: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%w: there is no command %q; see annai --help", errUsage, args[0])
			}
			return cmd.Help()
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetArgs(args)
	root.SetIn(term.in)
	root.SetOut(term.out)
	root.SetErr(term.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fmt.Errorf("%w: %w", errUsage, err) })
	root.AddCommand( //nolint:contextcheck // cobra hands the context of ExecuteContext to the commands
		serveCommand(), askCommand(), chatCommand(), evalCommand(), nluCommand(), graphCommand(), authCommand())
	root.AddCommand(keysCommand(), tasksCommand(), venueCommand(), doctorCommand()) //nolint:contextcheck // see above
	root.AddCommand(emulatorCommand(), ingestCommand(), mcpCommand())               //nolint:contextcheck // see above
	root.AddCommand(backupCommand(), restoreCommand(), versionCommand())            //nolint:contextcheck // see above
	for _, c := range root.Commands() {
		if c.Args == nil {
			c.Args = noArguments
		}
	}
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return exitStopped
	case errors.Is(err, errUsage):
		complain(term, err)
		return exitUsage
	case errors.Is(err, errSilent):
		return exitFailed
	default:
		complain(term, err)
		return exitFailed
	}
}

// errSilent is a failure that was said already.
var errSilent = errors.New("said already")

func complain(term terminal, err error) {
	_, _ = fmt.Fprintf(term.err, "annai: %v\n", err)
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: %s takes no %q; see %s --help", errUsage, cmd.CommandPath(), args[0], cmd.CommandPath())
	}
	return nil
}

// keysCommand makes and revokes keys.
func keysCommand() *cobra.Command {
	return keyscommand.New(keyscommand.Options{
		Program: "annai", Bind: config.Bind, Load: config.Load, Usage: errUsage,
	})
}

// load reads the settings of a command whose flags were bound.
func load(cmd *cobra.Command) (config.Config, error) { return config.Load(cmd.Flags()) }

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "annai %s (%s %s/%s)\n",
				version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// built is the version that make build was made of: a tag, commits since it and the commit.
var built string

// version returns what the build knows of itself: what make build said, else the module's version,
// or the commit.
func version() string {
	if built != "" {
		return built
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "dev"
}
