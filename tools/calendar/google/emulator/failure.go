package emulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// A failure is an error in Google's form.
type failure struct {
	code                    int
	domain, reason, message string
	status                  string // where Google has one
	locationType, location  string
	authenticate            string // the header WWW-Authenticate
	retryAfter              time.Duration
}

func (f *failure) Error() string { return fmt.Sprintf("%d %s: %s", f.code, f.reason, f.message) }

var (
	errCredentials = &failure{
		code: 401, domain: "global", reason: "authError", message: "Invalid Credentials", status: "UNAUTHENTICATED",
		locationType: "header", location: "Authorization", authenticate: `Bearer realm="https://accounts.google.com/", error="invalid_token"`,
	}
	errNoCredentials = &failure{
		code: 401, domain: "global", reason: "required", message: "Login Required.", status: "UNAUTHENTICATED",
		locationType: "header", location: "Authorization", authenticate: `Bearer realm="https://accounts.google.com/"`,
	}
	errScope = &failure{
		code: 403, domain: "global", reason: "insufficientPermissions", message: "Request had insufficient authentication scopes.",
		status: "PERMISSION_DENIED", authenticate: `Bearer realm="https://accounts.google.com/", error="insufficient_scope"`,
	}
	errAccess       = &failure{code: 403, domain: "calendar", reason: "requiredAccessLevel", message: "You need to have writer access to this calendar."}
	errNotFound     = &failure{code: 404, domain: "global", reason: "notFound", message: "Not Found"}
	errDuplicate    = &failure{code: 409, domain: "global", reason: "duplicate", message: "The requested identifier already exists."}
	errDeleted      = &failure{code: 410, domain: "global", reason: "deleted", message: "Resource has been deleted"}
	errConditionNot = &failure{
		code: 412, domain: "global", reason: "conditionNotMet", message: "Precondition Failed", locationType: "header", location: "If-Match",
	}
	errFullSync = &failure{
		code: 410, domain: "calendar", reason: "fullSyncRequired", message: "Sync token is no longer valid, a full sync is required.",
		locationType: "parameter", location: "syncToken",
	}
	errUpdatedMin = &failure{
		code: 410, domain: "calendar", reason: "updatedMinTooLongAgo", message: "The requested minimum modification time lies too far in the past.",
		locationType: "parameter", location: "updatedMin",
	}
	errEmptyRange = &failure{
		code: 400, domain: "calendar", reason: "timeRangeEmpty", message: "The specified time range is empty.",
		locationType: "parameter", location: "timeMax",
	}
	errOrdering = &failure{
		code: 400, domain: "calendar", reason: "requestedOrderingUnavailable",
		message:      "The requested ordering is not available for the particular query.",
		locationType: "parameter", location: "orderBy",
	}
	errBadRequest = &failure{code: 400, domain: "global", reason: "badRequest", message: "Bad Request"}
	errParse      = &failure{code: 400, domain: "global", reason: "parseError", message: "Parse Error"}
	errNotOffered = &failure{code: 501, domain: "global", reason: "notImplemented", message: "The emulator does not offer this method."}
	errBackend    = &failure{code: 500, domain: "global", reason: "backendError", message: "Backend Error"}
	errOverloaded = &failure{code: 503, domain: "global", reason: "backendError", message: "Backend Error"}
	errRate       = &failure{code: 403, domain: "usageLimits", reason: "rateLimitExceeded", message: "Rate Limit Exceeded"}
	errUserRate   = &failure{code: 403, domain: "usageLimits", reason: "userRateLimitExceeded", message: "User Rate Limit Exceeded"}
	errQuota      = &failure{code: 403, domain: "usageLimits", reason: "quotaExceeded", message: "Calendar usage limits exceeded."}
	errTooMany    = &failure{code: 429, domain: "usageLimits", reason: "rateLimitExceeded", message: "Rate Limit Exceeded"}
)

// invalid is a request that says something that cannot be.
func invalid(message string) *failure {
	return &failure{code: 400, domain: "global", reason: "invalid", message: message}
}

// required is a request that lacks something.
func required(message string) *failure {
	return &failure{code: 400, domain: "global", reason: "required", message: message}
}

// badParameter is a parameter whose value cannot be.
func badParameter(name, value string) *failure {
	return &failure{
		code: 400, domain: "global", reason: "invalidParameter", message: fmt.Sprintf("Invalid value '%.50s' for %s.", value, name),
		locationType: "parameter", location: name,
	}
}

type errorItem struct {
	Domain       string `json:"domain"`
	Reason       string `json:"reason"`
	Message      string `json:"message"`
	LocationType string `json:"locationType,omitempty"`
	Location     string `json:"location,omitempty"`
}

type errorBody struct {
	Errors  []errorItem `json:"errors"`
	Code    int         `json:"code"`
	Message string      `json:"message"`
	Status  string      `json:"status,omitempty"`
}

func (f *failure) write(w http.ResponseWriter) {
	if f.authenticate != "" {
		w.Header().Set("WWW-Authenticate", f.authenticate)
	}
	if f.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(f.retryAfter.Seconds())))
	}
	item := errorItem{f.domain, f.reason, f.message, f.locationType, f.location}
	writeJSON(w, f.code, map[string]errorBody{"error": {[]errorItem{item}, f.code, f.message, f.status}})
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	body, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		code, body = http.StatusInternalServerError, nil
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(code)
	_, _ = w.Write(body)
}
