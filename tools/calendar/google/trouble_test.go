package google_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"annai/fault"
	"annai/tools/calendar"
	"annai/tools/calendar/google"
)

// The table of errors, by a read: kind, how often it is tried, and what people hear.
func TestErrors(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	for _, test := range []struct {
		answer answer
		kind   calendar.Kind
		tries  int
		ja     string
	}{
		{refuse(400, "invalid"), calendar.Invalid, 1, "日付の形式が正しくありません。"},
		{refuse(401, "authError"), calendar.Auth, 2, "カレンダーにアクセスできません。管理者に連絡してください。"},
		{refuse(403, "rateLimitExceeded"), calendar.RateLimited, 4, "カレンダーへのアクセスが一時的に制限されています。"},
		{refuse(403, "userRateLimitExceeded"), calendar.RateLimited, 4, "カレンダーへのアクセスが一時的に制限されています。"},
		{refuse(429, "rateLimitExceeded"), calendar.RateLimited, 4, "カレンダーへのアクセスが一時的に制限されています。"},
		{refuse(403, "quotaExceeded"), calendar.Quota, 1, "本日は予定を登録できません。"},
		{refuse(403, "dailyLimitExceeded"), calendar.Quota, 1, "本日は予定を登録できません。"},
		{refuse(403, "requiredAccessLevel"), calendar.Forbidden, 1, "この予定を変更する権限がありません。"},
		{refuse(403, "insufficientPermissions"), calendar.Scope, 1, "この操作は許可されていません。管理者にカレンダーの権限を確認してもらってください。"},
		{
			answer{status: 403, header: map[string]string{"WWW-Authenticate": `Bearer error="insufficient_scope"`}, body: "{}"},
			calendar.Scope, 1, "この操作は許可されていません。管理者にカレンダーの権限を確認してもらってください。",
		},
		{say(403, "<html>no"), calendar.Forbidden, 1, "この予定を変更する権限がありません。"},
		{refuse(404, "notFound"), calendar.NotFound, 1, "指定された予定が見つかりません。"},
		{refuse(410, "deleted"), calendar.Gone, 1, "すでに削除されています。"},
		{refuse(412, "conditionNotMet"), calendar.Stale, 1, "他の人が変更しました。"},
		{refuse(500, "backendError"), calendar.Unavailable, 4, "カレンダーサービスに接続できません。"},
		{refuse(503, "backendError"), calendar.Unavailable, 4, "カレンダーサービスに接続できません。"},
		{say(502, "<html>Bad Gateway"), calendar.Unavailable, 4, "カレンダーサービスに接続できません。"},
		{answer{status: 302, header: map[string]string{"Location": "https://elsewhere.example"}}, calendar.Unavailable, 1, "カレンダーサービスに接続できません。"},
		{answer{err: dial}, calendar.Unavailable, 4, "カレンダーサービスに接続できません。"},
		{answer{err: io.ErrUnexpectedEOF}, calendar.Unavailable, 4, "カレンダーサービスに接続できません。"},
		{say(200, `{"items":[{"id":`), calendar.Unavailable, 4, "カレンダーサービスに接続できません。"},
	} {
		s, c := scripted(t, test.answer)
		_, err := c.Events(t.Context(), theDay(t))
		var f *calendar.Failure
		if !errors.As(err, &f) || f.Kind != test.kind || f.Message("ja") != test.ja || f.Message("en") == "" {
			t.Errorf("Events where google answers %d %.60s = %v, want kind %s: %s", test.answer.status, test.answer.body, err, test.kind, test.ja)
		}
		if !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Events where google answers %d = %v, want ErrUnavailable, as of every calendar", test.answer.status, err)
		}
		if got := len(s.sent); got != test.tries {
			t.Errorf("Events where google answers %d %.60s sent %d requests, want %d", test.answer.status, test.answer.body, got, test.tries)
		}
		wantDiscreet(t, err)
	}
}

// wantDiscreet checks that an error has nothing in it that a log must not have, and no type of Google's library.
func wantDiscreet(t *testing.T, err error) {
	t.Helper()
	for _, secret := range []string{"secret", "Dinner", "googleapis.com", "elsewhere"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("error %q has %q in it", err, secret)
		}
	}
	if errors.As(err, new(*googleapi.Error)) || errors.As(err, new(*oauth2.RetrieveError)) {
		t.Errorf("error %q has a type of google's library in it", err)
	}
}

