package door

import (
	"strconv"
	"strings"
)

// Preferred returns the language that an Accept-Language header likes best among those we speak; Japanese if neither is in it.
func Preferred(acceptLanguage string) string {
	best, weight := "ja", 0.0
	for entry := range strings.SplitSeq(acceptLanguage, ",") {
		tag, parameters, _ := strings.Cut(entry, ";")
		language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		if language != "ja" && language != "en" {
			continue
		}
		q := 1.0
		if text, ok := strings.CutPrefix(strings.TrimSpace(parameters), "q="); ok {
			q, _ = strconv.ParseFloat(text, 64)
		}
		if q > weight {
			best, weight = language, q
		}
	}
	return best
}
