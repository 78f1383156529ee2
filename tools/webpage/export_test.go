package webpage

import "net/url"

// ProviderOf is the name of the provider of an address, for tests.
func ProviderOf(u *url.URL) string {
	p, _ := find(providers(), u)
	return p.name
}

// Allowed reports whether a robots.txt lets us read a path, for tests.
func Allowed(file []byte, path string) bool { return allowed(rulesFor(agent, file), path) }

// Parse reads a page and tells it, for tests.
func Parse(data []byte, contentType string, from *url.URL) Expansion {
	var out Expansion
	parse(data, contentType, from).tell(&out)
	return out
}