func TestEveryWriteIsDiscreet(t *testing.T) {
	title := "x"
	for _, a := range []answer{refuse(403, "Dinner with the boss"), refuse(401, "authError"), {err: io.EOF}} {
		_, c := scripted(t, a)
		_, created := c.Create(t.Context(), aLunch(t))
		_, updated := c.Update(t.Context(), "lunch", calendar.Change{Title: &title}, "")
		_, got := c.Get(t.Context(), "lunch")
		for _, err := range []error{created, updated, got, c.Delete(t.Context(), "lunch", "")} {
			if err == nil {
				t.Errorf("a call that google refuses = nil, want an error")
				continue
			}
			wantDiscreet(t, err)
		}
	}
}

// A lone tokens is a source that fails, or gives the same token whatever happens.
type lone struct{ err error }

func (l lone) Token(context.Context, string) (string, error) { return "secret-token", l.err }

func TestAccessTokens(t *testing.T) {
	s, c := scripted(t, refuse(401, "authError"), say(200, lunch))
	if _, err := c.Get(t.Context(), "lunch"); err != nil {
		t.Errorf("Get where the first access token is refused = %v, want the event", err)
	}
	if len(s.sent) != 2 || s.sent[1].authorization != "Bearer secret-tokensecret-token" {
		t.Errorf("Get sent %+v, want a second try with another access token", s.sent)
	}
	for name, test := range map[string]struct {
		err  error
		kind calendar.Kind
	}{
		"invalid grant": {&oauth2.RetrieveError{ErrorCode: "invalid_grant", Body: []byte("secret")}, calendar.Auth},
		"failure":       {&calendar.Failure{Kind: calendar.Auth}, calendar.Auth},
		"passing":       {&oauth2.RetrieveError{Body: []byte("secret")}, calendar.Unavailable},
		"unknown":       {errors.New("secret"), calendar.Unavailable},
	} {
		s := &script{answers: []answer{say(200, lunch)}}
		account, err := google.NewAccount(lone{test.err}, google.Options{Now: s.Now, Sleep: s.sleep})
		if err != nil {
			t.Fatal(err)
		}
		_, err = account.Calendar("team").Create(t.Context(), aLunch(t))
		if calendar.KindOf(err) != test.kind {
			t.Errorf("Create without access token (%s) = %v, want kind %s", name, err, test.kind)
		}
		wantDiscreet(t, err)
	}
	s = &script{answers: []answer{refuse(401, "authError")}}
	if _, err := s.account(t, google.Options{}).Calendar("team").Get(t.Context(), "lunch"); calendar.KindOf(err) != calendar.Auth {
		t.Errorf("Get where every access token is refused = %v, want kind auth", err)
	}
}

func TestRetryAfter(t *testing.T) {
	late := answer{status: 429, header: map[string]string{"Retry-After": "7"}, body: refuse(429, "rateLimitExceeded").body}
	s, c := scripted(t, late, say(200, lunch))
	if _, err := c.Get(t.Context(), "lunch"); err != nil || len(s.slept) != 1 || s.slept[0] != 7*time.Second {
		t.Errorf("Get = %v after pauses of %v, want one of 7s and the event", err, s.slept)
	}
	s, c = scripted(t, answer{status: 429, header: map[string]string{"Retry-After": "3600"}, body: "{}"})
	_, err := c.Get(t.Context(), "lunch")
	var f *calendar.Failure
	if !errors.As(err, &f) || f.RetryAfter != time.Hour || len(s.sent) != 1 {
		t.Errorf("Get = %v (%d requests), want no wait of an hour, but to be told of it", err, len(s.sent))
	}
	if _, err = c.Get(t.Context(), "lunch"); calendar.KindOf(err) != calendar.RateLimited || len(s.sent) != 1 {
		t.Errorf("Get in the pause that google asked for = %v (%d requests in all), want kind rate_limited without a request", err, len(s.sent))
	}
}

func TestBackoff(t *testing.T) {
	s, c := scripted(t, refuse(503, "backendError"), refuse(503, "backendError"), refuse(503, "backendError"), say(200, lunch))
	if _, err := c.Get(t.Context(), "lunch"); err != nil {
		t.Errorf("Get at the fourth try = %v, want the event", err)
	}
	want := []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second} // the least, where chance is 0
	if len(s.slept) != len(want) || s.slept[0] != want[0] || s.slept[1] != want[1] || s.slept[2] != want[2] {
		t.Errorf("pauses between tries = %v, want %v", s.slept, want)
	}
}

// Retries are at most ten and a tenth of the requests.
func TestRetryBudget(t *testing.T) {
	s := &script{answers: []answer{refuse(503, "backendError")}}
	account := s.account(t, google.Options{PerSecond: 1e6, Burst: 1e6})
	const calls = 100
	for i := range calls {
		c := account.Calendar([]string{"one", "two"}[i%2]) // which share it
		if _, err := c.Get(t.Context(), "lunch"); calendar.KindOf(err) != calendar.Unavailable {
			t.Fatalf("Get = %v, want kind unavailable", err)
		}
	}
	if retries := len(s.sent) - calls; retries < 10 || retries > 10+len(s.sent)/10 {
		t.Errorf("%d calls that all failed made %d retries, want ten and a tenth of the requests", calls, retries)
	}
}

