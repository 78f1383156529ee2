package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"annai/fault"
	"annai/internal/config"
	"annai/internal/outbound"
	"annai/internal/secret"
	"annai/internal/setup"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/caldav"
	"annai/tools/calendar/feed"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/ics"
	"annai/tools/calendar/local"
	"annai/tools/calendar/mirror"
	"annai/tools/calendar/polled"
	"annai/tools/calendar/polled/pgcopies"
	"annai/venue"
)

// calendars opens what a venue lists.
type calendars struct {
	config config.Config
	venue  *venue.Venue
	log    *slog.Logger
	a      *assembly

	// feeds fetches what is at an address.
	feeds    *outbound.Client
	copies   *pgcopies.Copies // nil: not opened yet, or none
	tokens   *googleTokens
	sources  map[string]*oauth.Source
	accounts map[string]*google.Account
	granted  map[string]oauth.Granted // by account, where it is known
}

// openCalendars opens the calendars of the venue. With an owner there are the owner's own too: those that can be written, or are not for
// everybody, and one that annai keeps where none can be written.
func (a *assembly) openCalendars(ctx context.Context, c config.Config, w wants, log *slog.Logger) error {
	owner := w.owner
	open := &calendars{
		config: c, venue: a.venue, log: log, a: a, sources: map[string]*oauth.Source{},
		accounts: map[string]*google.Account{}, granted: map[string]oauth.Granted{},
	}
	a.opened = open
	var err error
	if open.feeds, err = feedClient(c); err != nil {
		return fmt.Errorf("feed-networks: %w", err)
	}
	listed := a.venue.Calendars
	writable := func(v venue.Calendar) bool { return v.Writable }
	if owner && !slices.ContainsFunc(listed, writable) {
		listed = append(slices.Clone(listed), open.unlisted())
	}
	var own, others []agenda.Calendar
	for _, v := range listed {
		if !owner && v.Visibility == calendar.Private {
			continue // nobody can see it
		}
		made, err := open.calendar(ctx, v)
		if err != nil {
			return fmt.Errorf("calendar %s: %w", v.ID, err)
		}
		made = w.observedCalendar(made)
		a.calendars = append(a.calendars, calendar.Source{ID: v.ID, Label: made.Label, Visibility: v.Visibility, Reader: made.Reader})
		if v.Writable || v.Visibility != calendar.Public {
			own = append(own, made)
		} else {
			others = append(others, made)
		}
	}
	a.calendar = calendar.Merge(a.calendars)
	if !owner {
		return nil
	}
	a.agenda, err = agenda.New(own, agenda.Options{Location: a.venue.Location, Now: a.now, Others: others})
	return err
}

// sourceOf is where a calendar is kept.
func (o *calendars) sourceOf(id string) string {
	for _, v := range o.venue.Calendars {
		if v.ID == id {
			return v.Source
		}
	}
	return o.unlisted().Source
}

// unlisted is the owner's calendar where the venue lists none: at the CalDAV server or at Google, if the
// settings name one, else one of annai's own.
func (o *calendars) unlisted() venue.Calendar {
	v := venue.Calendar{
		ID: "own", Label: venue.Text{JA: "自分のカレンダー", EN: "My calendar"}, Source: venue.SourceLocal, Writable: true, Visibility: calendar.Private,
	}
	switch {
	case o.config.Own.CalDAV.URL != "":
		v.Source = venue.SourceCalDAV
	case o.config.Google.ClientID != "" || o.config.Google.TokenStore == "ssm":
		v.Source, v.Account, v.CalendarID = venue.SourceGoogle, oauth.DefaultAccount, o.config.Google.CalendarID
	}
	return v
}

func (o *calendars) calendar(ctx context.Context, v venue.Calendar) (agenda.Calendar, error) {
	made := agenda.Calendar{ID: v.ID, Owner: v.Owner, Label: map[string]string{"ja": v.Label.In("ja"), "en": v.Label.In("en")}}
	var err error
	switch v.Source {
	case venue.SourceICS, venue.SourceFeed:
		made.Reader, err = o.fetched(ctx, v)
	case venue.SourceLocal:
		err = o.local(ctx, v, &made)
	case venue.SourceGoogle:
		err = o.google(ctx, v, &made)
	case venue.SourceCalDAV:
		err = o.caldav(v, &made)
	default:
		err = fmt.Errorf("source %q is unknown: %w", v.Source, fault.ErrInvalid)
	}
	return made, err
}

