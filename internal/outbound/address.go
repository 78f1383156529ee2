package outbound

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"annai/fault"
)

// maxAddress is the longest address, in bytes.
const maxAddress = 2048

// Parse reads an address that somebody gave. One that is not http or https, has no host, has a user
// in it or is longer than 2,048 bytes is [fault.ErrInvalid]; the error does not repeat it, since an
// address may hold a secret. Whether the address may be reached is found out by the request.
func Parse(address string) (*url.URL, error) {
	if len(address) > maxAddress {
		return nil, fmt.Errorf("the address is longer than %d bytes: %w", maxAddress, fault.ErrInvalid)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address is no URL: %w", fault.ErrInvalid)
	}
	return u, checkURL(u)
}

// checkURL says whether an address may be asked, as far as the address tells.
func checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("scheme %.20q is neither http nor https: %w", u.Scheme, fault.ErrInvalid)
	case u.User != nil:
		return fmt.Errorf("the address has a user in it: %w", fault.ErrInvalid)
	case u.Hostname() == "":
		return fmt.Errorf("the address has no host: %w", fault.ErrInvalid)
	case u.Port() != "" && portOf(u) == 0:
		return fmt.Errorf("the address has no port from 1 to 65535: %w", fault.ErrInvalid)
	case oddNumber(u.Hostname()):
		return fmt.Errorf("the host is a number that is no address like 192.0.2.1: %w", fault.ErrInvalid)
	}
	return nil
}

// oddNumber reports whether a host ends in a number, as only addresses do, and is none as we write
// them: 127.1, 0x7f.1, 2130706433. Resolvers differ in what they take these for. (URL Standard,
// "ends in a number".)
func oddNumber(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	digits, hex := strings.CutPrefix(last, "0x")
	return last != "" && strings.Trim(last, "0123456789") == "" || hex && strings.Trim(digits,
		"0123456789abcdef") == ""
}

// portOf is the port of an address, 0 for none that can be.
func portOf(u *url.URL) uint16 {
	switch {
	case u.Port() != "":
		n, err := strconv.ParseUint(u.Port(), 10, 16)
		if err != nil {
			return 0
		}
		return uint16(n)
	case u.Scheme == "https":
		return 443
	}
	return 80
}

// Site is scheme, host and port of an address, always with a port.
func Site(u *url.URL) string {
	host := net.JoinHostPort(strings.ToLower(u.Hostname()), strconv.Itoa(int(portOf(u))))
	return u.Scheme + "://" + host
}

// namesLoopback reports whether a host is this machine by its own words, whatever a resolver says.
func namesLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	if err == nil {
		return ip.IsLoopback()
	}
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost")
}
