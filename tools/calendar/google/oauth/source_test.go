package oauth_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"annai/fault"
	"annai/internal/secret"
	"annai/tools/calendar"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

// station is a source under a synthetic clock, with a Google and a store of its own.
type station struct {
	*testing.T
	google *oauthtest.Google
	store  *oauthtest.MemStore
	source *oauth.Source
	log    *bytes.Buffer
	all    *strings.Builder // every error that came
}

// run runs a test in a bubble, and at its end looks for secrets in everything that was logged and returned.
func run(t *testing.T, test func(*station)) {
	synctest.Test(t, func(t *testing.T) {
		s := &station{T: t, google: oauthtest.NewGoogle(), store: new(oauthtest.MemStore), log: new(bytes.Buffer), all: new(strings.Builder)}
		s.source = s.another()
		test(s)
		if err := s.source.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		for _, secret := range s.google.Secrets() {
			if said := s.log.String() + s.all.String(); strings.Contains(said, secret) || strings.Contains(said, fmt.Sprintf("%x", secret)) {
				t.Errorf("%q was logged or returned in an error:\n%s", secret, said)
			}
		}
	})
}

// another is the source of another process.
func (s *station) another() *oauth.Source {
	return oauth.NewSource(s.store, "default", s.google.Client("http://google.test"), oauth.SourceOptions{
		Now: time.Now, Transport: oauthtest.InProcess{Handler: s.google}, Log: slog.New(slog.NewTextHandler(s.log, nil)),
	})
}

// connect stores a token that works.
func (s *station) connect() secret.Text {
	s.Helper()
	_, version, err := s.store.Load(s.Context(), "default")
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		s.Fatal(err)
	}
	token := s.google.Issue(oauth.OwnerScopes()...)
	if _, err := s.store.Save(s.Context(), "default", oauth.Token{RefreshToken: token, ClientID: "client"}, version); err != nil {
		s.Fatal(err)
	}
	return token
}

// token wants an access token.
func (s *station) token(refused string) string {
	s.Helper()
	got, err := s.source.Token(s.Context(), refused)
	if err != nil || got == "" {
		s.note(err)
		s.Fatalf("Token = %v, want a token", err)
	}
	return got
}

func (s *station) note(err error) {
	fmt.Fprintf(s.all, "%v %+v %#v\n", err, err, err)
	for e := err; e != nil; e = errors.Unwrap(e) {
		fmt.Fprintf(s.all, "%#v\n", e)
	}
	var p *oauth.Problem
	if errors.As(err, &p) {
		fmt.Fprintf(s.all, "%#v\n", p)
	}
}

// fails wants a failure.
func (s *station) fails(kind calendar.Kind, code oauth.Code) {
	s.Helper()
	_, err := s.source.Token(s.Context(), "")
	s.note(err)
	var f *calendar.Failure
	var p *oauth.Problem
	if !errors.As(err, &f) || f.Kind != kind || !errors.As(err, &p) || p.Code != code {
		s.Fatalf("Token = %v, want the failure %s, %s", err, kind, code)
	}
}

// asked wants so many requests to Google in all.
func (s *station) asked(want int) {
	s.Helper()
	synctest.Wait()
	if got := s.google.Requests(); got != want {
		s.Errorf("Google was asked %d times, want %d", got, want)
	}
}

// logged wants so many lines that say something.
func (s *station) logged(what string, want int) {
	s.Helper()
	synctest.Wait()
	if got := strings.Count(s.log.String(), what); got != want {
		s.Errorf("%q was logged %d times, want %d:\n%s", what, got, want, s.log)
	}
}

const (
	disconnected = "google calendar is disconnected"
	worksAgain   = "google calendar works again"
)

func TestOneTokenForAll(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		hold := make(chan struct{})
		s.google.OnToken = func() { <-hold }
		var group sync.WaitGroup
		got := make(chan string, 50)
		for range cap(got) {
			group.Go(func() {
				token, err := s.source.Token(s.Context(), "")
				if err != nil {
					s.Errorf("Token = %v", err)
				}
				got <- token
			})
		}
		synctest.Wait()
		close(hold)
		group.Wait()
		first := <-got
		for len(got) > 0 {
			if other := <-got; other != first {
				s.Errorf("Token at once = two tokens, want one")
			}
		}
		s.asked(1)
		if s.token("") != first {
			s.Errorf("Token later = another, want the same")
		}
		s.asked(1)
	})
}

