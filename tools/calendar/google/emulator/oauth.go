package emulator

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The addresses of the OAuth half.
const (
	AuthPath      = "/o/oauth2/v2/auth"
	TokenPath     = "/token"
	RevokePath    = "/revoke"
	TokenInfoPath = "/tokeninfo"
)

// oauthRoutes: "oauth.auth", "oauth.token", "oauth.revoke" and "oauth.tokeninfo" are the names of these requests.
func (e *Emulator) oauthRoutes() {
	e.mux.HandleFunc("GET "+AuthPath, e.faulty("oauth.auth", e.askConsent))
	e.mux.HandleFunc("POST "+AuthPath, e.faulty("oauth.consent", e.giveConsent))
	e.mux.HandleFunc("POST "+TokenPath, e.faulty("oauth.token", e.token))
	e.mux.HandleFunc("POST "+RevokePath, e.faulty("oauth.revoke", e.revoke))
	e.mux.HandleFunc(TokenInfoPath, e.faulty("oauth.tokeninfo", e.tokenInfo))
}

// consentPage is what the owner sees.
var consentPage = template.Must(template.New("consent").Parse(`<!DOCTYPE html>
<html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Calendar emulator</title></head>
<body><h1>Calendar emulator</h1>
<p>{{.Client}} が {{.Email}} のカレンダーの利用を求めています。</p>
<p lang="en">{{.Client}} asks to use the calendars of {{.Email}}.</p>
<ul>{{range .Scopes}}<li>{{.}}</li>{{end}}</ul>
<form method="post"><button>許可する / Allow</button></form>
</body></html>
`))

