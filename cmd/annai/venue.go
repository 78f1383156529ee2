package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"annai/fault"
	"annai/venue"
)

func venueCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "venue", Short: "Begin a venue of your own",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(venueInitCommand())
	return cmd
}

// venueFolder is where annai venue init writes where no folder is named.
const venueFolder = "venue"

func venueInitCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "init [DIR]", Short: "Write an example venue to begin one's own with",
		Long: `Write an example venue into DIR, or into the folder venue: a venue.yaml that explains every key, a
calendar and documents in both languages. Nothing that is there is overwritten. docs/venue.md says more.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%w: %s takes one folder, and not %q too", errUsage, cmd.CommandPath(), args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := venueFolder
			if len(args) == 1 {
				dir = args[0]
			}
			written, err := writeExample(dir)
			for _, name := range written {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), name); err != nil {
					return err
				}
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "\nTry it: annai serve --venue %s\n", filepath.Join(dir, "venue.yaml"))
			return err
		},
	}
	return cmd
}

// writeExample writes the files of the example venue into dir and returns their names. Where one is
// there already, it writes none.
func writeExample(dir string) (written []string, err error) {
	files, err := venue.Example()
	if err != nil {
		return nil, err
	}
	var names []string
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		names = append(names, name)
		to := filepath.Join(dir, filepath.FromSlash(name))
		switch _, err := os.Lstat(to); {
		case err == nil:
			return fmt.Errorf("%s is there already, and is not overwritten; name another folder: %w", to, fault.ErrConflict)
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("look for %s: %w", to, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := copyNew(files, name, to); err != nil {
			return written, err
		}
		written = append(written, to)
	}
	return written, nil
}

// copyNew writes a file of files to a path at which nothing is.
func copyNew(files fs.FS, name, to string) (err error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("read the example: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", to, err)
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", to, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Write(data); err != nil {
		return fmt.Errorf("write %s: %w", to, err)
	}
	return nil
}