func TestWhoGivesUpHurtsNobody(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		hold := make(chan struct{})
		s.google.OnToken = func() { <-hold }
		ctx, cancel := context.WithCancel(s.Context())
		first, second := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := s.source.Token(ctx, "")
			first <- err
		}()
		synctest.Wait() // the first began the refresh
		go func() {
			_, err := s.source.Token(s.Context(), "")
			second <- err
		}()
		synctest.Wait()
		cancel()
		err := <-first
		if !errors.Is(err, context.Canceled) || calendar.KindOf(err) != calendar.Unavailable {
			s.Errorf("Token of who gave up = %v, want context.Canceled, unavailable", err)
		}
		close(hold)
		if err := <-second; err != nil {
			s.Errorf("Token of who waited = %v, want a token", err)
		}
		s.asked(1)
	})
}

func TestARefreshHasADeadline(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		hold := make(chan struct{})
		s.google.OnToken = func() { <-hold }
		began := time.Now()
		s.fails(calendar.Unavailable, oauth.Unreachable)
		if took := time.Since(began); took != 10*time.Second {
			s.Errorf("Token of a Google that does not answer took %s, want 10s", took)
		}
		close(hold)
	})
}

func TestCloseEndsARefresh(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		hold := make(chan struct{})
		s.google.OnToken = func() { <-hold }
		failed := make(chan error, 1)
		go func() {
			_, err := s.source.Token(s.Context(), "")
			failed <- err
		}()
		synctest.Wait()
		if err := s.source.Close(); err != nil {
			s.Errorf("Close = %v", err)
		}
		if err := <-failed; !errors.Is(err, fault.ErrUnavailable) {
			s.Errorf("Token during Close = %v, want ErrUnavailable", err)
		}
		s.fails(calendar.Unavailable, oauth.Unreachable)
		close(hold)
	})
}

func TestTokensAreReplacedEarly(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		first := s.token("")
		time.Sleep(54 * time.Minute)
		if s.token("") != first {
			s.Errorf("Token after 54 minutes = another, want the first")
		}
		s.asked(1)
		time.Sleep(time.Minute) // 4:59 are left
		if s.token("") != first {
			s.Errorf("Token after 55 minutes = another, want the first while another is fetched")
		}
		s.asked(2)
		if s.token("") == first {
			s.Errorf("Token after that = the first, want another")
		}
		s.asked(2)
	})
}

func TestATokenWithoutAnEnd(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.google.Lifetime = 0
		first := s.token("")
		time.Sleep(31 * time.Minute)
		if s.token("") == first {
			s.Errorf("Token after 31 minutes = the same, want another: nobody knows how long it lives")
		}
		s.asked(2)
	})
}

func TestARefusedTokenIsReplacedOnce(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		first := s.token("")
		second := s.token(first)
		if second == first {
			s.Errorf("Token(refused) = the same, want another")
		}
		if s.token(first) != second {
			s.Errorf("Token(refused, by a late caller) = another, want the one that replaced it")
		}
		if s.token(second) != second {
			s.Errorf("Token(refused at once) = another, want the same: Google refuses for another reason")
		}
		s.asked(2)
		time.Sleep(2 * time.Minute)
		if s.token(second) == second {
			s.Errorf("Token(refused after 2 minutes) = the same, want another")
		}
		s.asked(3)
		s.source = s.another()
		if s.token("nonsense") == "" {
			s.Errorf("Token(refused, unknown) = none")
		}
		s.asked(4)
	})
}

func TestRotation(t *testing.T) {
	run(t, func(s *station) {
		old := s.connect()
		s.google.Rotate = true
		first := s.token("")
		stored, _, err := s.store.Load(s.Context(), "default")
		if err != nil || stored.RefreshToken == old || !s.google.Lives(stored.RefreshToken) || stored.ClientID != "client" {
			s.Errorf("after a rotation the store has the old token: %t, %v, want the new one", stored.RefreshToken == old, err)
		}
		s.token(first)
		s.asked(2)
		s.logged(disconnected, 0)
	})
}

// TestAnotherProcessRotated: our refresh token is dead, because another process has its successor.
func TestAnotherProcessRotated(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.google.Rotate = true
		other := s.another()
		defer other.Close()
		for range 3 {
			time.Sleep(time.Hour)
			s.token("")
			if _, err := other.Token(s.Context(), ""); err != nil {
				s.Errorf("Token of the other = %v", err)
			}
		}
		s.asked(6)
		s.logged(disconnected, 0)
	})
}

