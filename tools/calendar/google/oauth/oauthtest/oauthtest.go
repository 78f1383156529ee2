// Package oauthtest is the suite of [oauth.TokenStore], which every store passes, and the store in memory that is the reference.
//
// The idea to hold: each sentence of the contract is a check here. The package knows no store but its own.
package oauthtest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"annai/fault"
	"annai/internal/secret"
	"annai/tools/calendar/google/oauth"
)

// Options are what a store leaves out.
type Options struct {
	// OnlyRefreshToken is for stores that have no place for the rest of a token.
	OnlyRefreshToken bool
	// OneRace is for stores of which several at once can only be told apart when there was nothing before.
	OneRace bool
}

// hidden is what no error may have in it.
const hidden = "1//not-to-be-seen"

func token(name string) oauth.Token {
	return oauth.Token{
		RefreshToken: secret.Text(hidden + name), Scopes: oauth.OwnerScopes(), ClientID: "client.example",
		Granted: time.Date(2026, 1, 15, 1, 2, 3, 0, time.UTC),
	}
}

type suite struct {
	*testing.T
	oauth.TokenStore
	opts Options
}

// Run checks a store. make returns two views of one empty store, as two processes have them.
func Run(t *testing.T, make func(*testing.T) (one, other oauth.TokenStore), opts Options) {
	for name, check := range map[string]func(suite, oauth.TokenStore){
		"what was saved is loaded":        loads,
		"swaps only the version it knows": swaps,
		"a version is not used again":     deletes,
		"accounts are apart":              accounts,
		"names and tokens are checked":    checks,
		"exactly one of many wins":        races,
	} {
		t.Run(name, func(t *testing.T) {
			one, other := make(t)
			check(suite{t, one, opts}, other)
		})
	}
}

// want checks the kind of an error, and that it holds no secret.
func (s suite) want(call string, err, kind error) {
	s.Helper()
	if !errors.Is(err, kind) {
		s.Errorf("%s = %v, want %v", call, err, kind)
	}
	if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), hidden) {
		s.Errorf("%s = %v, which has the token in it", call, err)
	}
}

func (s suite) save(account, name string, ifVersion oauth.Version) oauth.Version {
	s.Helper()
	v, err := s.Save(s.Context(), account, token(name), ifVersion)
	if err != nil || v == "" || v == ifVersion {
		s.Fatalf("Save(%s, %s, if %q) = %q, %v, want a new version", account, name, ifVersion, v, err)
	}
	return v
}

func (s suite) holds(account, name string, version oauth.Version) {
	s.Helper()
	want := token(name)
	if s.opts.OnlyRefreshToken {
		want = oauth.Token{RefreshToken: want.RefreshToken}
	}
	got, v, err := s.Load(s.Context(), account)
	if err != nil || v != version {
		s.Errorf("Load(%s) = version %q, %v, want %q", account, v, err, version)
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Comparer(func(a, b secret.Text) bool { return a == b })); diff != "" || got.RefreshToken != want.RefreshToken {
		s.Errorf("Load(%s) (-want +got):\n%s", account, diff)
	}
}

func loads(s suite, other oauth.TokenStore) {
	_, v, err := s.Load(s.Context(), "default")
	s.want("Load(default) of nothing", err, fault.ErrNotFound)
	if v != "" {
		s.Errorf("Load(default) of nothing = version %q, want none", v)
	}
	version := s.save("default", "a", "")
	s.holds("default", "a", version)
	suite{s.T, other, s.opts}.holds("default", "a", version)
	got, _, err := s.Load(s.Context(), "default")
	if err == nil && len(got.Scopes) > 0 {
		got.Scopes[0] = "changed by the caller"
		s.holds("default", "a", version)
	}
}

func swaps(s suite, other oauth.TokenStore) {
	first := s.save("default", "a", "")
	_, err := other.Save(s.Context(), "default", token("b"), "")
	s.want("Save(default, if none) where one is", err, fault.ErrConflict)
	second := suite{s.T, other, s.opts}.save("default", "b", first)
	_, err = s.Save(s.Context(), "default", token("c"), first)
	s.want("Save(default, if an old version)", err, fault.ErrConflict)
	_, err = s.Save(s.Context(), "other", token("c"), first)
	s.want("Save(other, if a version of default)", err, fault.ErrConflict)
	s.holds("default", "b", second)
	third := s.save("default", "b", second) // the same contents are a version of their own
	s.holds("default", "b", third)
}

