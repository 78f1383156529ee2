package webpage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"annai/fault"
	"annai/internal/outbound"
)

// agent is the product token by which a robots.txt may name us.
const agent = "annai"

// Limits of robots.txt. RFC 9309 wants at least 500 KiB read, and nothing kept for more than a day.
const (
	maxRobots  = 500 << 10
	robotsKept = time.Hour
	maxSites   = 512
)

// errRobots is a page that its site wants nobody like us to read.
var errRobots = fmt.Errorf("robots.txt disallows it: %w", fault.ErrUnavailable)

// robots knows what sites allow (RFC 9309).
type robots struct {
	client *outbound.Client
	now    func() time.Time

	mu    sync.Mutex
	sites map[string]site
}

// A site is what one allows, until a time.
type site struct {
	rules []rule
	until time.Time
}

// A rule is a line of a robots.txt.
type rule struct {
	pattern string
	allow   bool
}

func newRobots(client *outbound.Client, now func() time.Time) *robots {
	return &robots{client: client, now: now, sites: map[string]site{}}
}

// allow returns [errRobots] for a page that its site does not let us read, and the error of the
// request where that can't be found out.
func (r *robots) allow(ctx context.Context, u *url.URL) error {
	key := outbound.Site(u)
	r.mu.Lock()
	known, ok := r.sites[key]
	r.mu.Unlock()
	if !ok || !r.now().Before(known.until) {
		rules, err := r.fetch(ctx, u)
		if err != nil {
			return err
		}
		known = site{rules: rules, until: r.now().Add(robotsKept)}
		r.mu.Lock()
		if len(r.sites) >= maxSites {
			clear(r.sites)
		}
		r.sites[key] = known
		r.mu.Unlock()
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	if !allowed(known.rules, path) {
		return errRobots
	}
	return nil
}

// fetch asks for the robots.txt of a site. One that is not there allows everything; one that the
// site fails to give allows nothing.
func (r *robots) fetch(ctx context.Context, u *url.URL) ([]rule, error) {
	address := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return nil, errors.Join(err, fault.ErrUnavailable)
	}
	res, err := r.client.Send(req, outbound.Limits{Bytes: maxRobots, Cut: true})
	switch {
	case err != nil:
		return nil, err
	case res.Status >= http.StatusInternalServerError || res.Status == http.StatusTooManyRequests:
		return nil, errRobots
	}
	return rulesFor(agent, res.Body), nil
}

// rulesFor returns the rules of the groups that name the agent, or else of those for all.
func rulesFor(agent string, data []byte) []rule {
	var ours, others []rule
	named, mine, all, inAgents := false, false, false, false
	for row := range strings.Lines(string(bytes.TrimPrefix(data, []byte("\ufeff")))) {
		row, _, _ = strings.Cut(row, "#")
		key, value, ok := strings.Cut(row, ":")
		if !ok {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if key == "user-agent" {
			if !inAgents {
				mine, all = false, false
			}
			inAgents = true
			mine = mine || strings.EqualFold(token(value), agent)
			all = all || value == "*"
			named = named || mine
			continue
		}
		if key != "allow" && key != "disallow" {
			continue
		}
		inAgents = false
		made := rule{pattern: escaped(value), allow: key == "allow"}
		if value != "" && mine {
			ours = append(ours, made)
		}
		if value != "" && all {
			others = append(others, made)
		}
	}
	if named {
		return ours
	}
	return others
}

// token is the part of a name that counts: letters, dashes and underscores.
func token(name string) string {
	end := strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r|0x20 < 'a' ||
			r|0x20 > 'z')
	})
	if end < 0 {
		return name
	}
	return name[:end]
}

// escaped writes letters beyond ASCII, and those that are escaped already, as paths have them.
func escaped(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c >= 0x80:
			fmt.Fprintf(&b, "%%%02X", c)
		case c == '%' && i+2 < len(pattern):
			b.WriteString(strings.ToUpper(pattern[i : i+3]))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// allowed reports what the longest rule says that is about a path; of two as long the one that
// allows.
func allowed(rules []rule, path string) bool {
	path = escaped(path)
	about := slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return !r.matches(path) })
	if len(about) == 0 {
		return true
	}
	longest := slices.MaxFunc(about, func(a, b rule) int {
		if len(a.pattern) != len(b.pattern) || a.allow == b.allow {
			return len(a.pattern) - len(b.pattern)
		}
		if a.allow {
			return 1
		}
		return -1
	})
	return longest.allow
}

// matches reports whether a rule is about a path: * is any text, and $ at the end the end.
func (r rule) matches(path string) bool {
	if pattern, whole := strings.CutSuffix(r.pattern, "$"); whole {
		return wild(pattern, path)
	}
	return wild(r.pattern+"*", path)
}
