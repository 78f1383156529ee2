package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"annai/fault"
	"annai/internal/secret"
)

// An EnvStore holds the one token that the process was started with, for [DefaultAccount]. It is only read: whoever set it must change it.
type EnvStore struct {
	// RefreshToken is the token; empty means that there is none.
	RefreshToken secret.Text
	// ClientID is the client that the token was given to. It may be empty.
	ClientID string
}

// Load implements [TokenStore].
func (s EnvStore) Load(_ context.Context, account string) (Token, Version, error) {
	if err := CheckAccount(account); err != nil {
		return Token{}, "", err
	}
	if account != DefaultAccount || s.RefreshToken == "" {
		return Token{}, "", fmt.Errorf("account %s has no token in the settings: %w", account, fault.ErrNotFound)
	}
	sum := sha256.Sum256([]byte(s.RefreshToken))
	return Token{RefreshToken: s.RefreshToken, ClientID: s.ClientID}, Version(hex.EncodeToString(sum[:8])), nil
}

// Save implements [TokenStore]: it is refused.
func (s EnvStore) Save(_ context.Context, account string, t Token, _ Version) (Version, error) {
	if err := CheckAccount(account); err != nil {
		return "", err
	}
	if t.RefreshToken == "" {
		return "", fmt.Errorf("save account %s: no refresh token: %w", account, fault.ErrInvalid)
	}
	return "", fmt.Errorf("save account %s: the token comes from the settings (google-calendar-refresh-token), which annai does not change: %w", account, fault.ErrDenied)
}

// Delete implements [TokenStore]: it is refused.
func (s EnvStore) Delete(ctx context.Context, account string) error {
	if _, _, err := s.Load(ctx, account); err != nil {
		return err
	}
	return fmt.Errorf("delete account %s: the token comes from the settings (google-calendar-refresh-token), which annai does not change: %w", account, fault.ErrDenied)
}

// Accounts implements [TokenStore].
func (s EnvStore) Accounts(context.Context) ([]string, error) {
	if s.RefreshToken == "" {
		return nil, nil
	}
	return []string{DefaultAccount}, nil
}
