package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"annai/fault"
	"annai/internal/config"
	"annai/internal/datafolder"
	"annai/internal/setup"
)

// useFolder lets nobody replace the data folder until release is called.
func useFolder(c config.Config) (release func() error, err error) {
	if c.Data == "" {
		return func() error { return nil }, nil
	}
	return datafolder.Use(c.Data)
}

func backupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Write all of the data folder into a new file, while a server may run",
		Long: `Write all of the data folder into a new file, while a server may run: sessions, threads, runs,
calendars, tasks, knowledge, keys and tokens, as they are at one moment. What is encrypted stays so,
and the key is not in it. Whoever has the file has what is in the folder: it is for nobody else to
read. docs/operations.md says more, and how to back up PostgreSQL.`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := dataFolder(cmd)
			if err != nil {
				return err
			}
			m, err := datafolder.Backup(cmd.Context(), c.Data, args[0], version(), time.Now())
			if err != nil {
				return setup.OneLine(err)
			}
			if err := setup.AuditCommand(c, "backup", nil, setup.Logger(c, cmd.ErrOrStderr())); err != nil {
				return err
			}
			note := ""
			if c.Postgres != "" {
				note = "What is kept in PostgreSQL is not in it: use pg_dump at the same time (docs/operations.md).\n"
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Backup of %s in %s: %s\n%s", c.Data, args[0], contents(m), note)
			return err
		},
	}
	config.Bind(cmd.Flags())
	return cmd
}

func restoreCommand() *cobra.Command {
	var replace bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Put back what annai backup wrote, while no server runs",
		Long: `Put back what annai backup wrote into a data folder that nobody uses and that is empty. All of
the backup is read through and checked before anything in the folder is touched. Keys are restored
too: one that was revoked since is good again.`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := dataFolder(cmd)
			if err != nil {
				return err
			}
			opts := datafolder.RestoreOptions{Replace: replace, Keep: setup.AuditFile} // what was done stays done
			m, err := datafolder.Restore(cmd.Context(), args[0], c.Data, opts)
			if err != nil {
				return setup.OneLine(err)
			}
			if err := setup.AuditCommand(c, "restore", nil, setup.Logger(c, cmd.ErrOrStderr())); err != nil {
				return err
			}
			at := m.At.Format(time.RFC3339)
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Restored into %s: %s, of %s\n", c.Data, contents(m), at)
			return err
		},
	}
	config.Bind(cmd.Flags())
	cmd.Flags().BoolVar(&replace, "replace", false, "delete what is in the folder, but for the audit log")
	return cmd
}

func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%w: which file? %s FILE; see %s --help", errUsage, cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

// dataFolder reads the settings of a command that is about the data folder.
func dataFolder(cmd *cobra.Command) (config.Config, error) {
	c, err := load(cmd)
	if err != nil {
		return c, err
	}
	if c.Data == "" {
		const which = "of which folder? Add --data DIR (ANNAI_DATA), the same as for annai serve"
		if c.Postgres != "" {
			const dump = "what is in PostgreSQL is backed up with pg_dump (docs/operations.md)"
			return c, fmt.Errorf("%s; %s: %w", which, dump, fault.ErrInvalid)
		}
		return c, fmt.Errorf("%s: %w", which, fault.ErrInvalid)
	}
	return c, nil
}

// contents says what is in a backup.
func contents(m datafolder.Manifest) string {
	databases, bytes := 0, int64(0)
	for _, file := range m.Files {
		if file.Database {
			databases++
		}
		bytes += file.Size
	}
	return fmt.Sprintf("%d databases and %d other files, %d KiB", databases, len(m.Files)-databases, (bytes+1023)/1024)
}
