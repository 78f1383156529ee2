package config

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

type duration = time.Duration

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, s string) error {
		*field(c) = s
		return nil
	}
}

func oneOf(field func(*Config) *string, allowed ...string) func(*Config, string) error {
	return func(c *Config, s string) error {
		if !slices.Contains(allowed, s) {
			return fmt.Errorf("%q is not one of %s", s, strings.Join(allowed, ", "))
		}
		*field(c) = s
		return nil
	}
}

func parseNow(c *Config, s string) error {
	if s == "" {
		c.Now = time.Time{}
		return nil
	}
	now, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fmt.Errorf("%q is not a time like 2026-01-15T10:00:00+09:00", s)
	}
	if now.UTC().Year() > maxYear {
		return fmt.Errorf("%q is after %d: times in the years from it on would have no four digits", s, maxYear)
	}
	c.Now = now
	return nil
}

// maxYear is the last in which the clock may start.
const maxYear = 9000

func parseLevel(c *Config, s string) error {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, ok := levels[s]
	if !ok {
		return fmt.Errorf("%q is not one of debug, info, warn, error", s)
	}
	c.LogLevel = level
	return nil
}

func positive(field func(*Config) *duration) func(*Config, string) error {
	return func(c *Config, s string) error {
		d, err := time.ParseDuration(s)
		if err != nil {
			return fmt.Errorf("%q is not a duration like 2s or 1m30s", s)
		}
		if d <= 0 {
			return fmt.Errorf("%q is not above zero", s)
		}
		*field(c) = d
		return nil
	}
}

// notNegative is positive, or zero.
func notNegative(field func(*Config) *duration) func(*Config, string) error {
	return func(c *Config, s string) error {
		if s == "0" || s == "0s" {
			*field(c) = 0
			return nil
		}
		return positive(field)(c, s)
	}
}

// parseListen takes HOST:PORT. A missing host becomes 127.0.0.1, so that nobody opens a machine to others by leaving something out.
func parseListen(c *Config, s string) error {
	host, port, err := net.SplitHostPort(s)
	if err != nil || strings.ContainsAny(host, " /") {
		return fmt.Errorf("%q is not HOST:PORT", s)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return fmt.Errorf("%q has no port from 0 to 65535", s)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	c.Listen = net.JoinHostPort(host, port)
	return nil
}

// list takes words with commas between them; check says what is wrong with one.
func list(field func(*Config) *[]string, check func(string) error) func(*Config, string) error {
	return func(c *Config, s string) error {
		var words []string
		for word := range strings.SplitSeq(s, ",") {
			if word = strings.TrimSpace(word); word == "" {
				continue
			}
			if err := check(word); err != nil {
				return err
			}
			words = append(words, word)
		}
		*field(c) = words
		return nil
	}
}

func checkHost(s string) error {
	if _, err := netip.ParseAddr(s); err == nil || s == "*" || !strings.ContainsAny(s, ":/ *@") {
		return nil
	}
	return fmt.Errorf("%q is not a host name without a port", s)
}

func checkOrigin(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Scheme+"://"+u.Host != s {
		return fmt.Errorf("%q is not an origin like https://kiosk.example", s)
	}
	return nil
}

func parseBool(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, s string) error {
		switch s {
		case "true":
			*field(c) = true
		case "false":
			*field(c) = false
		default:
			return fmt.Errorf("%q is not true or false", s)
		}
		return nil
	}
}

// maxSize keeps a size far from overflow, and a server from reading a file system into memory.
const maxSize = 1 << 30

func parseSize(field func(*Config) *int64) func(*Config, string) error {
	return func(c *Config, s string) error {
		digits, unit := s, int64(1)
		if rest, ok := strings.CutSuffix(s, "KiB"); ok {
			digits, unit = rest, 1<<10
		} else if rest, ok := strings.CutSuffix(s, "MiB"); ok {
			digits, unit = rest, 1<<20
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a size like 65536, 64KiB or 1MiB", s)
		}
		if n <= 0 || n > maxSize/unit {
			return fmt.Errorf("%q is not from 1 byte to 1024MiB", s)
		}
		*field(c) = n * unit
		return nil
	}
}

func count(field func(*Config) *int) func(*Config, string) error {
	return func(c *Config, s string) error {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n <= 0 {
			return fmt.Errorf("%q is not a whole number above zero", s)
		}
		*field(c) = int(n)
		return nil
	}
}
