package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"annai/civil"
	"annai/internal/config"
	"annai/internal/outbound"
	"annai/internal/setup"
	"annai/server/door"
	"annai/server/keys"
	"annai/tools"
	"annai/tools/calendar"
	"annai/venue"
)

func graphCommand() *cobra.Command {
	var dot bool
	cmd := &cobra.Command{
		Use: "graph", Short: "Print the concierge's graph in Mermaid, or in DOT",
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := quiet(cmd)
			if err != nil {
				return err
			}
			drawing := a.concierge.Drawing()
			text := drawing.Mermaid()
			if dot {
				text = drawing.DOT()
			}
			_, err = io.WriteString(cmd.OutOrStdout(), text)
			return errors.Join(err, a.close())
		},
	}
	config.Bind(cmd.Flags())
	cmd.Flags().BoolVar(&dot, "dot", false, "print DOT, the language of Graphviz")
	return cmd
}

var discard = slog.New(slog.DiscardHandler)

// quiet assembles without a word in the log.
func quiet(cmd *cobra.Command) (*assembly, error) {
	c, err := load(cmd)
	if err != nil {
		return nil, err
	}
	return assemble(cmd.Context(), c, wants{}, discard)
}

func doctorCommand() *cobra.Command {
	var ready bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Try each configured part and say what is wrong",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if ready {
				return checkReady(cmd)
			}
			c, err := load(cmd)
			if err != nil {
				return err
			}
			d := doctor{out: cmd.OutOrStdout()}
			// Where sessions are kept is looked at by itself, so that the rest is looked at without it.
			a, err := assemble(cmd.Context(), c, wants{owner: d.keys(cmd.Context(), c), forgetful: true}, discard)
			if err != nil {
				return err
			}
			d.look(cmd.Context(), a, c)
			d.maps(cmd.Context(), a)
			d.media(cmd.Context(), c, a.now)
			d.capture(cmd.Context(), c)
			d.models(cmd.Context(), c, a.venue, a.now)
			d.embedder(cmd.Context(), c)
			d.gemini(cmd.Context(), c)
			d.files(cmd.Context(), c)
			d.alone(a, c)
			d.sessions(cmd.Context(), c, a.now())
			if err := errors.Join(d.err, a.close()); err != nil {
				return err
			}
			if d.ill {
				return errSilent
			}
			return nil
		},
	}
	config.Bind(cmd.Flags())
	config.BindServer(cmd.Flags())
	cmd.Flags().BoolVar(&ready, "ready", false, "only ask the server that runs with these settings whether it is ready")
	return cmd
}

// doctor says of each part whether it works.
type doctor struct {
	out io.Writer
	ill bool
	err error
}

func (d *doctor) say(ok bool, part, format string, args ...any) {
	mark := "ok  "
	if !ok {
		mark, d.ill = "FAIL", true
	}
	_, err := fmt.Fprintf(d.out, "%s  %-10s %s\n", mark, part, fmt.Sprintf(format, args...))
	d.err = errors.Join(d.err, err)
}

// keys says for whom there are keys, and returns whether there is an owner.
func (d *doctor) keys(ctx context.Context, c config.Config) (owner bool) {
	ring, store, err := setup.Keys(ctx, c)
	if err != nil {
		d.say(false, "keys", "%v", setup.OneLine(err))
		return c.OwnerKey != ""
	}
	defer func() { d.err = errors.Join(d.err, store.Close()) }()
	var words []string
	for _, role := range []door.Role{door.Visitor, door.Owner, door.Operator} {
		if n := ring.Count(role); n > 0 {
			words = append(words, fmt.Sprintf("%d for %s", n, keys.WordOf(role)))
		}
	}
	switch {
	case len(words) > 0:
		d.say(true, "keys", "%s", strings.Join(words, ", "))
	case ring.Any():
		d.note("keys", "all were revoked, and what they guarded is closed")
	default:
		d.note("keys", "none: this machine may ask and operate without one")
	}
	return ring.Guards(door.Owner)
}

// tools says which are not offered, a line for each reason.
func (d *doctor) tools(absent []tools.Absence) {
	names := map[string][]string{}
	var reasons []string
	for _, t := range absent {
		if names[t.Why] == nil {
			reasons = append(reasons, t.Why)
		}
		names[t.Why] = append(names[t.Why], t.Name)
	}
	for _, why := range reasons {
		d.note("tools", "%s: not offered are %s", why, strings.Join(names[why], ", "))
	}
}

// note says something that is neither well nor ill.
func (d *doctor) note(part, format string, args ...any) {
	_, err := fmt.Fprintf(d.out, "note  %-10s %s\n", part, fmt.Sprintf(format, args...))
	d.err = errors.Join(d.err, err)
}

// pages says how pages of the web are asked for.
func (d *doctor) pages(c config.Config) {
	format := "url_expand: embedded; asks sites as %q, as their robots.txt permit"
	if c.Outbound.Contact == "" {
		format += "; contact would tell them whom to write to"
	}
	d.note("tools", format, setup.UserAgent(c, program()))
}

