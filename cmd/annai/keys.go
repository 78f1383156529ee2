package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"annai/internal/config"
	"annai/internal/fault"
	"annai/server/door"
	"annai/server/keys"
)

// openKeys returns the keys of the settings and those of the data folder.
func openKeys(c config.Config) (*keys.Ring, error) {
	if err := checkKeyFile(c); err != nil {
		return nil, err
	}
	settings := keys.Settings{Ask: string(c.Access.AskKey), Owner: string(c.OwnerKey), Admin: string(c.Access.AdminKey)}
	ring, err := keys.NewRing(settings, keys.In(c.Data))
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	return ring, nil
}

func keysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "keys", Short: "Make keys for front ends and people, list and revoke them",
		Long: `Make keys for front ends and people, list and revoke them. They are kept in the data folder, as hashes: a key is shown once, when it is
made. A running server takes changes over within seconds; only the first key for an owner needs a new start of it. docs/keys.md says what
each role may do.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(addKeyCommand(), listKeysCommand(), revokeKeyCommand())
	for _, c := range cmd.Commands() {
		if c.Args == nil {
			c.Args = noArguments
		}
		config.Bind(c.Flags())
	}
	return cmd
}

// keyFile reads the settings of a command and returns the file of keys that they name, and the clock.
func keyFile(cmd *cobra.Command) (keys.File, func() time.Time, error) {
	c, err := load(cmd)
	if err != nil {
		return keys.File{}, nil, err
	}
	if c.Data == "" {
		return keys.File{}, nil, fmt.Errorf("keys need a folder to be kept in: add --data DIR (ANNAI_DATA), the same as for annai serve: %w", fault.ErrInvalid)
	}
	return keys.In(c.Data), clock(c.Now), nil
}

func addKeyCommand() *cobra.Command {
	var role, name, owner string
	cmd := &cobra.Command{
		Use: "add", Short: "Make a key and print it, once",
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := keys.RoleOf(role)
			if err != nil {
				return fmt.Errorf("--role: %w", err)
			}
			file, now, err := keyFile(cmd)
			if err != nil {
				return err
			}
			before, err := file.List()
			if err != nil {
				return err
			}
			key, err := file.Add(cmd.Context(), name, r, owner, now())
			if err != nil {
				return err
			}
			note := ""
			if r == door.Owner && !slices.ContainsFunc(before, func(k keys.Key) bool { return k.Role == door.Owner }) {
				note = firstOwner
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Key %s (%s), which is not shown again:\n\n%s\n%s", name, role, key, note)
			return err
		},
	}
	cmd.Flags().StringVar(&role, "role", "", "what the key is for: ask, owner or admin")
	cmd.Flags().StringVar(&name, "name", "", "name that the key is known by, such as kiosk-1")
	cmd.Flags().StringVar(&owner, "owner", "", "for --role owner: whose calendars they are, as the venue file names them")
	return cmd
}

// firstOwner is said when there is a key for the owner for the first time: which calendars are open is settled when a server starts.
const firstOwner = `
This is the first key for an owner. A server that runs already takes the key within seconds, but has
not opened the owner's calendars: start it anew, unless it has an owner-key in its settings.
`

func listKeysCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the keys that were made",
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, _, err := keyFile(cmd)
			if err != nil {
				return err
			}
			all, err := file.List()
			if err != nil {
				return err
			}
			return writeKeys(cmd.OutOrStdout(), all)
		},
	}
}

func writeKeys(out io.Writer, all []keys.Key) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(out, "There are no keys.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "NAME\tROLE\tOWNER\tCREATED\tREVOKED") // Flush says what went wrong
	for _, k := range all {
		revoked := ""
		if !k.Revoked.IsZero() {
			revoked = k.Revoked.Format(time.RFC3339)
		}
		cells := []string{k.Name, keys.WordOf(k.Role), k.Owner, k.Created.Format(time.RFC3339), revoked}
		_, _ = fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

func revokeKeyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke NAME", Short: "Make a key worth nothing",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%w: revoke which key? Say its name; see annai keys list", errUsage)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			file, now, err := keyFile(cmd)
			if err != nil {
				return err
			}
			if err := file.Revoke(cmd.Context(), args[0], now()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Revoked: %s. A running server refuses it within seconds.\n", args[0])
			return err
		},
	}
}
