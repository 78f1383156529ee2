package oauth

import (
	"context"
	"errors"
	"time"

	"golang.org/x/oauth2"

	"annai/fault"
	"annai/internal/secret"
)

// held is the refresh token as this process knows it.
type held struct {
	token   Token
	version Version
	// unsaved is a refresh token that Google gave in place of the stored one of that version, and that could not be stored yet.
	unsaved bool
	// dead is why Google refused the held version; nil while it did not.
	dead *Problem
}

// refresh makes an access token: with what is stored, and where Google refuses that, with what another process stored meanwhile.
func (s *Source) refresh(ctx context.Context) (Access, []string, *Problem) {
	const tries = 3 // each with another stored token
	for range tries {
		if p := s.load(ctx); p != nil {
			return Access{}, nil, p
		}
		if s.held.dead != nil {
			return Access{}, nil, s.held.dead
		}
		access, granted, p := s.ask(ctx)
		if p == nil || p.Code == Unreachable {
			return access, granted, p
		}
		p.version = s.held.version
		s.held.dead = p // and look whether another is stored
	}
	return Access{}, nil, s.held.dead
}

// load reads what is stored. While the store can't be reached, what is held will do.
func (s *Source) load(ctx context.Context) *Problem {
	t, v, err := s.store.Load(ctx, s.account)
	var p *Problem
	switch {
	case errors.Is(err, fault.ErrNotFound):
		s.held = held{}
		return &Problem{Code: NotConnected}
	case errors.As(err, &p) && p.Code == Unreadable:
		return p
	case errors.Is(err, fault.ErrDenied):
		return &Problem{Code: Unreadable, Detail: clean(err.Error(), s.client.Secret, s.held.token.RefreshToken)}
	case err != nil && s.held.token.RefreshToken != "":
		return nil
	case err != nil:
		return &Problem{Code: Unreachable, Detail: "the stored token: " + clean(err.Error(), s.client.Secret)}
	}
	if s.held.unsaved && v == s.held.version {
		s.save(ctx, s.held.token)
		return nil
	}
	if v != s.held.version {
		s.held = held{token: t, version: v}
	}
	return nil
}

// ask makes an access token of what is held.
func (s *Source) ask(ctx context.Context) (Access, []string, *Problem) {
	t := s.held.token
	if t.ClientID != "" && s.client.ID != "" && t.ClientID != s.client.ID {
		return Access{}, nil, &Problem{Code: OtherClient}
	}
	asked := s.opts.Now()
	ctx = context.WithValue(ctx, oauth2.HTTPClient, httpClient(s.opts.Transport))
	got, err := s.client.config("", nil).TokenSource(ctx, &oauth2.Token{RefreshToken: string(t.RefreshToken)}).Token()
	if err != nil {
		return Access{}, nil, problemOf(err, s.client.Secret, t.RefreshToken)
	}
	if got.RefreshToken != string(t.RefreshToken) {
		rotated := t
		rotated.RefreshToken = secret.Text(got.RefreshToken)
		s.save(ctx, rotated)
	}
	granted := scopesOf(got)
	if len(granted) == 0 {
		granted = t.Scopes
	}
	life := s.opts.Lifetime
	if got.ExpiresIn > 0 {
		life = time.Duration(got.ExpiresIn) * time.Second
	}
	return Access{Token: secret.Text(got.AccessToken), Expiry: asked.Add(life)}, granted, nil
}

// save stores a refresh token that Google gave in place of the held one. Where another process stored one first, that is held from now on;
// where it can't be stored now, it is held and stored later.
func (s *Source) save(ctx context.Context, t Token) {
	v, err := s.store.Save(ctx, s.account, t, s.held.version)
	if errors.Is(err, fault.ErrConflict) {
		var theirs Token
		if theirs, v, err = s.store.Load(ctx, s.account); err == nil {
			t = theirs
		}
	}
	if err == nil {
		s.held = held{token: t, version: v}
		return
	}
	if !s.held.unsaved {
		s.opts.Log.Error("google gave a new refresh token, which could not be stored; it is lost when this process ends",
			"account", s.account, "err", clean(err.Error(), t.RefreshToken, s.held.token.RefreshToken, s.client.Secret))
	}
	s.held.token, s.held.unsaved = t, true
}
