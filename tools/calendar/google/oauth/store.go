package oauth

import "context"

// A Version names one state of what is stored for an account. It is never used again, not even after a [TokenStore.Delete]. The empty one
// means that nothing is stored.
type Version string

// A TokenStore keeps a token for each account. It is safe for concurrent use, by several processes too.
//
// A name that [CheckAccount] refuses is [fault.ErrInvalid]. A store that can't be reached now is [fault.ErrUnavailable]. What is there and
// can't be read, because of another key or because it is damaged, is [fault.ErrDenied], with one sentence that says what to do. No error has
// a token in it.
type TokenStore interface {
	// Load returns the token and its version. Where none is stored: [fault.ErrNotFound].
	Load(ctx context.Context, account string) (Token, Version, error)
	// Save stores the token if the version that is stored is ifVersion ("" means none), and returns its new version. Where it is another:
	// [fault.ErrConflict]. Of several at once exactly one succeeds. A token without a RefreshToken is [fault.ErrInvalid]. A store that is only
	// read is [fault.ErrDenied]. Stores that have no place for it may leave out everything but the RefreshToken.
	Save(ctx context.Context, account string, t Token, ifVersion Version) (Version, error)
	// Delete removes the token, whatever its version. Where none is stored: [fault.ErrNotFound]. A store that is only read is [fault.ErrDenied].
	Delete(ctx context.Context, account string) error
	// Accounts returns the names that have a token, sorted. Not knowing whether what is stored can be read, it may name some that can't.
	Accounts(ctx context.Context) ([]string, error)
}