func (e *Emulator) askConsent(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if problem := e.checkConsent(q); problem != "" {
		http.Error(w, "Error 400: "+problem, http.StatusBadRequest)
		return
	}
	if e.opts.OAuth.AutoApprove || e.opts.OAuth.Deny {
		e.giveConsent(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = consentPage.Execute(w, map[string]any{
		"Client": q.Get("client_id"), "Email": e.opts.Email, "Scopes": strings.Fields(q.Get("scope")),
	}) // the connection is gone
}

// checkConsent says what is wrong with a request for consent, or nothing.
func (e *Emulator) checkConsent(q url.Values) string {
	switch {
	case q.Get("client_id") != e.opts.OAuth.ClientID:
		return "invalid_client"
	case !e.mayReturnTo(q.Get("redirect_uri")):
		return "redirect_uri_mismatch"
	case q.Get("response_type") != "code", strings.TrimSpace(q.Get("scope")) == "":
		return "invalid_request"
	case q.Get("code_challenge") != "" && q.Get("code_challenge_method") != "S256":
		return "invalid_request: only the S256 code challenge is known here"
	}
	return ""
}

// mayReturnTo reports whether an address may be told a code: those of this machine, and what the settings name.
func (e *Emulator) mayReturnTo(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Fragment != "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	loopback := u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
	return loopback || slices.Contains(e.opts.OAuth.RedirectURIs, address)
}

// giveConsent sends the browser back with a code.
func (e *Emulator) giveConsent(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if problem := e.checkConsent(q); problem != "" {
		http.Error(w, "Error 400: "+problem, http.StatusBadRequest)
		return
	}
	back, _ := url.Parse(q.Get("redirect_uri")) // it was parsed in checkConsent
	answer := back.Query()
	if state := q.Get("state"); state != "" {
		answer.Set("state", state)
	}
	if scopes := e.grantable(strings.Fields(q.Get("scope"))); e.opts.OAuth.Deny || len(scopes) == 0 {
		answer.Set("error", "access_denied")
	} else {
		answer.Set("code", e.newCode(q, scopes))
		answer.Set("scope", strings.Join(scopes, " "))
	}
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (e *Emulator) grantable(asked []string) []string {
	if e.opts.OAuth.Grant == nil {
		return asked
	}
	return slices.DeleteFunc(asked, func(scope string) bool { return !slices.Contains(e.opts.OAuth.Grant, scope) })
}

// An oauthError is an error in the form of OAuth.
type oauthError struct {
	code              int
	name, description string
}

var errGrant = oauthError{http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked."}

func (o oauthError) write(w http.ResponseWriter) {
	body := map[string]string{"error": o.name}
	if o.description != "" {
		body["error_description"] = o.description
	}
	writeJSON(w, o.code, body)
}

func (e *Emulator) token(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		oauthError{http.StatusBadRequest, "invalid_request", "Bad Request"}.write(w)
		return
	}
	if problem := e.checkClient(r); problem != nil {
		problem.write(w)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		e.redeem(w, r.PostForm)
	case "refresh_token":
		e.renew(w, r.PostForm.Get("refresh_token"))
	default:
		oauthError{http.StatusBadRequest, "unsupported_grant_type", "Invalid grant_type: " + r.PostForm.Get("grant_type")}.write(w)
	}
}

// checkClient checks which program it is, by the form or by basic authentication.
func (e *Emulator) checkClient(r *http.Request) *oauthError {
	id, secret := r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	if name, password, ok := r.BasicAuth(); ok {
		id, _ = url.QueryUnescape(name)
		secret, _ = url.QueryUnescape(password)
	}
	switch {
	case id != e.opts.OAuth.ClientID:
		return &oauthError{http.StatusUnauthorized, "invalid_client", "The OAuth client was not found."}
	case secret == "":
		return &oauthError{http.StatusBadRequest, "invalid_request", "client_secret is missing."}
	case subtle.ConstantTimeCompare([]byte(secret), []byte(e.opts.OAuth.ClientSecret)) != 1:
		return &oauthError{http.StatusUnauthorized, "invalid_client", "Unauthorized"}
	}
	return nil
}

// redeem gives tokens for a code, once.
func (e *Emulator) redeem(w http.ResponseWriter, form url.Values) {
	c := e.codes[form.Get("code")]
	delete(e.codes, form.Get("code"))
	verifier := sha256.Sum256([]byte(form.Get("code_verifier")))
	switch {
	case c == nil:
		oauthError{http.StatusBadRequest, "invalid_grant", "Malformed auth code."}.write(w)
	case c.redirect != form.Get("redirect_uri"):
		oauthError{http.StatusBadRequest, "redirect_uri_mismatch", "Bad Request"}.write(w)
	case c.challenge != "" && form.Get("code_verifier") == "":
		oauthError{http.StatusBadRequest, "invalid_grant", "Missing code verifier."}.write(w)
	case c.challenge != "" && c.challenge != base64.RawURLEncoding.EncodeToString(verifier[:]):
		oauthError{http.StatusBadRequest, "invalid_grant", "Invalid code verifier."}.write(w)
	case !e.opts.Now().Before(c.expires):
		oauthError{http.StatusBadRequest, "invalid_grant", "Bad Request"}.write(w)
	default:
		refresh := ""
		if c.offline {
			refresh = e.newRefresh(c.consent)
		}
		e.answerTokens(w, c.consent, refresh)
	}
}

// renew gives an access token for a refresh token.
func (e *Emulator) renew(w http.ResponseWriter, token string) {
	c := e.refresh[token]
	life := e.opts.OAuth.RefreshLife
	if c == nil || c.revoked || life > 0 && !e.opts.Now().Before(c.since.Add(life)) {
		errGrant.write(w)
		return
	}
	next := ""
	if e.opts.OAuth.Rotate {
		delete(e.refresh, token)
		next = e.newRefresh(c)
	}
	e.answerTokens(w, c, next)
}

func (e *Emulator) answerTokens(w http.ResponseWriter, c *consent, refresh string) {
	w.Header().Set("Cache-Control", "no-store")
	answer := map[string]any{
		"access_token": e.newAccess(c), "expires_in": int(e.opts.OAuth.AccessLife.Seconds()), "scope": strings.Join(c.scopes, " "), "token_type": "Bearer",
	}
	if refresh != "" {
		answer["refresh_token"] = refresh
	}
	writeJSON(w, http.StatusOK, answer)
}

func (e *Emulator) revoke(w http.ResponseWriter, r *http.Request) {
	token := r.FormValue("token")
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.refresh[token]
	if a := e.access[token]; a != nil {
		c = a.consent
	}
	if c == nil || c.revoked {
		oauthError{http.StatusBadRequest, "invalid_token", "Token expired or revoked"}.write(w)
		return
	}
	c.revoked, e.consented = true, false
	writeJSON(w, http.StatusOK, map[string]string{})
}

func (e *Emulator) tokenInfo(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.access[r.FormValue("access_token")]
	if a == nil || !a.good(e.opts.Now()) {
		oauthError{http.StatusBadRequest, "invalid_token", "Invalid Value"}.write(w)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"azp": e.opts.OAuth.ClientID, "aud": e.opts.OAuth.ClientID, "scope": strings.Join(a.consent.scopes, " "),
		"exp": a.expires.Unix(), "expires_in": int(a.expires.Sub(e.opts.Now()).Seconds()), "access_type": "offline", "email": e.opts.Email,
	})
}
