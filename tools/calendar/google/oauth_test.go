package google_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"annai/internal/secret"
	"annai/tools/calendar"
	"annai/tools/calendar/google"
	"annai/tools/calendar/google/emulator"
	"annai/tools/calendar/google/oauth"
	"annai/tools/calendar/google/oauth/oauthtest"
	"annai/tools/calendar/mirror"
)

// A refresh token that dies: writes say that the owner has to sign in, the mirror goes on answering, and after the owner signed in all is
// well without a restart.
func TestRefreshTokenDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reflection{}
		r.Emulator = emulator.New(emulator.Options{Now: time.Now})
		transport := inProcess{r.Emulator, &r.running}
		store := new(oauthtest.MemStore)
		signIn := func() {
			_, version, _ := store.Load(t.Context(), oauth.DefaultAccount)
			if _, err := store.Save(t.Context(), oauth.DefaultAccount, oauth.Token{RefreshToken: secret.Text(r.RefreshToken())}, version); err != nil {
				t.Fatal(err)
			}
		}
		signIn()
		client := oauth.Client{ID: "emulator-client", Secret: "emulator-secret", TokenURL: "http://google.invalid/token"}
		source := oauth.NewSource(store, oauth.DefaultAccount, client, oauth.SourceOptions{Now: time.Now, Transport: transport})
		defer source.Close()
		account, err := google.NewAccount(source, google.Options{Now: time.Now, BaseURL: base, Client: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		c := account.Calendar(google.Primary)
		m, err := mirror.New(c, mirror.Options{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		w := m.Writer(c)
		synctest.Wait()
		if _, err := w.Create(t.Context(), aLunch(t)); err != nil {
			t.Fatalf("Create = %v", err)
		}
		r.RevokeAll()
		dinner := aLunch(t)
		dinner.ID = "dinner"
		_, err = w.Create(t.Context(), dinner)
		if calendar.KindOf(err) != calendar.Auth {
			t.Errorf("Create after the owner took the consent back = %v, want kind auth", err)
		}
		if got, err := w.Events(t.Context(), theDay(t)); err != nil || len(got.Events) != 1 {
			t.Errorf("Events after the owner took the consent back = %+v, %v, want the copy", got.Events, err)
		}
		time.Sleep(20 * time.Minute)
		if got, err := w.Events(t.Context(), theDay(t)); err != nil || got.Complete {
			t.Errorf("Events twenty minutes later = complete %v, %v, want the copy, not complete", got.Complete, err)
		}
		signIn()
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if got, err := w.Events(t.Context(), theDay(t)); err != nil || !got.Complete {
			t.Errorf("Events after the owner signed in again = complete %v, %v, want it complete", got.Complete, err)
		}
		if _, err = w.Create(t.Context(), dinner); err != nil {
			t.Errorf("Create after the owner signed in again = %v, want it done", err)
		}
	})
}
