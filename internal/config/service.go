package config

import (
	"fmt"
	"net/url"

	"annai/internal/secret"
)

// A service is another program that is asked over HTTP.
type service struct {
	// setting is what its settings begin with, as "voice"; what goes to it is told in words.
	setting, what string
	url           string
	key           secret.Text
	// insecure says that it may go there unencrypted. A key never does.
	insecure bool
}

// check refuses to send in the clear what leaves this machine.
func (s service) check() error {
	u, err := url.Parse(s.url)
	switch {
	case err != nil, u.Scheme != "http", loopback(u.Hostname()):
		return nil
	case s.key != "":
		return fmt.Errorf("%s-url: a key goes over https or to this machine, not to http://%s", s.setting, u.Host)
	case !s.insecure:
		const says = "%s-url: %s would go to http://%s unencrypted; use https, or set %s-insecure if that is wanted"
		return fmt.Errorf(says, s.setting, s.what, u.Host, s.setting)
	}
	return nil
}
