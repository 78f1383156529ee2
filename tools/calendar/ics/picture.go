package ics

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// maxPicture is how long a line that names a picture may be. One that has the picture in it is longer.
const maxPicture = 1000

// pictureOf returns the address of the picture that a line names, and whether the line is an IMAGE (RFC 7986), which
// is meant to be shown; an attachment is a picture by its type or by how its address ends. These lines are read for
// themselves, so that one that is malformed costs an event nothing but its picture.
func pictureOf(name, line string) (address string, image bool) {
	head := headLength(line)
	if head < 0 || len(line) > maxPicture {
		return "", false
	}
	address, image = strings.TrimSpace(line[head+1:]), name == "IMAGE"
	kind := ""
	for parameter := range strings.SplitSeq(line[:head], ";") {
		if key, value, ok := strings.Cut(parameter, "="); ok && strings.EqualFold(key, "FMTTYPE") {
			kind = strings.ToLower(strings.Trim(value, `"`))
		}
	}
	fits := strings.HasPrefix(kind, "image/") || kind == "" && (image || endsAsPicture(address))
	if !fits || !isHTTP(address) {
		return "", false
	}
	return address, image
}

func endsAsPicture(address string) bool {
	u, err := url.Parse(address)
	endings := []string{".jpg", ".jpeg", ".png", ".webp", ".gif"}
	return err == nil && slices.Contains(endings, strings.ToLower(path.Ext(u.Path)))
}
