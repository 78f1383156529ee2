// Package mask takes personal data out of what is logged.
//
// The idea to hold: nobody means to log an address of mail, a telephone number or the query of a URL,
// but the errors of others have them, so it is done where lines are written. Ids, which have digits
// too, stay what they are. What people say is not logged at all: that is for whoever logs to see to.
package mask

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

var (
	mail = regexp.MustCompile(`[\pL\pN._%+-]+@[\pL\pN-]+(\.[\pL\pN-]+)+`)
	// A number in three parts, one with the code of a country, or ten and more digits that begin with 0; what is around
	// it tells it from a part of an id.
	phone = regexp.MustCompile(`(^|[^\pL\pN_.:/-])` +
		`(\+\d{1,3}[ -]?\(?\d[\d ()-]{6,14}\d|\(?0\d{1,4}[-) ]{1,2}\d{1,4}[- ]\d{3,4}|0\d{9,10})` +
		`($|[^\pL\pN_:/-])`)
	query    = regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://[^\s"'?]*)\?[^\s"']*`)
	userinfo = regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://)[^\s"'/@]+@`)
)

// Text returns the text without addresses of mail, telephone numbers, and what is secret of URLs.
func Text(s string) string {
	if strings.Contains(s, "://") {
		s = userinfo.ReplaceAllString(s, "${1}…@")
		s = query.ReplaceAllString(s, "${1}?…")
	}
	if strings.Contains(s, "@") {
		s = mail.ReplaceAllString(s, "…@…")
	}
	if strings.ContainsAny(s, "0+") {
		s = phone.ReplaceAllString(s, "${1}…${3}")
	}
	return s
}

// Attr is Text for an attribute of a line, as [slog.HandlerOptions] wants it.
func Attr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(Text(a.Value.String()))
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case error:
			a.Value = slog.StringValue(Text(v.Error()))
		case fmt.Stringer:
			a.Value = slog.StringValue(Text(v.String()))
		}
	default: // numbers and times
	}
	return a
}
