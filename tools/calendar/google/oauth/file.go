package oauth

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"annai/fault"
	"annai/internal/privatefile"
	"annai/internal/secret"
)

// FileOptions are the settings of a [FileStore] that have a default.
type FileOptions struct {
	// Key is 32 bytes with which tokens are encrypted. Nil is the key in the file google.key of the folder, which is made when the first token
	// is saved.
	Key []byte
}

// A FileStore keeps each token in a file of a folder, encrypted with AES-256-GCM. The name of the account and the version are part of what is
// sealed, so that a file of another account, or a part of an older one, does not open. Files are replaced whole, and a lock lets one process
// at a time do so.
type FileStore struct {
	dir string
	key []byte
}

// NewFileStore returns a store in dir, which is made when the first token is saved. A key that is not 32 bytes is [fault.ErrInvalid].
func NewFileStore(dir string, opts FileOptions) (*FileStore, error) {
	if opts.Key != nil && len(opts.Key) != keySize {
		return nil, fmt.Errorf("a key of %d bytes, not %d: %w", len(opts.Key), keySize, fault.ErrInvalid)
	}
	return &FileStore{dir: dir, key: slices.Clone(opts.Key)}, nil
}

const (
	keySize     = 32
	keyFileName = "google.key"
	lockName    = "google.lock"
	filePrefix  = "google-"
	fileSuffix  = ".token"
	fileFormat  = 1
	maxFile     = 64 << 10
)

// envelope is a file. Only Sealed is secret.
type envelope struct {
	Format  int    `json:"annai_google_token"`
	Account string `json:"account"`
	Version string `json:"version"`
	// Key tells keys apart.
	Key    string `json:"key"`
	Sealed string `json:"sealed"` // nonce and ciphertext, in base64
}

// content is what is sealed.
type content struct {
	RefreshToken string    `json:"refresh_token"`
	Scopes       []string  `json:"scopes,omitempty"`
	ClientID     string    `json:"client_id,omitempty"`
	Granted      time.Time `json:"granted,omitzero"`
}

func (s *FileStore) path(account string) string {
	return filepath.Join(s.dir, filePrefix+account+fileSuffix)
}

func (s *FileStore) keyPath() string { return filepath.Join(s.dir, keyFileName) }

// Load implements [TokenStore].
func (s *FileStore) Load(_ context.Context, account string) (Token, Version, error) {
	e, err := s.read(account)
	if err != nil {
		return Token{}, "", err
	}
	key, err := s.readKey()
	if errors.Is(err, fs.ErrNotExist) {
		return Token{}, "", unreadable("%s can't be read: its key, %s, is gone; put it back, or connect again", s.path(account), s.keyPath())
	} else if err != nil {
		return Token{}, "", err
	}
	if e.Key != fingerprint(key) {
		return Token{}, "", unreadable("%s was encrypted with another key; set that key again, or connect again", s.path(account))
	}
	t, err := open(key, e)
	if err != nil {
		return Token{}, "", unreadable("%s was changed or is damaged; connect again", s.path(account))
	}
	return t, Version(e.Version), nil
}

// read returns the file of an account, whose contents may still not open.
func (s *FileStore) read(account string) (envelope, error) {
	if err := CheckAccount(account); err != nil {
		return envelope{}, err
	}
	path := s.path(account)
	data, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return envelope{}, fmt.Errorf("account %s has no token in %s: %w", account, s.dir, fault.ErrNotFound)
	} else if err != nil {
		return envelope{}, s.failed("read", err)
	}
	var e envelope
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	switch err := decoder.Decode(&e); {
	case e.Format > fileFormat:
		return envelope{}, unreadable("%s was written by a newer annai; use that one, or connect again", path)
	case err != nil || e.Format != fileFormat || e.Version == "" || e.Sealed == "" || decoder.More():
		return envelope{}, unreadable("%s is damaged, or no token of annai; connect again", path)
	case e.Account != account:
		return envelope{}, unreadable("%s is the token of another account, %.70q; move it back, or connect again", path, e.Account)
	}
	return e, nil
}

func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// unreadable says in a sentence why what is there can't be used.
func unreadable(format string, args ...any) error {
	return &Problem{Code: Unreadable, Detail: fmt.Sprintf(format, args...)}
}

// failed is an error of the file system, with its kind.
func (s *FileStore) failed(doing string, err error) error {
	kind := fault.ErrUnavailable
	if errors.Is(err, fs.ErrPermission) || readOnly(err) {
		kind = fault.ErrDenied
	}
	var path *fs.PathError
	if errors.As(err, &path) { // which names a file that means nothing to anybody
		err = path.Err
	}
	return fmt.Errorf("the folder %s, where tokens are, can't be %s: %w: %w", s.dir, doing, err, kind)
}

