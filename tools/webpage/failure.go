package webpage

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"annai/fault"
	"annai/internal/outbound"
)

// Reason is why a page could not be read. It is a closed set.
type Reason string

// The values of [Reason].
const (
	// Refused is an address that is not on the internet, or on an odd port.
	Refused Reason = "refused"
	// Robots is a page that its site wants no program to read.
	Robots Reason = "robots"
	// Status is an answer that is no page: not found, not for us, broken.
	Status Reason = "status"
	// Type is something that is no page: a picture, a file.
	Type Reason = "type"
	// Unreachable is a site that could not be reached, or had no answer in time.
	Unreachable Reason = "unreachable"
	// noAddress is an input that is no address at all, which is an error and no answer.
	noAddress Reason = "address"
)

// A Failure is why a page could not be read. It is [fault.ErrUnavailable], or for what is no
// address of a page [fault.ErrInvalid].
type Failure struct {
	Reason Reason
	// Address is the one that was given.
	Address string
	// Code is the status of HTTP, for [Status].
	Code int
	// Err is what happened, for the log. May be nil.
	Err error
}

// failed says why asking for a page failed.
func failed(u *url.URL, err error) *Failure {
	f := &Failure{Reason: Unreachable, Address: u.String(), Err: err}
	switch {
	case errors.Is(err, errRobots):
		f.Reason = Robots
	case errors.Is(err, outbound.ErrRefused):
		f.Reason = Refused
	case errors.Is(err, outbound.ErrType):
		f.Reason = Type
	}
	return f
}

// Error is for logs, and does not say the address. What to say is [Failure.Message].
func (f *Failure) Error() string {
	switch {
	case f.Err != nil:
		return fmt.Sprintf("page not read (%s): %v", f.Reason, f.Err)
	case f.Code != 0:
		return fmt.Sprintf("page not read (%s %d)", f.Reason, f.Code)
	}
	return fmt.Sprintf("page not read (%s)", f.Reason)
}

// Unwrap returns the kind of package fault, and Err where that is of the same kind.
func (f *Failure) Unwrap() []error {
	kind := fault.ErrUnavailable
	if f.Reason == noAddress {
		kind = fault.ErrInvalid
	}
	if f.Err == nil {
		return []error{kind}
	}
	return []error{kind, f.Err}
}

// Temporary reports whether it may be over soon.
func (f *Failure) Temporary() bool {
	switch f.Reason {
	case Unreachable:
		return true
	case Status:
		return f.Code >= http.StatusInternalServerError || f.Code == http.StatusTooManyRequests
	case Refused, Robots, Type, noAddress:
		return false
	}
	return false
}

// Message says in lang ("ja" or "en") why.
func (f *Failure) Message(lang string) string {
	said := words[f.Reason]
	if f.Code == http.StatusNotFound || f.Code == http.StatusGone {
		said = gone
	}
	if lang == "en" {
		return said.en
	}
	return said.ja
}

type sentence struct{ ja, en string }

var gone = sentence{"このアドレスのページは見つかりませんでした。", "There is no page at this address."}

var words = map[Reason]sentence{
	noAddress: {
		"http:// または https:// で始まる、ページのアドレスを指定してください。",
		"Please give the address of a page that begins with http:// or https://.",
	},
	Refused:     {"このアドレスには、ここからアクセスできません。", "This address cannot be reached from here."},
	Robots:      {"このサイトは、プログラムによる読み取りを受け付けていません。", "This site asks programs not to read the page."},
	Status:      {"このページを表示できませんでした。", "The page could not be shown."},
	Type:        {"このアドレスは、ウェブページではありません。", "There is something other than a web page at this address."},
	Unreachable: {"このページに接続できませんでした。", "The page could not be reached."},
}
