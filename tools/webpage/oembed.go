package webpage

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"annai/internal/outbound"
)

//go:embed data/providers.tsv
var providersFile string

// A provider is a site that says what is behind its links, at an endpoint of oEmbed 1.0
// (https://oembed.com).
type provider struct {
	name, endpoint string
	// patterns are of host and path; * is any text, in the host without a slash.
	patterns []string
}

// providers reads the list that go run ./generate makes.
func providers() []provider {
	var all []provider
	for row := range strings.Lines(providersFile) {
		fields := strings.Split(strings.TrimSpace(row), "\t")
		if len(fields) == 3 {
			all = append(all, provider{name: fields[0], endpoint: fields[1], patterns: strings.Fields(fields[2])})
		}
	}
	return all
}

// find returns the provider of an address.
func find(all []provider, u *url.URL) (provider, bool) {
	host, path := strings.ToLower(u.Hostname()), u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	if u.Port() != "" && u.Port() != "80" && u.Port() != "443" {
		return provider{}, false
	}
	for _, p := range all {
		for _, pattern := range p.patterns {
			on, below, _ := strings.Cut(pattern, "/")
			if wild(strings.ToLower(on), host) && wild("/"+below, path) {
				return p, true
			}
		}
	}
	return provider{}, false
}

// wild reports whether s is what a pattern says, in which * stands for any text.
func wild(pattern, s string) bool {
	first, rest, more := strings.Cut(pattern, "*")
	if !more {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		at := strings.Index(s, part)
		if at < 0 {
			return false
		}
		s = s[at+len(part):]
	}
	return strings.HasSuffix(s, last)
}

// An answer is one of oEmbed: texts and numbers, no HTML.
type answer map[string]any

// maxEmbed is the largest answer of an endpoint, which may have a page's worth of HTML in it.
const maxEmbed = 256 << 10

var errNoEmbed = errors.New("no oEmbed")

// embedded asks an endpoint what is behind an address. One that names an address itself is a link
// of a page.
func (r *Reader) embedded(ctx context.Context, endpoint, address string) (answer, error) {
	u, err := outbound.Parse(endpoint)
	if endpoint == "" || err != nil {
		return nil, errNoEmbed
	}
	query := u.Query()
	if !query.Has("url") {
		query.Set("url", address)
	}
	query.Set("format", "json")
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, errNoEmbed
	}
	req.Header.Set("Accept", "application/json")
	res, err := r.client.Send(req, outbound.Limits{Bytes: maxEmbed})
	if err != nil || res.Status != http.StatusOK {
		return nil, errNoEmbed
	}
	var all map[string]any
	if json.Unmarshal(res.Body, &all) != nil || len(all) == 0 {
		return nil, errNoEmbed
	}
	return bounded(all), nil
}

// bounded keeps what is a line of text or a number. HTML is for pages that show what is of others,
// and none of ours does.
func bounded(all map[string]any) answer {
	e := answer{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		key := line(name, maxTitle)
		if len(e) == maxValues || key == "" || key == "html" {
			continue
		}
		switch v := all[name].(type) {
		case string:
			if s := line(v, maxValue); s != "" && !strings.HasPrefix(s, "<") {
				e[key] = s
			}
		case float64, bool:
			e[key] = v
		}
	}
	return e
}

func (e answer) text(name string) string {
	s, _ := e[name].(string)
	return s
}

// tell fills in what the page did not say.
func (e answer) tell(out *Expansion) {
	if len(e) == 0 {
		return
	}
	out.OEmbed = e
	set(&out.Title, line(e.text("title"), maxTitle))
	set(&out.Description, e.text("description"))
	set(&out.SiteName, line(e.text("provider_name"), maxTitle))
	base, err := url.Parse(out.URL)
	if err != nil {
		return
	}
	set(&out.ImageURL, link(base, e.text("thumbnail_url")))
	if e.text("type") == "photo" {
		set(&out.ImageURL, link(base, e.text("url")))
	}
}
