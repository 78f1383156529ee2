package setup

import (
	"context"
	"log/slog"
	"slices"

	"annai/internal/config"
	"annai/runs"
	"annai/server/door"
	"annai/server/httpd"
)

// HTTP are the settings of a server that listens.
func HTTP(c config.Config, version string, log *slog.Logger) httpd.Options {
	hosts := c.Hosts
	if own := c.Kiosk.PublicHost(); own != "" {
		hosts = append(slices.Clone(hosts), own)
	}
	return httpd.Options{
		Version: version, Log: log, Hosts: hosts, AllowedOrigins: c.AllowedOrigins,
		KeyElsewhere: !c.Insecure, TrustedProxies: c.Access.TrustedProxies,
		AddressRate: door.Rate(c.Access.AddressRate), KeyRate: door.Rate(c.Access.KeyRate),
		AddressOpen: c.Access.AddressOpen, KeyOpen: c.Access.KeyOpen,
		MaxBody: c.MaxBody, Drain: c.Drain, Grace: c.Grace,
	}
}

// ReadRuns has GET /metrics tell how the runs are.
func ReadRuns(figures *httpd.Figures, service *runs.Service) {
	figures.Read([]httpd.Reading{
		{Name: "annai_runs_pending", Help: "Background runs that wait, of all servers that share the store."},
		{Name: "annai_runs_running", Help: "Runs that are executed, of all servers that share the store."},
		{Name: "annai_runs_oldest_pending_seconds", Help: "How long the run has waited whose turn is next."},
		{Name: "annai_runs_begun_total", Help: "Runs that this server began to execute.", Grows: true},
		{Name: "annai_run_takeovers_total", Help: "Runs that somebody had begun before.", Grows: true},
		{Name: "annai_run_sweeps_total", Help: "Sweeps by outcome: done or failed.", Label: "outcome", Grows: true},
		{Name: "annai_threads_swept_total", Help: "Threads whose time was over.", Grows: true},
	}, func(ctx context.Context, say httpd.Say) {
		f, err := service.Figures(ctx)
		if err == nil {
			say("annai_runs_pending", "", float64(f.Pending))
			say("annai_runs_running", "", float64(f.Running))
			say("annai_runs_oldest_pending_seconds", "", f.Oldest.Seconds())
		}
		say("annai_runs_begun_total", "", float64(f.Claimed))
		say("annai_run_takeovers_total", "", float64(f.Takeovers))
		say("annai_run_sweeps_total", "done", float64(f.Sweeps-f.FailedSweeps))
		say("annai_run_sweeps_total", "failed", float64(f.FailedSweeps))
		say("annai_threads_swept_total", "", float64(f.Forgotten))
	})
}