// file returns where something about a calendar is kept, or "" for nowhere.
func (o *calendars) file(kind string, v venue.Calendar) string {
	if o.config.Data == "" {
		return ""
	}
	return filepath.Join(o.config.Data, kind+"-"+v.ID)
}

// fetched opens a calendar that is a file of the venue, or at an address.
func (o *calendars) fetched(ctx context.Context, v venue.Calendar) (calendar.Reader, error) {
	opts := polled.Options{CalendarID: v.ID, Location: o.venue.Location, Now: o.a.now, Log: o.log, Client: o.feeds}
	if err := o.keptAs(ctx, v, &opts); err != nil {
		return nil, err
	}
	var mapping feed.Mapping
	if v.Source == venue.SourceFeed {
		mapping = feed.Mapping(*v.Mapping)
	}
	if v.KeyFile != "" {
		key, err := fs.ReadFile(o.venue.Files, v.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("keyFile: %w: %w", err, fault.ErrUnavailable)
		}
		opts.Header = http.Header{}
		opts.Header.Set(v.KeyHeader, strings.TrimSpace(string(key)))
	}
	var r *polled.Reader
	var err error
	switch {
	case v.Source == venue.SourceFeed && v.URL != "":
		r, err = feed.URL(v.URL, mapping, opts)
	case v.Source == venue.SourceFeed:
		r, err = feed.File(o.venue.Files, v.Path, mapping, opts)
	case v.URL != "":
		r, err = ics.URL(v.URL, opts)
	default:
		r, err = ics.File(o.venue.Files, v.Path, opts)
	}
	if err != nil {
		return nil, err
	}
	o.a.closers = append(o.a.closers, r.Close)
	return r, nil
}

// keptAs says where the copy of a feed is kept: in PostgreSQL for all servers, or in the data folder.
func (o *calendars) keptAs(ctx context.Context, v venue.Calendar, opts *polled.Options) (err error) {
	switch {
	case v.URL == "":
		return nil
	case o.a.shared == nil:
		opts.Cache = o.file("feed", v)
		return nil
	case o.copies == nil:
		if o.copies, err = pgcopies.Open(ctx, o.a.shared, setup.Row(o.config)); err != nil {
			return setup.OneLine(err)
		}
	}
	opts.Copies = o.copies
	return nil
}

func (o *calendars) local(ctx context.Context, v venue.Calendar, made *agenda.Calendar) error {
	if o.a.unshared != nil {
		made.Reader = unreadable{o.a.unshared}
		return nil
	}
	path := o.file("calendar", v)
	if path != "" {
		path += ".db"
	}
	opts := local.Options{CalendarID: v.ID, Now: o.a.now, Row: setup.Row(o.config)}
	var c *local.Calendar
	var err error
	if o.a.shared != nil {
		if err := o.carry(ctx, path, v.ID); err != nil {
			return setup.OneLine(err)
		}
		c, err = local.OpenShared(ctx, o.a.shared, opts)
	} else {
		c, err = local.Open(ctx, path, opts)
	}
	if err != nil {
		return setup.OneLine(err)
	}
	o.a.closers = append(o.a.closers, c.Close)
	made.Reader = c
	if v.Writable {
		made.Writer = c
	}
	return nil
}

// carry copies the calendar of a data folder into PostgreSQL, where nothing was written into it before.
func (o *calendars) carry(ctx context.Context, path, id string) error {
	if !isFile(path) {
		return nil
	}
	n, err := local.Carry(ctx, path, o.a.shared, id)
	if n > 0 {
		o.log.InfoContext(ctx, "calendar copied from the data folder into PostgreSQL", "calendar_id", id, "events", n)
	}
	return err
}

// maxPassword is the largest file with a password, in bytes.
const maxPassword = 4 << 10

// caldav opens a calendar of a CalDAV server: of its own, or of that of the settings.
func (o *calendars) caldav(v venue.Calendar, made *agenda.Calendar) error {
	server := o.config.Own.CalDAV
	if v.URL != "" {
		server = config.CalDAV{URL: v.URL, User: v.User}
		if v.PasswordFile != "" {
			text, err := fs.ReadFile(o.venue.Files, v.PasswordFile)
			if err != nil || len(text) > maxPassword {
				return fmt.Errorf("passwordFile %s can't be read, or is no password: %w", v.PasswordFile, fault.ErrInvalid)
			}
			server.Password = secret.Text(strings.TrimSpace(string(text)))
		}
	}
	if server.URL == "" {
		return fmt.Errorf("neither url nor caldav-url says where the server is: %w", fault.ErrInvalid)
	}
	account, err := o.a.davAccount(o.config.Own, server)
	if err != nil {
		return err
	}
	c := account.Calendar(v.ID, v.CalendarID)
	made.Reader = c
	if v.Writable {
		made.Writer, made.Reminds = c, true
	}
	return nil
}

