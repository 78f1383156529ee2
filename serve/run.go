package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"annai/fault"
	"annai/graph"
	"annai/internal/config"
	"annai/internal/keyscommand"
	"annai/internal/setup"
	"annai/runs"
	"annai/server/httpd"
	"annai/storage/mem"
)

// errUsage is a command line that can't be understood.
var errUsage = errors.New("usage")

func programOf(args []string) string {
	if len(args) == 0 || args[0] == "" {
		return "serve"
	}
	return filepath.Base(args[0])
}

// version is that of the program's module.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "dev"
}

func (o Options) run(ctx context.Context, args []string, out, errs io.Writer, graphs []Source) error {
	program := programOf(args)
	if len(args) > 1 && args[1] == "keys" {
		return keys(ctx, program, args[2:], out, errs)
	}
	flags := pflag.NewFlagSet(program, pflag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {}
	config.BindGraphs(flags)
	err := flags.Parse(args[min(1, len(args)):])
	switch {
	case errors.Is(err, pflag.ErrHelp):
		_, err := fmt.Fprintf(out, usage, program, config.HelpGraphs())
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	c, err := config.LoadGraphs(flags)
	if err != nil {
		return err
	}
	if len(graphs) == 0 {
		return fmt.Errorf("serve needs a graph: %w", fault.ErrInvalid)
	}
	switch command := flags.Arg(0); command {
	case "", "serve":
		if flags.NArg() > 1 {
			return fmt.Errorf("%w: serve takes no %q", errUsage, flags.Arg(1))
		}
		return o.serve(ctx, c, program, out, errs, graphs)
	case "graph":
		return draw(out, flags.Args()[1:], graphs)
	default:
		return fmt.Errorf("%w: there is no command %q; see %s --help", errUsage, command, program)
	}
}

const usage = `%[1]s serves graphs.

  %[1]s [serve]      serve them, until told to stop
  %[1]s graph NAME   print a graph as Mermaid draws it
  %[1]s keys         make keys for programs and people, list, rotate and revoke them

%[2]s`

// keys makes and revokes keys.
func keys(ctx context.Context, program string, args []string, out, errs io.Writer) error {
	cmd := keyscommand.New(keyscommand.Options{
		Program: program, Bind: config.BindGraphs, Load: config.LoadGraphs, Usage: errUsage,
	})
	root := &cobra.Command{Use: program, SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(cmd)
	root.SetArgs(append([]string{"keys"}, args...))
	root.SetOut(out)
	root.SetErr(errs)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fmt.Errorf("%w: %w", errUsage, err) })
	return root.ExecuteContext(ctx)
}

// draw prints a graph.
func draw(out io.Writer, names []string, graphs []Source) error {
	made, err := makeAll(graphs, mem.New(), setup.Clock(config.Config{}.Now), nil)
	if err != nil {
		return err
	}
	if len(names) == 0 && len(made) == 1 {
		names = []string{made[0].ID()}
	}
	for _, g := range made {
		if len(names) == 1 && g.ID() == names[0] {
			_, err := io.WriteString(out, g.Drawing().Mermaid())
			return err
		}
	}
	return fmt.Errorf("%w: graph takes the name of one of %d graphs", errUsage, len(graphs))
}

func (o Options) serve(
	ctx context.Context, c config.Config, program string, out, errs io.Writer, graphs []Source,
) (err error) {
	log := setup.Logger(c, errs)
	setup.LimitMemory(log)
	ring, kept, err := setup.Keys(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	if err := c.CheckListen(ring.Any()); err != nil {
		return err
	}
	if c.Insecure && !ring.Any() {
		log.Warn("everybody who reaches this server may ask and operate: there are no keys", "listen", c.Listen)
	}
	audit, err := setup.Audit(c, out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, audit.Close()) }()
	release, err := setup.Folder(c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	now := setup.Clock(c.Now)
	heard := setup.NewTelemetry(c, program, version(), now, log)
	defer func() { err = errors.Join(err, heard.Close()) }()
	service, err := setup.OpenService(ctx, c, now, log, func(threads graph.Checkpointer) ([]runs.Graph, error) {
		return makeAll(graphs, threads, now, heard.Callbacks)
	}, setup.ServiceOptions{Program: program + "/" + version(), Meaning: o.Meaning})
	if err != nil {
		return err
	}
	doors, err := doorsOf(ctx, c, program, service.Service, graphs, log)
	if err != nil {
		return errors.Join(err, service.Close())
	}
	listener, err := setup.Listen(ctx, c)
	if err != nil {
		return errors.Join(err, service.Close())
	}
	stop := service.Begin(ctx)
	defer func() { err = errors.Join(err, stop()) }()
	figures := httpd.NewFigures()
	setup.ReadRuns(figures, service.Service)
	heard.Tell(figures)
	s := httpd.New(httpd.Parts{ //nolint:contextcheck // handlers have the contexts of their requests
		Doors: doors, Keys: ring, Audit: audit, Figures: figures, Now: now,
		Checks: map[string]func(context.Context) error{"runs": service.Check},
	}, setup.HTTP(c, version(), log))
	if err := greet(out, program, config.LocalURL(listener.Addr().String()), graphs); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer setup.ForgetAudit(ctx, audit, log)()
	return s.Serve(ctx, listener)
}

// greet says where the server is, and a line to try.
func greet(out io.Writer, program, url string, graphs []Source) error {
	_, err := fmt.Fprintf(out, `%s is ready
  page   %s/
  API    curl -s %s/runs/wait -H 'Content-Type: application/json' -d '{"assistant_id": "%s", "input": {}}'
`, program, url, url, graphs[0].Name)
	return err
}
