package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"

	"golang.org/x/oauth2"

	"annai/fault"
	"annai/internal/secret"
)

// Code is what went wrong between us and Google. It is a closed set.
type Code string

// The values of [Code]. The names are Google's where it has one.
const (
	AccessDenied     Code = "access_denied"
	InvalidGrant     Code = "invalid_grant"
	InvalidClient    Code = "invalid_client"
	RedirectMismatch Code = "redirect_uri_mismatch"
	PolicyEnforced   Code = "admin_policy_enforced"
	InvalidScope     Code = "invalid_scope"
	Refused          Code = "refused" // any other reason that Google gives

	InvalidCode    Code = "invalid_code"
	NoRefreshToken Code = "no_refresh_token"
	ScopeMissing   Code = "scope_missing"
	NotConnected   Code = "not_connected"
	OtherClient    Code = "other_client"
	Unreadable     Code = "unreadable" // what is stored can't be read

	NotAnAddress  Code = "not_an_address"
	StateMismatch Code = "state_mismatch"
	Replay        Code = "replay"
	Expired       Code = "expired"

	Unreachable Code = "unreachable"
)

// A Problem is what went wrong between us and Google, in words for the operator. It wraps the kind of package fault that fits.
type Problem struct {
	Code Code
	// Detail is what Google or the network said; it holds no secret. May be empty.
	Detail string
	// retryAfter is how long Google asks to be left alone; 0 where it did not say.
	retryAfter time.Duration
	// version is that of the stored token to which it happened; empty where that does not matter.
	version Version
}

// Error says it in English.
func (p *Problem) Error() string {
	if p.Detail == "" {
		return p.Words("en")
	}
	return fmt.Sprintf("%s (%s)", p.Words("en"), p.Detail)
}

// Words says in lang ("ja" or "en") what went wrong and what to do.
func (p *Problem) Words(lang string) string {
	said := words[p.Code]
	if lang == "en" {
		return said.en
	}
	return said.ja
}

// Unwrap returns the kind of package fault.
func (p *Problem) Unwrap() error {
	switch p.Code {
	case AccessDenied, InvalidGrant, InvalidClient, RedirectMismatch, PolicyEnforced, InvalidScope, Refused,
		InvalidCode, NoRefreshToken, ScopeMissing, NotConnected, OtherClient, Unreadable:
		return fault.ErrDenied
	case NotAnAddress, StateMismatch, Replay, Expired:
		return fault.ErrInvalid
	case Unreachable:
		return fault.ErrUnavailable
	}
	return fault.ErrUnavailable
}

var words = map[Code]struct{ ja, en string }{
	AccessDenied: {
		"Googleの画面で許可されませんでした。もう一度実行して「許可」を選んでください。公開ステータスが「テスト」の場合は、そのアカウントがテストユーザーに登録されているか確認してください。",
		"Access was not allowed on Google's page. Run this again and choose Allow; while the consent screen is in Testing, the account must also be one of its test users.",
	},
	InvalidGrant: {
		"Googleの認可が無効になりました。「annai auth google」で接続し直してください。同意画面の公開ステータスが「テスト」のままだと、7日ごとに無効になります。「本番環境」に公開してください。",
		"Google's permission is no longer valid. Connect again with: annai auth google. A consent screen left in Testing ends every permission after 7 days: publish it (In production).",
	},
	InvalidClient: {
		"GoogleがOAuthクライアントを認めませんでした。クライアントIDとクライアント シークレットを確認してください。",
		"Google does not know the OAuth client. Check google-client-id and google-client-secret.",
	},
	RedirectMismatch: {
		"リダイレクトURIがOAuthクライアントに登録されていません。種類を「デスクトップ アプリ」にするか、「ウェブ アプリケーション」の承認済みリダイレクトURIに同じアドレスを登録してください。",
		"The redirect address is not registered for the OAuth client. Use a client of type Desktop app, or add exactly this address to the authorised redirect URIs of a Web application.",
	},
	PolicyEnforced: {
		"組織の管理者がこのアプリを許可していません。Google Workspaceの管理者に依頼してください。",
		"The organisation does not allow this app. Ask the administrator of its Google Workspace.",
	},
	InvalidScope: {
		"Googleが要求した権限を認めませんでした。Google Calendar APIが有効か、同意画面に権限が登録されているか確認してください。",
		"Google refuses the permissions that were asked for. Check that the Google Calendar API is enabled and that the consent screen lists them.",
	},
	Refused: {
		"Googleに拒否されました。もう一度「annai auth google」を実行してください。続く場合はCloud ConsoleのOAuthクライアントを確認してください。",
		"Google refused. Run annai auth google again; if it goes on, look at the OAuth client in the Cloud console.",
	},
	InvalidCode: {
		"Googleが認可コードを受け付けませんでした。コードは一度だけ、数分間有効です。もう一度最初から実行してください。",
		"Google did not take the code, which works once and for a few minutes. Begin again.",
	},
	NoRefreshToken: {
		"Googleがリフレッシュ トークンを返しませんでした。Googleアカウントの「サードパーティ製のアプリとサービス」で以前の許可を取り消し、もう一度実行してください。",
		"Google gave no refresh token. Remove the earlier permission under third-party apps in the Google account, and run this again.",
	},
	ScopeMissing: {
		"必要な権限が許可されていません。もう一度「annai auth google」を実行し、すべてのチェックボックスを選んでください。",
		"A permission that is needed was not granted. Run annai auth google again and tick every box.",
	},
	NotConnected: {
		"Googleカレンダーは接続されていません。「annai auth google」を実行してください。",
		"Google Calendar is not connected. Run: annai auth google.",
	},
	OtherClient: {
		"保存されているトークンは別のOAuthクライアントのものです。クライアントIDを元に戻すか、「annai auth google」で接続し直してください。",
		"The stored token belongs to another OAuth client. Set google-client-id back, or connect again with: annai auth google.",
	},
	Unreadable: {
		"保存されているトークンを読めません。",
		"The stored token can't be read.",
	},
	NotAnAddress: {
		"リダイレクト先のアドレスではありません。ブラウザーのアドレス欄の内容を、http から最後まですべて貼り付けてください。",
		"This is not the address Google sent the browser to. Paste all of the address bar, from http to its end.",
	},
	StateMismatch: {
		"このアドレスは今回の接続のものではありません。最後に表示したアドレスから、やり直してください。",
		"This address does not belong to this attempt. Begin again from the address that was shown last.",
	},
	Replay: {
		"このアドレスはすでに使われました。もう一度最初から実行してください。",
		"This address was used before. Begin again.",
	},
	Expired: {
		"時間切れになりました。もう一度最初から実行してください。",
		"It took too long. Begin again.",
	},
	Unreachable: {
		"Googleに接続できませんでした。しばらくしてから、もう一度お試しください。",
		"Google could not be reached. Try again later.",
	},
}

