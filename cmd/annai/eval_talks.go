package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"annai/evals/talks"
	"annai/internal/config"
)

func evalTalksCommand() *cobra.Command {
	var oracle, wrong bool
	cmd := &cobra.Command{
		Use: "talks DIR...", Short: "Hold the talks of places, folders with a venue and talks.jsonl, and print what share of the answers is right",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%w: eval talks takes a folder or more", errUsage)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var all talks.Report
			for _, dir := range args {
				report, err := evalPlace(cmd, dir, oracle)
				if err != nil {
					return fmt.Errorf("%s: %w", dir, err)
				}
				all.Add(report)
			}
			if wrong {
				if err := all.WriteWrong(cmd.OutOrStdout()); err != nil {
					return err
				}
			}
			return all.WriteTable(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&oracle, "oracle", false, "read each turn as its annotation says")
	cmd.Flags().BoolVarP(&wrong, "verbose", "v", false, "print the wrong answers too")
	return cmd
}

// evalPlace holds the talks of one place with a concierge of its own.
func evalPlace(cmd *cobra.Command, dir string, oracle bool) (talks.Report, error) {
	place, err := talks.Load(os.DirFS(dir))
	if err != nil {
		return talks.Report{}, err
	}
	w := wants{forgetful: true}
	if oracle {
		w.reader = talks.NewOracle(place)
	}
	a, err := assemble(cmd.Context(), config.Config{Venue: filepath.Join(dir, "venue.yaml"), Now: talks.Now}, w, discard)
	if err != nil {
		return talks.Report{}, err
	}
	report, err := talks.Run(cmd.Context(), place, a.concierge)
	if closed := a.close(); err == nil {
		err = closed
	}
	return report, err
}
