package config

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"annai/fault"
	"annai/internal/secret"
)

// Access is who may ask, and how often.
type Access struct {
	// AskKey and AdminKey are what visitors' devices and operators send as Authorization: Bearer KEY. Empty means that there is none in the settings.
	AskKey, AdminKey secret.Text
	// AddressRate and KeyRate bound how often visitors ask, from one address and with one key.
	AddressRate, KeyRate Rate
	// AddressKept and KeyKept are about how many bytes of threads are kept for visitors, at one
	// address and with one key.
	AddressKept, KeyKept int64
	// AddressOpen and KeyOpen are how many requests of visitors may be under way, streams included.
	AddressOpen, KeyOpen int
	// TrustedProxies are those whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
}

// A Rate is how many requests there may be at once, Count, and in what time as many more become possible, Per.
type Rate struct {
	Count int
	Per   time.Duration
}

func ownerKeyField(c *Config) *secret.Text { return &c.OwnerKey }

func askKeyField(c *Config) *secret.Text { return &c.Access.AskKey }

func adminKeyField(c *Config) *secret.Text { return &c.Access.AdminKey }

func keysTable() []setting {
	return []setting{
		{key: "ask-key", value: "KEY", secret: true, usage: "key without which visitors may not ask, once it is set (none)", parse: callerKey(askKeyField)},
		{key: "ask-key-file", value: "FILE", path: true, scope: serverOnly, usage: "file with that key (none)", parse: fromSecretFile("ask-key", askKeyField, callerKey(askKeyField))},
		{key: "owner-key", value: "KEY", secret: true, usage: "key with which a request is the owner's, who may also write calendars (nobody is)", parse: callerKey(ownerKeyField)},
		{key: "owner-key-file", value: "FILE", path: true, usage: "file with that key (none)", parse: fromSecretFile("owner-key", ownerKeyField, callerKey(ownerKeyField))},
		{key: "admin-key", value: "KEY", secret: true, usage: "key without which nobody may operate, once it is set (none)", parse: callerKey(adminKeyField)},
		{key: "admin-key-file", value: "FILE", path: true, scope: serverOnly, usage: "file with that key (none)", parse: fromSecretFile("admin-key", adminKeyField, callerKey(adminKeyField))},
		{key: "rate-address", value: "RATE", def: "120/min", scope: serverOnly, usage: "how often visitors at one address may ask, as COUNT/s, COUNT/min or COUNT/h", parse: rate(func(c *Config) *Rate { return &c.Access.AddressRate })},
		{key: "rate-key", value: "RATE", def: "1200/min", scope: serverOnly, usage: "how often visitors with one key may ask", parse: rate(func(c *Config) *Rate { return &c.Access.KeyRate })},
		{
			key: "kept-address", value: "SIZE", def: "32MiB", scope: serverOnly,
			usage: "about how much of threads is kept for visitors at one address, in bytes, KiB or MiB",
			parse: parseSize(func(c *Config) *int64 { return &c.Access.AddressKept }),
		},
		{
			key: "kept-key", value: "SIZE", def: "64MiB", scope: serverOnly,
			usage: "about how much of threads is kept for visitors with one key",
			parse: parseSize(func(c *Config) *int64 { return &c.Access.KeyKept }),
		},
		{
			key: "open-address", value: "COUNT", def: "100", scope: serverOnly,
			usage: "how many requests of visitors at one address may be under way, streams included",
			parse: count(func(c *Config) *int { return &c.Access.AddressOpen }),
		},
		{
			key: "open-key", value: "COUNT", def: "200", scope: serverOnly,
			usage: "how many requests of visitors with one key may be under way",
			parse: count(func(c *Config) *int { return &c.Access.KeyOpen }),
		},
		{key: "trusted-proxies", value: "NETWORKS", scope: serverOnly, usage: "addresses and networks of proxies whose X-Forwarded-For is believed, with commas (none)", parse: parseNetworks(func(c *Config) *[]netip.Prefix { return &c.Access.TrustedProxies })},
	}
}

// minCallerKey is how many characters make a key that nobody guesses.
const minCallerKey = 20

// callerKey takes a key that callers send.
func callerKey(field func(*Config) *secret.Text) func(*Config, string) error {
	return func(c *Config, s string) error {
		if utf8.RuneCountInString(s) < minCallerKey || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("is no key: %d characters or more are, without spaces, as openssl rand -hex 16 makes them", minCallerKey)
		}
		*field(c) = secret.Text(s)
		return nil
	}
}

// units are those of a [Rate].
var units = map[string]time.Duration{"s": time.Second, "min": time.Minute, "h": time.Hour}

// maxRate keeps a bucket's arithmetic far from zero and from overflow.
const maxRate = 1_000_000

func rate(field func(*Config) *Rate) func(*Config, string) error {
	return func(c *Config, s string) (err error) {
		*field(c), err = ParseRate(s)
		return err
	}
}

// String writes it as settings do. The zero rate is nothing.
func (r Rate) String() string {
	if r.Count == 0 {
		return ""
	}
	for unit, per := range units {
		if per == r.Per {
			return strconv.Itoa(r.Count) + "/" + unit
		}
	}
	return strconv.Itoa(r.Count) + "/" + r.Per.String()
}

// ParseRate reads a rate as settings write it.
func ParseRate(s string) (Rate, error) {
	text, unit, _ := strings.Cut(s, "/")
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n <= 0 || n > maxRate || units[unit] == 0 {
		return Rate{}, fmt.Errorf("%q is not a rate like 2/s, 120/min or 500/h", s)
	}
	return Rate{Count: int(n), Per: units[unit]}, nil
}

// parseNetworks takes addresses and networks with commas between them.
func parseNetworks(field func(*Config) *[]netip.Prefix) func(*Config, string) error {
	return func(c *Config, s string) error {
		var networks []netip.Prefix
		for word := range strings.SplitSeq(s, ",") {
			if word = strings.TrimSpace(word); word == "" {
				continue
			}
			network, err := netip.ParsePrefix(word)
			if address, alone := netip.ParseAddr(word); alone == nil {
				network, err = address.Unmap().Prefix(address.Unmap().BitLen())
			}
			if err != nil {
				return fmt.Errorf("%q is not an address or a network like 10.0.0.0/8", word)
			}
			networks = append(networks, network.Masked())
		}
		*field(c) = networks
		return nil
	}
}

// errKeysCross says that two of the keys are one, so that nobody could tell who sends it.
var errKeysCross = errors.New("ask-key, owner-key and admin-key must be different from each other")

// checkKeys says whether the keys can be told apart.
func checkKeys(c Config) error {
	seen := map[secret.Text]bool{}
	for _, key := range []secret.Text{c.Access.AskKey, c.OwnerKey, c.Access.AdminKey} {
		if key != "" && seen[key] {
			return errKeysCross
		}
		seen[key] = true
	}
	return nil
}

// CheckListen says whether a server may listen on c.Listen: at an address that other machines can reach, callers need keys, so that some must be set,
// here or by annai keys, or Insecure. The error wraps [fault.ErrDenied].
func (c Config) CheckListen(keys bool) error {
	host, err := listenHost(c.Listen)
	if err != nil {
		return err
	}
	if c.Insecure || keys || loopback(host) {
		return nil
	}
	return problem{
		fmt.Errorf("listen: %s can be reached by other machines, and there are no keys; make one with keys add, listen on 127.0.0.1, or add --insecure (ANNAI_INSECURE=true) if everybody may ask", c.Listen),
		fault.ErrDenied,
	}
}