// problemOf turns what the library returned from the address of tokens into a [Problem] without secrets.
func problemOf(err error, secrets ...secret.Text) *Problem {
	var refusal *oauth2.RetrieveError
	switch {
	case errors.As(err, &refusal):
		return refused(refusal, secrets)
	case errors.Is(err, context.DeadlineExceeded):
		return &Problem{Code: Unreachable, Detail: "no answer in time"}
	default:
		return &Problem{Code: Unreachable, Detail: clean(err.Error(), secrets...)}
	}
}

// refused reads an answer that is no token. Only one with a reason, in the form of RFC 6749, counts as Google's: anything else on the way may
// answer too.
func refused(e *oauth2.RetrieveError, secrets []secret.Text) *Problem {
	status := 0
	var after time.Duration
	if e.Response != nil {
		status, after = e.Response.StatusCode, retryAfter(e.Response.Header)
	}
	if e.ErrorCode == "" || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500 || temporary(e.ErrorCode) {
		return &Problem{Code: Unreachable, Detail: fmt.Sprintf("status %d %s", status, clean(e.ErrorCode, secrets...)), retryAfter: after}
	}
	return &Problem{Code: codeOf(e.ErrorCode), Detail: clean(strings.TrimSpace(e.ErrorCode+": "+e.ErrorDescription), secrets...)}
}

func temporary(code string) bool {
	switch code {
	case "server_error", "temporarily_unavailable", "internal_failure", "backend_error", "rate_limit_exceeded", "slow_down":
		return true
	}
	return false
}

// codeOf returns the code for a reason that Google gives in an address or an answer.
func codeOf(reason string) Code {
	switch reason {
	case "access_denied":
		return AccessDenied
	case "invalid_grant":
		return InvalidGrant
	case "invalid_client", "unauthorized_client", "deleted_client", "disabled_client":
		return InvalidClient
	case "redirect_uri_mismatch":
		return RedirectMismatch
	case "admin_policy_enforced", "org_internal":
		return PolicyEnforced
	case "invalid_scope":
		return InvalidScope
	default:
		if temporary(reason) {
			return Unreachable
		}
		return Refused
	}
}

// clean makes a short line of what others wrote, without secrets.
func clean(text string, secrets ...secret.Text) string {
	text = strings.Join(strings.FieldsFunc(secret.Hide(text, secrets...), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	const most = 200
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// longestRetryAfter is how long we heed at most: an hour's silence because of one odd header would be worse than asking.
const longestRetryAfter = time.Minute

func retryAfter(h http.Header) time.Duration {
	seconds, err := time.ParseDuration(h.Get("Retry-After") + "s")
	if err != nil || seconds < 0 {
		return 0
	}
	return min(seconds, longestRetryAfter)
}
