package langgraph

import (
	"net/http"
	"slices"
	"strings"

	"annai/runs"
)

// around is what a run's configurable has of the headers of the request for it, under their names in small letters: those that begin with "x-", and
// user-agent. What may be a secret, and where a request came from, stays out of it.
func around(headers http.Header) runs.Object {
	found := runs.Object{}
	for name, values := range headers {
		name = strings.ToLower(name)
		if name == "user-agent" || strings.HasPrefix(name, "x-") && !private(name) {
			found[name] = strings.Join(values, ", ")
		}
	}
	return found
}

// privateWords are in the names of headers that are kept out of configurable.
var privateWords = []string{
	"key", "token", "secret", "password", "credential", "auth", "cookie", "jwt", "csrf", "xsrf", "tenant-id", "forwarded", "real-ip", "client-ip", "connecting-ip",
}

func private(name string) bool {
	return slices.ContainsFunc(privateWords, func(word string) bool { return strings.Contains(name, word) })
}