func deletes(s suite, other oauth.TokenStore) {
	s.want("Delete(default) of nothing", s.Delete(s.Context(), "default"), fault.ErrNotFound)
	first := s.save("default", "a", "")
	if err := other.Delete(s.Context(), "default"); err != nil {
		s.Fatalf("Delete(default) = %v", err)
	}
	_, _, err := s.Load(s.Context(), "default")
	s.want("Load(default) after Delete", err, fault.ErrNotFound)
	_, err = s.Save(s.Context(), "default", token("b"), first)
	s.want("Save(default, if a deleted version)", err, fault.ErrConflict)
	if second := s.save("default", "b", ""); second == first {
		s.Errorf("Save after Delete = version %q again", second)
	}
	_, err = s.Save(s.Context(), "default", token("c"), first)
	s.want("Save(default, if a version from before Delete)", err, fault.ErrConflict)
}

func accounts(s suite, other oauth.TokenStore) {
	s.accounts()
	b := s.save("b", "b", "")
	a := s.save("a-1", "a", "")
	d := s.save("default", "d", "")
	suite{s.T, other, s.opts}.accounts("a-1", "b", "default")
	s.holds("b", "b", b)
	if err := s.Delete(s.Context(), "b"); err != nil {
		s.Errorf("Delete(b) = %v", err)
	}
	s.accounts("a-1", "default")
	s.holds("a-1", "a", a)
	s.holds("default", "d", d)
}

func (s suite) accounts(want ...string) {
	s.Helper()
	got, err := s.Accounts(s.Context())
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
		s.Errorf("Accounts() = %v (-want +got):\n%s", err, diff)
	}
}

func checks(s suite, _ oauth.TokenStore) {
	for _, account := range []string{"", "../default", "Default", "a b", "default\x00", strings.Repeat("a", 65), "/etc/passwd", "名前"} {
		_, _, err := s.Load(s.Context(), account)
		s.want(fmt.Sprintf("Load(%q)", account), err, fault.ErrInvalid)
		_, err = s.Save(s.Context(), account, token("a"), "")
		s.want(fmt.Sprintf("Save(%q)", account), err, fault.ErrInvalid)
		s.want(fmt.Sprintf("Delete(%q)", account), s.Delete(s.Context(), account), fault.ErrInvalid)
	}
	_, err := s.Save(s.Context(), "default", oauth.Token{ClientID: "x"}, "")
	s.want("Save(default, without a refresh token)", err, fault.ErrInvalid)
	s.accounts()
}

// races lets both views save at once, from nothing and from a known version.
func races(s suite, other oauth.TokenStore) {
	const each = 8
	rounds := 5
	if s.opts.OneRace {
		rounds = 1
	}
	var version oauth.Version
	for range rounds {
		var group sync.WaitGroup
		won := make(chan oauth.Version, 2*each)
		for i := range 2 * each {
			store := []oauth.TokenStore{s.TokenStore, other}[i%2]
			group.Go(func() {
				v, err := store.Save(s.Context(), "default", token(fmt.Sprint(i)), version)
				if err == nil {
					won <- v
				} else {
					s.want("Save(default) at once with others", err, fault.ErrConflict)
				}
			})
		}
		group.Wait()
		close(won)
		if len(won) != 1 {
			s.Fatalf("%d of %d saves at once succeeded, want 1", len(won), 2*each)
		}
		version = <-won
		if _, v, err := s.Load(s.Context(), "default"); v != version || err != nil {
			s.Errorf("Load(default) = version %q, %v, want the winner's, %q", v, err, version)
		}
	}
}

// RunReadOnly checks a store that is only read, which holds refreshToken for [oauth.DefaultAccount].
func RunReadOnly(t *testing.T, store oauth.TokenStore, refreshToken secret.Text) {
	s := suite{T: t, TokenStore: store}
	got, v, err := s.Load(t.Context(), oauth.DefaultAccount)
	if err != nil || got.RefreshToken != refreshToken || v == "" {
		t.Errorf("Load(default) = version %q, %v, and the right token: %t", v, err, got.RefreshToken == refreshToken)
	}
	_, err = s.Save(t.Context(), oauth.DefaultAccount, token("x"), v)
	s.want("Save(default)", err, fault.ErrDenied)
	s.want("Delete(default)", s.Delete(t.Context(), oauth.DefaultAccount), fault.ErrDenied)
	_, _, err = s.Load(t.Context(), "other")
	s.want("Load(other)", err, fault.ErrNotFound)
	_, _, err = s.Load(t.Context(), "NO")
	s.want("Load(NO)", err, fault.ErrInvalid)
	s.accounts(oauth.DefaultAccount)
}