// davAccount is the account at a CalDAV server.
func (a *assembly) davAccount(own config.Own, server config.CalDAV) (*caldav.Account, error) {
	return caldav.NewAccount(server.URL, caldav.Options{
		Now: a.now, User: server.User, Password: server.Password, Location: a.venue.Location,
		Domains: own.InviteDomains, Invite: own.SendUpdates != "none",
	})
}

// google opens a calendar of an account through a mirror, from which all reads are answered.
func (o *calendars) google(ctx context.Context, v venue.Calendar, made *agenda.Calendar) error {
	account, err := o.account(ctx, v.Account)
	if err != nil {
		return err
	}
	there := account.Calendar(v.CalendarID)
	opts := mirror.Options{
		CalendarID: v.ID, Now: o.a.now, Location: o.venue.Location, Log: o.log, Origin: v.Account + "/" + v.CalendarID,
		Shared: o.a.shared, ReadOnly: !v.Writable,
	}
	if opts.Shared == nil {
		opts.File = o.file("mirror", v)
	}
	if o.config.EncryptionKey != "" {
		opts.Key = []byte(o.config.EncryptionKey)
	}
	m, err := mirror.New(there, opts) //nolint:contextcheck // it syncs until it is closed, not until the command's start is over
	if err != nil {
		return err
	}
	o.a.closers = append(o.a.closers, m.Close)
	made.Reader = m
	granted, known := o.granted[v.Account]
	switch {
	case v.Writable && known && !granted.CanWrite():
		o.a.readOnly = "calendar " + v.ID + ": Google was not asked for, or did not grant, the right to write; run annai auth google"
	case v.Writable:
		w := m.Writer(there)
		made.Reader, made.Writer, made.Reminds = w, w, true
	}
	return nil
}

// account returns the account of that name. Nothing is asked of Google.
func (o *calendars) account(ctx context.Context, name string) (*google.Account, error) {
	if there, ok := o.accounts[name]; ok {
		return there, nil
	}
	source, err := o.source(ctx, name)
	if err != nil {
		return nil, err
	}
	opts := google.Options{Now: o.a.now, BaseURL: o.config.Google.APIURL, Links: o.unseen(name), Guests: google.Guests{
		Domains: o.config.Own.InviteDomains, SendUpdates: google.SendUpdates(o.config.Own.SendUpdates),
	}}
	if granted, known := o.granted[name]; known {
		opts.Granted = granted
	}
	made, err := google.NewAccount(source, opts) //nolint:contextcheck // nothing is asked yet
	if err != nil {
		return nil, err
	}
	o.accounts[name] = made
	return made, nil
}

// source returns what gives access tokens of the account. Nothing is asked of Google, but what was
// granted is known from then on, where it is.
func (o *calendars) source(ctx context.Context, name string) (*oauth.Source, error) {
	if there, ok := o.sources[name]; ok {
		return there, nil
	}
	if o.tokens == nil {
		tokens, err := openGoogleTokens(ctx, o.config)
		if err != nil {
			return nil, err
		}
		o.tokens = &tokens
	}
	source := oauth.NewSource(o.tokens, name, o.tokens.client, oauth.SourceOptions{Now: o.a.now, Log: o.log})
	o.a.closers = append(o.a.closers, source.Close)
	o.sources[name] = source
	token, _, err := o.tokens.Load(ctx, name)
	switch granted := (oauth.Granted{Scopes: token.Scopes}); {
	case err != nil && !errors.Is(err, fault.ErrNotFound):
		o.log.WarnContext(ctx, "token of google account not read", slog.String("account", name), slog.Any("err", err))
	case granted.Known():
		o.granted[name] = granted
	}
	return source, nil
}

// unseen reports whether visitors see nothing of an account's calendars, so that addresses which name a calendar may be in its events.
func (o *calendars) unseen(account string) bool {
	return !slices.ContainsFunc(o.venue.Calendars, func(v venue.Calendar) bool {
		return v.Source == venue.SourceGoogle && v.Account == account && v.Visibility != calendar.Private
	})
}
