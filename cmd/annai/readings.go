package main

import (
	"context"
	"sync"
	"time"

	"annai/civil"
	"annai/internal/auditlog"
	"annai/internal/setup"
	"annai/server"
	"annai/server/httpd"
	"annai/venue"
)

// A pooled store has connections to PostgreSQL.
type pooled interface {
	Stats() (inUse, idle, most int, waits int64)
}

// pools are the stores that have connections to PostgreSQL, by what they keep.
type pools map[string]pooled

// add adds a store, if it is one of them.
func (p pools) add(name string, store any) {
	if s, ok := store.(pooled); ok {
		p[name] = s
	}
}

// readFigures has GET /metrics tell how the stores, the runs, the calendars and the audit log are.
func readFigures(
	figures *server.Figures, a *assembly, service *setup.Service, keys setup.KeyStore, audit *auditlog.Log,
) {
	all := pools{}
	all.add("sessions", a.sessions)
	all.add("threads", service.Threads)
	all.add("runs", service.Store)
	all.add("keys", keys.Store)
	if a.shared != nil {
		all.add("calendars", a.shared)
	}
	setup.ReadRuns(figures.Figures, service.Service)
	figures.Read([]httpd.Reading{
		{Name: "annai_database_connections_in_use", Help: "Connections to PostgreSQL in use.", Label: "store"},
		{Name: "annai_database_connections_idle", Help: "Connections to PostgreSQL that nobody uses.", Label: "store"},
		{Name: "annai_database_connections_max", Help: "How many there may be.", Label: "store"},
		{Name: "annai_database_waits_total", Help: "How often all were in use.", Label: "store", Grows: true},
	}, func(_ context.Context, say httpd.Say) {
		for name, store := range all {
			inUse, idle, most, waits := store.Stats()
			say("annai_database_connections_in_use", name, float64(inUse))
			say("annai_database_connections_idle", name, float64(idle))
			say("annai_database_connections_max", name, float64(most))
			say("annai_database_waits_total", name, float64(waits))
		}
	})
	figures.Read([]httpd.Reading{
		{Name: "annai_audit_lost_total", Help: "Acts that could not be kept in the audit log.", Grows: true},
	}, func(_ context.Context, say httpd.Say) {
		say("annai_audit_lost_total", "", float64(audit.Lost()))
	})
	ages := &ages{a: a}
	figures.Read([]httpd.Reading{{
		Name: "annai_calendar_age_seconds", Label: "calendar",
		Help: "How long ago what is answered from was read from the calendar's source.",
	}}, ages.read)
}

// agesFresh is how long the ages of calendars are not looked at again.
const agesFresh = 15 * time.Second

// ages are when the copies of calendars were made.
type ages struct {
	a *assembly

	mu   sync.Mutex
	at   time.Time
	asOf map[string]time.Time
}

// read says how old they are. Only calendars of which there is a copy have an age.
func (g *ages) read(ctx context.Context, say httpd.Say) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.at) > agesFresh {
		g.look(ctx)
	}
	now := g.a.now()
	for id, asOf := range g.asOf {
		say("annai_calendar_age_seconds", id, now.Sub(asOf).Seconds())
	}
}

func (g *ages) look(ctx context.Context) {
	copied := map[string]bool{}
	for _, c := range g.a.venue.Calendars {
		copied[c.ID] = c.Source == venue.SourceGoogle || c.URL != "" && c.Source != venue.SourceCalDAV
	}
	g.at, g.asOf = time.Now(), map[string]time.Time{}
	today := civil.DateOf(g.a.now().In(g.a.venue.Location))
	for _, s := range g.a.calendars {
		if !copied[s.ID] {
			continue
		}
		listing, err := s.Reader.Events(ctx, civil.Days(today, today.AddDays(1), g.a.venue.Location))
		if err == nil && !listing.AsOf.IsZero() {
			g.asOf[s.ID] = listing.AsOf
		}
	}
}