// Save implements [TokenStore].
func (s *FileStore) Save(ctx context.Context, account string, t Token, ifVersion Version) (Version, error) {
	if t.RefreshToken == "" {
		return "", fmt.Errorf("save account %s: no refresh token: %w", account, fault.ErrInvalid)
	}
	unlock, err := s.lock(ctx, account)
	if err != nil {
		return "", err
	}
	defer unlock()
	e, err := s.read(account)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return "", err
	}
	if Version(e.Version) != ifVersion {
		return "", fmt.Errorf("save account %s: it was changed meanwhile: %w", account, fault.ErrConflict)
	}
	key, err := s.makeKey()
	if err != nil {
		return "", err
	}
	sealed, err := seal(key, account, t)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(sealed)
	if err != nil {
		return "", err
	}
	if err := privatefile.Replace(s.path(account), append(data, '\n')); err != nil {
		return "", s.failed("written", err)
	}
	return Version(sealed.Version), nil
}

// Delete implements [TokenStore].
func (s *FileStore) Delete(ctx context.Context, account string) error {
	if err := CheckAccount(account); err != nil {
		return err
	}
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("account %s has no token in %s: %w", account, s.dir, fault.ErrNotFound)
	}
	unlock, err := s.lock(ctx, account)
	if err != nil {
		return err
	}
	defer unlock()
	switch err := os.Remove(s.path(account)); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("account %s has no token in %s: %w", account, s.dir, fault.ErrNotFound)
	case err != nil:
		return s.failed("written", err)
	}
	if err := privatefile.SyncFolder(s.dir); err != nil {
		return s.failed("written", err)
	}
	return nil
}

// Accounts implements [TokenStore].
func (s *FileStore) Accounts(context.Context) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, s.failed("read", err)
	}
	var names []string
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), filePrefix)
		name, token := strings.CutSuffix(name, fileSuffix)
		if ours && token && CheckAccount(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// lock waits until no other process changes the folder, and makes the folder if need be.
func (s *FileStore) lock(ctx context.Context, account string) (unlock func(), err error) {
	if err := CheckAccount(account); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, s.failed("written", err)
	}
	f, err := os.OpenFile(filepath.Join(s.dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, s.failed("written", err)
	}
	if err := privatefile.Lock(ctx, f); err != nil {
		return nil, errors.Join(s.failed("locked", err), f.Close())
	}
	return func() { _ = f.Close() }, nil // which ends the lock
}

// readKey returns the key; fs.ErrNotExist where it is in no file yet.
func (s *FileStore) readKey() ([]byte, error) {
	if s.key != nil {
		return s.key, nil
	}
	text, err := readSmall(s.keyPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	} else if err != nil {
		return nil, s.failed("read", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keySize {
		return nil, unreadable("%s is no key: it should have %d hexadecimal digits; put the right one back, or delete it and connect again", s.keyPath(), 2*keySize)
	}
	return key, nil
}

// makeKey returns the key, and makes one where there is none. The folder is locked.
func (s *FileStore) makeKey() ([]byte, error) {
	key, err := s.readKey()
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	key = make([]byte, keySize)
	_, _ = rand.Read(key) // it never fails
	if err := privatefile.Replace(s.keyPath(), []byte(hex.EncodeToString(key)+"\n")); err != nil {
		return nil, s.failed("written", err)
	}
	return key, nil
}

// seal encrypts a token under a version of its own.
func seal(key []byte, account string, t Token) (envelope, error) {
	plain, err := json.Marshal(content{string(t.RefreshToken), t.Scopes, t.ClientID, t.Granted})
	if err != nil {
		return envelope{}, err
	}
	aead, err := newGCM(key)
	if err != nil {
		return envelope{}, err
	}
	e := envelope{Format: fileFormat, Account: account, Version: rand.Text(), Key: fingerprint(key)}
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // it never fails
	e.Sealed = base64.StdEncoding.EncodeToString(aead.Seal(nonce, nonce, plain, e.bound()))
	return e, nil
}

// open is the reverse of seal.
func open(key []byte, e envelope) (Token, error) {
	aead, err := newGCM(key)
	if err != nil {
		return Token{}, err
	}
	sealed, err := base64.StdEncoding.DecodeString(e.Sealed)
	if err != nil {
		return Token{}, err
	}
	if len(sealed) < aead.NonceSize() {
		return Token{}, io.ErrUnexpectedEOF
	}
	plain, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], e.bound())
	if err != nil {
		return Token{}, err
	}
	var c content
	if err := json.Unmarshal(plain, &c); err != nil {
		return Token{}, err
	}
	return Token{RefreshToken: secret.Text(c.RefreshToken), Scopes: c.Scopes, ClientID: c.ClientID, Granted: c.Granted}, nil
}

// bound is what a seal holds together with its contents. No part has a zero byte in it.
func (e envelope) bound() []byte {
	return fmt.Appendf(nil, "annai google token %d\x00%s\x00%s", e.Format, e.Account, e.Version)
}

func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// fingerprint tells keys apart and says nothing else of them.
func fingerprint(key []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("annai google token key"))
	return hex.EncodeToString(mac.Sum(nil)[:4])
}
