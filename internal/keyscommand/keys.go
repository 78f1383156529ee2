// Package keyscommand is the command by which keys are made and revoked, for all programs that serve.
package keyscommand

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"annai/fault"
	"annai/internal/config"
	"annai/internal/datafolder"
	"annai/internal/setup"
	"annai/server/door"
	"annai/server/keys"
)

// Options are how the command is part of a program. All are required.
type Options struct {
	// Program is what the program is called: "annai".
	Program string
	// Bind adds the flags of the settings, Load reads them.
	Bind func(flags *pflag.FlagSet)
	Load func(flags *pflag.FlagSet) (config.Config, error)
	// Usage is the error of a command line that can't be understood.
	Usage error
}

// New returns the command.
func New(opts Options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "keys", Short: "Make keys for front ends and people, list, rotate and revoke them",
		Long: `Make keys for front ends and people, list, rotate and revoke them. They are kept in the data folder,
or with --postgres there, for all servers, as hashes: a key is shown once, when it is made. A running
server takes changes over within seconds; only the first key for an owner needs a new start of it.
docs/keys.md says what each role may do.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(opts.addKeyCommand(), opts.listKeysCommand(), opts.rotateKeyCommand(), opts.revokeKeyCommand())
	for _, c := range cmd.Commands() {
		if c.Args == nil {
			c.Args = opts.noArguments
		}
		opts.Bind(c.Flags())
	}
	return cmd
}

func (o Options) noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: %s takes no %q; see %s --help", o.Usage, cmd.CommandPath(), args[0], cmd.CommandPath())
	}
	return nil
}

// withKeys opens where keys are kept, for what do does.
func (o Options) withKeys(
	cmd *cobra.Command, do func(c config.Config, store keys.Store, now time.Time) error,
) (err error) {
	c, err := o.Load(cmd.Flags())
	if err != nil {
		return err
	}
	if c.Data == "" && c.Postgres == "" {
		const how = "keys need a folder to be kept in: " +
			"add --data DIR (ANNAI_DATA), or --postgres, the same as for %s serve: %w"
		return fmt.Errorf(how, o.Program, fault.ErrInvalid)
	}
	if c.Data != "" {
		release, err := datafolder.Use(c.Data)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	store, err := setup.OpenKeyStore(cmd.Context(), c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(c, store.Store, setup.Clock(c.Now)())
}

// auditKey keeps what was done to a key.
func auditKey(cmd *cobra.Command, c config.Config, act, name string) error {
	return setup.AuditCommand(c, act, map[string]string{"key": name}, setup.Logger(c, cmd.ErrOrStderr()))
}

func (o Options) addKeyCommand() *cobra.Command {
	var role, rate, expires string
	var n keys.New
	cmd := &cobra.Command{
		Use: "add", Short: "Make a key and print it, once",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if n.Role, err = keys.RoleOf(role); err != nil {
				return fmt.Errorf("--role: %w", err)
			}
			if rate != "" {
				r, err := config.ParseRate(rate)
				if err != nil {
					return fmt.Errorf("--rate: %w: %w", err, fault.ErrInvalid)
				}
				n.Rate = door.Rate(r)
			}
			return o.withKeys(cmd, func(c config.Config, store keys.Store, now time.Time) error {
				if n.Expires, err = expiry(expires, now); err != nil {
					return err
				}
				return addKey(cmd, c, store, n, now)
			})
		},
	}
	cmd.Flags().StringVar(&role, "role", "", "what the key is for: ask, owner or admin")
	cmd.Flags().StringVar(&n.Name, "name", "", "name that the key is known by, such as kiosk-1")
	cmd.Flags().StringVar(&n.Owner, "owner", "", "for --role owner: whose calendars, as the venue file names them")
	cmd.Flags().StringVar(&rate, "rate", "", "how often may be asked with it, such as 600/min (as with its role)")
	cmd.Flags().StringVar(&expires, "expires", "", expiresUsage)
	return cmd
}

const expiresUsage = "when it is worth nothing any more: 720h from now, 2027-03-31 or a time in RFC 3339 (never)"

func addKey(cmd *cobra.Command, c config.Config, store keys.Store, n keys.New, now time.Time) error {
	before, err := store.List(cmd.Context())
	if err != nil {
		return err
	}
	key, err := keys.Add(cmd.Context(), store, n, now)
	if err != nil {
		return err
	}
	note := ""
	if n.Role == door.Owner && !slices.ContainsFunc(before, func(k keys.Key) bool { return k.Role == door.Owner }) {
		note = firstOwner
	}
	_, err = fmt.Fprintf(
		cmd.OutOrStdout(), "Key %s (%s), which is not shown again:\n\n%s\n%s", n.Name, keys.WordOf(n.Role), key, note,
	)
	return errors.Join(err, auditKey(cmd, c, "keys add", n.Name))
}

// expiry reads when a key expires; the zero time is never. A day is the beginning of it, here.
func expiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(d), nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, text, time.Local)
	if err != nil {
		const says = "--expires: %q is none of 720h, 2027-03-31 and a time in RFC 3339: %w"
		return at, fmt.Errorf(says, text, fault.ErrInvalid)
	}
	return at, nil
}

// firstOwner is said when there is a key for the owner for the first time: which calendars are open is settled
// when a server starts.
const firstOwner = `
This is the first key for an owner. A server that runs already takes the key within seconds, but has
not opened the owner's calendars: start it anew, unless it has an owner-key in its settings.
`

func (o Options) listKeysCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the keys that were made",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.withKeys(cmd, func(_ config.Config, store keys.Store, _ time.Time) error {
				all, err := store.List(cmd.Context())
				if err != nil {
					return err
				}
				used, err := store.Used(cmd.Context())
				if err != nil {
					return err
				}
				return writeKeys(cmd.OutOrStdout(), all, used)
			})
		},
	}
}

func writeKeys(out io.Writer, all []keys.Key, used map[string]time.Time) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "There are no keys.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	// Flush says what went wrong.
	_, _ = fmt.Fprintln(table, "NAME\tROLE\tOWNER\tCREATED\tRATE\tEXPIRES\tLAST USED\tREVOKED")
	for _, k := range all {
		cells := []string{
			k.Name, keys.WordOf(k.Role), k.Owner, written(k.Created), config.Rate(k.Rate).String(),
			written(k.Expires), written(used[k.Name]), written(k.Revoked),
		}
		_, _ = fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

// written is a time in a table; the zero time is nothing.
func written(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.RFC3339)
}

// oneKey wants the name of a key.
func (o Options) oneKey(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%w: %s which key? Say its name; see %s keys list", o.Usage, cmd.Name(), o.Program)
	}
	return nil
}

func (o Options) rotateKeyCommand() *cobra.Command {
	var overlap time.Duration
	var expires string
	cmd := &cobra.Command{
		Use:   "rotate NAME",
		Short: "Make another key of that name and print it, once; the old one is good for the overlap",
		Args:  o.oneKey,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.withKeys(cmd, func(c config.Config, store keys.Store, now time.Time) error {
				until, err := expiry(expires, now)
				if err != nil {
					return err
				}
				key, err := keys.Rotate(cmd.Context(), store, args[0], overlap, until, now)
				if err != nil {
					return err
				}
				old := "The one before is worth nothing within seconds."
				if overlap > 0 {
					old = "The one before is good until " + now.Add(overlap).UTC().Format(time.RFC3339) + "."
				}
				_, err = fmt.Fprintf(
					cmd.OutOrStdout(), "Key %s, which is not shown again:\n\n%s\n\n%s\n", args[0], key, old,
				)
				return errors.Join(err, auditKey(cmd, c, "keys rotate", args[0]))
			})
		},
	}
	cmd.Flags().DurationVar(&overlap, "overlap", 24*time.Hour, "how long the one before is good; 0 if it got out")
	cmd.Flags().StringVar(&expires, "expires", "", expiresUsage)
	return cmd
}

func (o Options) revokeKeyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke NAME", Short: "Make a key worth nothing",
		Args: o.oneKey,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.withKeys(cmd, func(c config.Config, store keys.Store, now time.Time) error {
				if err := keys.Revoke(cmd.Context(), store, args[0], now); err != nil {
					return err
				}
				_, err := fmt.Fprintf(
					cmd.OutOrStdout(), "Revoked: %s. A running server refuses it within seconds.\n", args[0],
				)
				return errors.Join(err, auditKey(cmd, c, "keys revoke", args[0]))
			})
		},
	}
}
