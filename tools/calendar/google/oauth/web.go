package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"annai/fault"
)

// Web is the flow for an owner at the server's console: [Web.Begin] or [Web.Start], of which the caller says who may, and [Web.Callback], which
// takes only what was begun in the same browser and so needs no key.
type Web struct {
	Flow *Flow
	// Redirect is the address of Callback as Google and the owner's browser know it, https in earnest.
	Redirect string
	// Scopes are asked for.
	Scopes []string
	// Save stores what the owner agreed to.
	Save func(ctx context.Context, g Grant) error
	// Log receives a line per outcome. Nil discards them.
	Log *slog.Logger
}

// cookie ties an attempt to the browser that began it: without it, anybody could send an operator an address with which the operator's server
// is connected to somebody else's calendar. It holds a digest of the state.
const cookie = "annai_google_state"

// Begin returns the page at Google that the browser must go to, and adds the headers that tie the attempt to this browser. It is for a console
// that asks with a key, which a browser does not send when it is sent somewhere.
func (s Web) Begin(w http.ResponseWriter) (page string, err error) {
	page, state, err := s.Flow.Begin(s.Redirect, s.Scopes)
	if err != nil {
		return "", err
	}
	http.SetCookie(w, s.cookie(digest(state), int(s.Flow.opts.Lifetime.Seconds())))
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	return page, nil
}

// Start sends the browser to Google.
func (s Web) Start(w http.ResponseWriter, r *http.Request) {
	page, err := s.Begin(w)
	if err != nil {
		s.log().ErrorContext(r.Context(), "google calendar could not be connected", "err", err)
		answerPage(w, err)
		return
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
}

// Callback is where Google sends the browser back to.
func (s Web) Callback(w http.ResponseWriter, r *http.Request) {
	err := s.finish(r)
	if err != nil {
		s.log().ErrorContext(r.Context(), "google calendar could not be connected", "err", err)
	} else {
		s.log().InfoContext(r.Context(), "google calendar is connected")
	}
	http.SetCookie(w, s.cookie("", -1))
	answerPage(w, err)
}

func (s Web) finish(r *http.Request) error {
	if c, err := r.Cookie(cookie); err != nil || c.Value != digest(r.URL.Query().Get("state")) {
		return &Problem{Code: StateMismatch}
	}
	redirected, err := url.Parse(s.Redirect)
	if err != nil {
		return fault.ErrInvalid
	}
	redirected.RawQuery = r.URL.RawQuery
	ctx := context.WithoutCancel(r.Context()) // the code is used up, whether the browser waits or not
	grant, err := s.Flow.Finish(ctx, redirected.String())
	if err != nil {
		return err
	}
	return s.Save(ctx, grant)
}

func (s Web) cookie(value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: cookie, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: strings.HasPrefix(s.Redirect, "https:"), SameSite: http.SameSiteLaxMode, // Lax: Google sends the browser here
	}
}

func (s Web) log() *slog.Logger {
	if s.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Log
}

func digest(state string) string {
	sum := sha256.Sum256([]byte(state))
	return hex.EncodeToString(sum[:])
}