// TestRotationAtOnce: another process stores a token between our reading and our writing.
func TestRotationAtOnce(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.google.Rotate = true
		var theirs secret.Text
		var once sync.Once
		s.google.OnToken = func() { once.Do(func() { theirs = s.connect() }) }
		first := s.token("")
		stored, _, err := s.store.Load(s.Context(), "default")
		if err != nil || stored.RefreshToken != theirs {
			s.Errorf("after both rotated the store has theirs: %t, %v, want what was first", stored.RefreshToken == theirs, err)
		}
		s.token(first)
		if s.google.Lives(theirs) {
			s.Errorf("the second refresh did not use theirs")
		}
		s.logged(disconnected, 0)
		s.logged("could not be stored", 0)
	})
}

// TestRotationThatCannotBeStored keeps what Google gave, and stores it later.
func TestRotationThatCannotBeStored(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.google.Rotate = true
		s.google.OnToken = func() { s.store.Err = fmt.Errorf("away: %w", fault.ErrUnavailable) }
		first := s.token("")
		second := s.token(first)
		time.Sleep(2 * time.Minute)
		s.logged("could not be stored", 1)
		s.google.OnToken, s.store.Err = nil, nil
		s.token(second)
		stored, _, err := s.store.Load(s.Context(), "default")
		if err != nil || !s.google.Lives(stored.RefreshToken) {
			s.Errorf("the store has a token that lives: %t, %v", s.google.Lives(stored.RefreshToken), err)
		}
		s.logged(disconnected, 0)
	})
}

func TestADeadTokenIsSaidOnce(t *testing.T) {
	run(t, func(s *station) {
		s.google.Echo = true
		s.google.End(s.connect())
		for range 20 {
			s.fails(calendar.Auth, oauth.InvalidGrant)
			time.Sleep(time.Minute)
		}
		s.asked(1)
		s.logged(disconnected, 1)
		s.logged("7 days", 1)
		s.logged("annai auth google", 2) // in both languages

		s.google.End(s.connect()) // another one, as dead
		s.fails(calendar.Auth, oauth.InvalidGrant)
		s.asked(2)
		s.logged(disconnected, 2)

		s.connect()
		time.Sleep(15 * time.Second)
		s.token("")
		s.asked(3)
		s.logged(worksAgain, 1)

		s.google.End(s.connect()) // and dead again
		time.Sleep(2 * time.Hour)
		s.fails(calendar.Auth, oauth.InvalidGrant)
		s.fails(calendar.Auth, oauth.InvalidGrant)
		s.asked(4)
		s.logged(disconnected, 3)
	})
}

// TestALivingTokenOutlivesItsMaker: until its end an access token is used, whatever became of the refresh token or of Google.
func TestALivingTokenOutlivesItsMaker(t *testing.T) {
	for name, test := range map[string]struct {
		ill  func(*station, secret.Text)
		kind calendar.Kind
		code oauth.Code
	}{
		"dead": {func(s *station, token secret.Text) { s.google.End(token) }, calendar.Auth, oauth.InvalidGrant},
		"down": {func(s *station, _ secret.Text) { s.google.Set(func(g *oauthtest.Google) { g.Down = 503 }) }, calendar.Unavailable, oauth.Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(s *station) {
				token := s.connect()
				first := s.token("")
				test.ill(s, token)
				time.Sleep(57 * time.Minute)
				s.token("") // which tries to replace it
				synctest.Wait()
				time.Sleep(2*time.Minute + 40*time.Second)
				if s.token("") != first {
					s.Errorf("Token shortly before its end = another")
				}
				time.Sleep(15 * time.Second)
				s.fails(test.kind, test.code)
			})
		})
	}
}

func TestDownAndUp(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.google.Down = http.StatusServiceUnavailable
		for range 1000 { // as busy a kiosk as there is
			s.fails(calendar.Unavailable, oauth.Unreachable)
			time.Sleep(10 * time.Millisecond)
		}
		if n := s.google.Requests(); n < 3 || n > 6 {
			s.Errorf("Google was asked %d times in 10 seconds, want 3 to 6", n)
		}
		s.logged("google gives no access token", 1)
		s.google.Set(func(g *oauthtest.Google) { g.Down = 0 })
		time.Sleep(15 * time.Second)
		s.token("")
		s.logged(worksAgain, 1)
		s.logged(disconnected, 0)
	})
}

