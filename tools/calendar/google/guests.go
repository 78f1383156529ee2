package google

import (
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"annai/fault"
	"annai/tools/calendar"
)

// SendUpdates says whom Google mails about a write.
type SendUpdates string

// The values of [SendUpdates]. Empty is SendNone.
const (
	SendNone         SendUpdates = "none"
	SendAll          SendUpdates = "all"
	SendExternalOnly SendUpdates = "externalOnly"
)

// Guests is the policy for attendees. The zero Guests is that events that we create have none and nobody is mailed.
type Guests struct {
	// Domains are those of mail addresses that may be invited: "example.com". Empty is none.
	Domains []string
	// SendUpdates says whom Google mails when an event is created, changed or deleted, whoever invited them.
	SendUpdates SendUpdates
}

func (g Guests) check() error {
	switch g.SendUpdates {
	case "", SendNone, SendAll, SendExternalOnly:
		return nil
	default:
		return fmt.Errorf("google account: send updates to %.20q is none of none, all and externalOnly: %w", g.SendUpdates, fault.ErrInvalid)
	}
}

// tell is what every write says.
func (g Guests) tell() string {
	if g.SendUpdates == "" {
		return string(SendNone)
	}
	return string(g.SendUpdates)
}

// allow returns why these may not be invited.
func (g Guests) allow(attendees []string) error {
	for i, a := range attendees {
		parsed, err := mail.ParseAddress(a)
		if err != nil || parsed.Address != a {
			return &calendar.Failure{Kind: calendar.InvalidText, Err: fmt.Errorf("attendee %d has no mail address", i+1)}
		}
		domain := a[strings.LastIndexByte(a, '@')+1:]
		if !slices.ContainsFunc(g.Domains, func(d string) bool { return strings.EqualFold(d, domain) }) {
			return &calendar.Failure{Kind: calendar.Forbidden, Err: fmt.Errorf("attendee %d is of a domain that may not be invited", i+1)}
		}
	}
	return nil
}
