package oauth_test

import (
	"testing"

	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
)

func TestMemStore(t *testing.T) {
	oauthtest.Run(t, func(*testing.T) (one, other oauth.TokenStore) {
		s := new(oauthtest.MemStore)
		return s, s
	}, oauthtest.Options{})
}

func TestFileStore(t *testing.T) {
	for name, key := range map[string][]byte{"with a key": make([]byte, 32), "with a key made for it": nil} {
		t.Run(name, func(t *testing.T) {
			oauthtest.Run(t, func(t *testing.T) (one, other oauth.TokenStore) {
				dir := t.TempDir() + "/data"
				return fileStore(t, dir, key), fileStore(t, dir, key)
			}, oauthtest.Options{})
		})
	}
}

func TestEnvStore(t *testing.T) {
	oauthtest.RunReadOnly(t, oauth.EnvStore{RefreshToken: "1//env", ClientID: "c"}, "1//env")
	if accounts, err := (oauth.EnvStore{}).Accounts(t.Context()); len(accounts) > 0 || err != nil {
		t.Errorf("Accounts() without a token = %v, %v, want none", accounts, err)
	}
}

func fileStore(t *testing.T, dir string, key []byte) *oauth.FileStore {
	t.Helper()
	s, err := oauth.NewFileStore(dir, oauth.FileOptions{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
