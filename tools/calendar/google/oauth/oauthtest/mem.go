package oauthtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"annai/fault"
	"annai/tools/calendar/google/oauth"
)

// MemStore keeps tokens in memory: the reference of the contract. Its zero value is empty and ready.
type MemStore struct {
	// Err, if not nil, is what each call returns. It may be set while no call is under way.
	Err error

	mu    sync.Mutex
	rows  map[string]row
	count int
}

type row struct {
	token   oauth.Token
	version oauth.Version
}

// Load implements [oauth.TokenStore].
func (s *MemStore) Load(_ context.Context, account string) (oauth.Token, oauth.Version, error) {
	if err := s.check(account); err != nil {
		return oauth.Token{}, "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.rows[account]
	if !ok {
		return oauth.Token{}, "", fmt.Errorf("account %s has no token: %w", account, fault.ErrNotFound)
	}
	r.token.Scopes = slices.Clone(r.token.Scopes)
	return r.token, r.version, nil
}

// Save implements [oauth.TokenStore].
func (s *MemStore) Save(_ context.Context, account string, t oauth.Token, ifVersion oauth.Version) (oauth.Version, error) {
	if err := s.check(account); err != nil {
		return "", err
	}
	if t.RefreshToken == "" {
		return "", fmt.Errorf("save account %s: no refresh token: %w", account, fault.ErrInvalid)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows[account].version != ifVersion {
		return "", fmt.Errorf("save account %s: %w", account, fault.ErrConflict)
	}
	if s.rows == nil {
		s.rows = map[string]row{}
	}
	s.count++
	version := oauth.Version(strconv.Itoa(s.count))
	t.Scopes = slices.Clone(t.Scopes)
	s.rows[account] = row{t, version}
	return version, nil
}

// Delete implements [oauth.TokenStore].
func (s *MemStore) Delete(_ context.Context, account string) error {
	if err := s.check(account); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.rows[account]; !ok {
		return fmt.Errorf("account %s has no token: %w", account, fault.ErrNotFound)
	}
	delete(s.rows, account)
	return nil
}

// Accounts implements [oauth.TokenStore].
func (s *MemStore) Accounts(context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.rows)), s.Err
}

func (s *MemStore) check(account string) error {
	if s.Err != nil {
		return s.Err
	}
	return oauth.CheckAccount(account)
}