func TestRetryAfter(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.google.Down, s.google.RetryAfter = http.StatusTooManyRequests, "40"
		_, err := s.source.Token(s.Context(), "")
		var f *calendar.Failure
		if !errors.As(err, &f) || f.RetryAfter != 40*time.Second {
			s.Errorf("Token = %v, want to be told to wait 40 seconds", err)
		}
		time.Sleep(39 * time.Second)
		s.fails(calendar.Unavailable, oauth.Unreachable)
		s.asked(1)
		s.google.Down = 0
		time.Sleep(time.Second)
		s.token("")
	})
}

func TestNothingStored(t *testing.T) {
	run(t, func(s *station) {
		s.fails(calendar.Auth, oauth.NotConnected)
		s.fails(calendar.Auth, oauth.NotConnected)
		s.connect()
		time.Sleep(15 * time.Second)
		s.token("")
		s.asked(1)
		if err := s.store.Delete(s.Context(), "default"); err != nil {
			s.Error(err)
		}
		time.Sleep(2 * time.Hour)
		s.fails(calendar.Auth, oauth.NotConnected)
		s.asked(1)
		s.logged(disconnected, 2)
	})
}

// TestABrokenAccountIsLeftAlone: however many ask, the store is read every 15 seconds.
func TestABrokenAccountIsLeftAlone(t *testing.T) {
	run(t, func(s *station) {
		s.google.End(s.connect())
		counted := &countedStore{TokenStore: s.store}
		s.source = oauth.NewSource(counted, "default", s.google.Client("http://google.test"), oauth.SourceOptions{
			Now: time.Now, Transport: oauthtest.InProcess{Handler: s.google},
		})
		for range 600 {
			s.fails(calendar.Auth, oauth.InvalidGrant)
			time.Sleep(100 * time.Millisecond)
		}
		if counted.loads != 5 { // two at first: whether another is there by now
			s.Errorf("the store was read %d times in a minute, want 5", counted.loads)
		}
	})
}

type countedStore struct {
	oauth.TokenStore

	loads int
}

func (c *countedStore) Load(ctx context.Context, account string) (oauth.Token, oauth.Version, error) {
	c.loads++
	return c.TokenStore.Load(ctx, account)
}

func TestOfAnotherClient(t *testing.T) {
	run(t, func(s *station) {
		token := s.google.Issue(oauth.OwnerScopes()...)
		if _, err := s.store.Save(s.Context(), "default", oauth.Token{RefreshToken: token, ClientID: "earlier"}, ""); err != nil {
			s.Fatal(err)
		}
		s.fails(calendar.Auth, oauth.OtherClient)
		s.asked(0)
	})
}

func TestAWrongSecret(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.google.Echo, s.google.ClientSecret = true, "changed-at-google"
		s.fails(calendar.Auth, oauth.InvalidClient)
		s.fails(calendar.Auth, oauth.InvalidClient)
		s.asked(1)
	})
}

func TestAStoreThatCannotBeRead(t *testing.T) {
	run(t, func(s *station) {
		s.connect()
		s.store.Err = fmt.Errorf("parameter store is away: %w", fault.ErrUnavailable)
		s.fails(calendar.Unavailable, oauth.Unreachable)
		s.store.Err = fmt.Errorf("no right to: %w", fault.ErrDenied)
		time.Sleep(time.Minute)
		s.fails(calendar.Auth, oauth.Unreadable)
		s.store.Err = nil
		time.Sleep(time.Minute)
		first := s.token("")
		s.store.Err = fmt.Errorf("parameter store is away: %w", fault.ErrUnavailable)
		s.token(first) // what is held will do
		s.asked(2)
	})
}

func TestGranted(t *testing.T) {
	run(t, func(s *station) {
		token := s.google.Issue(oauth.ReadScopes()...)
		if _, err := s.store.Save(s.Context(), "default", oauth.Token{RefreshToken: token, Scopes: oauth.OwnerScopes()}, ""); err != nil {
			s.Fatal(err)
		}
		granted, err := s.source.Granted(s.Context())
		if err != nil || granted.CanWrite() || !granted.CanRead() {
			s.Errorf("Granted = %q, %v, want what Google says now: to read", granted.Scopes, err)
		}
		s.google.End(token)
		if _, err := s.another().Granted(s.Context()); calendar.KindOf(err) != calendar.Auth {
			s.Errorf("Granted of a dead token = %v, want the failure auth", err)
		}
	})
}