func TestRateLimit(t *testing.T) {
	s := &script{answers: []answer{say(200, lunch)}}
	account := s.account(t, google.Options{PerSecond: 4, Burst: 2})
	began := s.Now()
	for i := range 10 {
		if _, err := account.Calendar([]string{"one", "two"}[i%2]).Get(t.Context(), "lunch"); err != nil {
			t.Fatal(err)
		}
	}
	if took := s.Now().Sub(began); took != 2*time.Second {
		t.Errorf("10 requests at 4 a second, two at once, took %s, want 2s", took)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(time.Hour))
	defer cancel()
	s.mu.Lock()
	s.now = time.Now().Add(time.Hour - time.Millisecond)
	s.mu.Unlock()
	for range 3 {
		_, err := account.Calendar("one").Get(ctx, "lunch")
		if err != nil && calendar.KindOf(err) != calendar.RateLimited {
			t.Errorf("Get whose turn comes too late = %v, want kind rate_limited", err)
		}
	}
	if len(s.sent) != 12 {
		t.Errorf("%d requests were sent, want 12: the last would have been too late", len(s.sent))
	}
}

func TestContext(t *testing.T) {
	s, c := scripted(t, say(200, lunch))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	title := "x"
	_, created := c.Create(ctx, aLunch(t))
	_, updated := c.Update(ctx, "lunch", calendar.Change{Title: &title}, "")
	for name, err := range map[string]error{"Create": created, "Update": updated, "Delete": c.Delete(ctx, "lunch", "")} {
		if calendar.KindOf(err) != calendar.Unavailable || !errors.Is(err, context.Canceled) {
			t.Errorf("%s(done context) = %v, want kind unavailable and why", name, err)
		}
	}
	if len(s.sent) != 0 {
		t.Errorf("calls with a done context sent %d requests, want none", len(s.sent))
	}
}

func TestNewAccount(t *testing.T) {
	if _, err := google.NewAccount(lone{}, google.Options{}); calendar.KindOf(err) != calendar.Invalid {
		t.Errorf("NewAccount(no clock) = %v, want ErrInvalid", err)
	}
	guests := google.Guests{SendUpdates: "everybody"}
	if _, err := google.NewAccount(lone{}, google.Options{Now: time.Now, Guests: guests}); calendar.KindOf(err) != calendar.Invalid {
		t.Errorf("NewAccount(send updates to everybody) = %v, want ErrInvalid", err)
	}
}

// granted is what an owner agreed to.
type granted struct{ read, write, freeBusy, list bool }

func (g granted) CanRead() bool     { return g.read }
func (g granted) CanWrite() bool    { return g.write }
func (g granted) CanFreeBusy() bool { return g.freeBusy }
func (g granted) CanList() bool     { return g.list }

func TestScopes(t *testing.T) {
	s := &script{answers: []answer{say(200, `{"calendars":{"team":{"busy":[]}}}`)}}
	none := s.account(t, google.Options{Granted: granted{}})
	c := none.Calendar("team")
	title := "x"
	_, read := c.Events(t.Context(), theDay(t))
	_, got := c.Get(t.Context(), "lunch")
	_, created := c.Create(t.Context(), aLunch(t))
	_, updated := c.Update(t.Context(), "lunch", calendar.Change{Title: &title}, "")
	_, listed := none.Calendars(t.Context())
	_, changes := c.Changes(t.Context(), "")
	for name, err := range map[string]error{
		"Events": read, "Get": got, "Create": created, "Update": updated, "Delete": c.Delete(t.Context(), "lunch", ""), "Calendars": listed, "Changes": changes,
	} {
		if calendar.KindOf(err) != calendar.Scope {
			t.Errorf("%s without its scope = %v, want kind scope", name, err)
		}
	}
	if len(s.sent) != 0 {
		t.Errorf("calls without their scopes sent %d requests, want none", len(s.sent))
	}
	busy := s.account(t, google.Options{Granted: granted{freeBusy: true}}).Calendar("team")
	if _, err := busy.Events(t.Context(), theDay(t)); err != nil || !strings.HasSuffix(s.sent[0].url, "/freeBusy?alt=json&prettyPrint=false") {
		t.Errorf("Events with the scope of free/busy only = %v by %v, want it answered by freebusy.query", err, s.sent)
	}
}