func (d *doctor) look(ctx context.Context, a *assembly, c config.Config) {
	name := a.venue.Name.In("ja") + " / " + a.venue.Name.In("en")
	if a.venue.Demo {
		name += " (demo data)"
	}
	d.say(true, "venue", "%s, %s", name, a.venue.Timezone)
	d.aboutVenue(a.venue)
	for _, s := range a.calendars {
		d.calendar(ctx, a, s)
	}
	d.owners(ctx, c, a)
	d.tools(a.tools.Unoffered())
	d.pages(c)
	for _, p := range a.problems {
		d.say(false, "knowledge", "%v", p)
	}
	if a.broken != nil {
		d.say(false, "knowledge", "%v", a.broken)
	}
	known := len(a.passages())
	d.say(known > 0, "knowledge", "%d passages", known)
}

// sessions opens where they are kept, and tries it.
func (d *doctor) sessions(ctx context.Context, c config.Config, now time.Time) {
	s, err := openSessions(ctx, c)
	if err != nil {
		d.say(false, "sessions", "%v", err)
		return
	}
	if err := errors.Join(trySessions(ctx, s, now), s.close()); err != nil {
		d.say(false, "sessions", "%s: %v", s.where, setup.OneLine(err))
		return
	}
	d.say(true, "sessions", "%s", s.where)
}

func (d *doctor) calendar(ctx context.Context, a *assembly, s calendar.Source) {
	today := civil.DateOf(a.now().In(a.venue.Location))
	listing, err := s.Reader.Events(ctx, civil.Days(today, today.AddDays(31), a.venue.Location))
	what := fmt.Sprintf("%s (%s, %s)", s.ID, a.opened.sourceOf(s.ID), s.Visibility)
	switch {
	case errors.Is(err, outbound.ErrRefused):
		d.say(false, "calendar", "%s: %v; a private network is allowed by feed-networks", what, err)
	case err != nil:
		d.say(false, "calendar", "%s: %v", what, err)
	case !listing.Complete:
		for _, p := range listing.Problems {
			d.say(false, "calendar", "%s: %v", what, p.Err)
		}
	default:
		d.say(true, "calendar", "%s: %d events in the next 31 days", what, len(listing.Events))
	}
}

// checkReady is what a container's health check calls.
func checkReady(cmd *cobra.Command) (err error) {
	c, err := load(cmd)
	if err != nil {
		return err
	}
	url := config.LocalURL(c.Listen) + "/readyz"
	ctx, cancel := context.WithTimeout(cmd.Context(), 3*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s answered %s", url, response.Status)
	}
	return nil
}

// owners says what is the owners': whose calendars there are, who may be invited, and where tasks are.
func (d *doctor) owners(ctx context.Context, c config.Config, a *assembly) {
	if a.agenda == nil {
		return
	}
	for _, cal := range a.agenda.Calendars() {
		if cal.Owner != "" {
			d.note("calendar", "%s is for the owner %s only", cal.ID, cal.Owner)
		}
	}
	if domains := c.Own.InviteDomains; len(domains) > 0 {
		mailed := map[string]string{
			"none": "and nobody is mailed", "all": "and are mailed",
			"externalOnly": "and are mailed if they are elsewhere",
		}
		d.note("invite", "addresses of %s may be invited, %s", strings.Join(domains, ", "), mailed[c.Own.SendUpdates])
	}
	d.ownTools(c, a)
	if a.tasks == nil {
		return
	}
	const part, names = "tasks", "tasks_write, tasks_list, tasks_complete, tasks_delete"
	all, err := a.tasks("").Tasks(ctx)
	if err != nil {
		d.say(false, part, "%s: %s: %v", names, c.Own.Tasks, setup.OneLine(err))
		return
	}
	more := ""
	if c.Own.Tasks == "local" {
		more = inMemory(c) + ". With tasks=google or tasks=caldav: Google Tasks, or a CalDAV server"
	}
	d.say(true, part, "%s: %s: %d on the list%s", names, c.Own.Tasks, len(all), more)
}

// ownTools says which calendar the tools of the owner's calendar write to.
func (d *doctor) ownTools(c config.Config, a *assembly) {
	const part, names = "calendar", "create_event, calendar_write and the like"
	to, ok := a.agenda.Writable()
	if !ok {
		return // the tools that are not offered say so
	}
	source, more := a.opened.sourceOf(to.ID), ""
	if source == venue.SourceLocal {
		more = inMemory(c) + ". With google-client-id or caldav-url: at Google, or at a CalDAV server"
	}
	d.say(true, part, "%s: write to %s (%s)%s", names, to.ID, source, more)
}

// inMemory says that what annai keeps itself is not kept, where that is so.
func inMemory(c config.Config) string {
	if c.Data != "" {
		return ""
	}
	return ", in memory, until annai stops (data is not set)"
}
