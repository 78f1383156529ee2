package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"strings"

	"github.com/gin-gonic/gin"
)

// errKey is a key that is not known here.
var errKey = errors.New("key is not known")

// keys are what those who may do more than a visitor send as Authorization: Bearer KEY. Only their hashes are kept.
type keys struct {
	owner *[sha256.Size]byte
}

func newKeys(o Options) keys {
	if o.OwnerKey == "" {
		return keys{}
	}
	sum := sha256.Sum256([]byte(o.OwnerKey))
	return keys{owner: &sum}
}

// isOwner says whether the request has the owner's key. One without a key is a visitor's; one with another key is errKey, because who
// sends a key means to be known by it.
func (s *Server) isOwner(c *gin.Context) (bool, error) {
	header := c.GetHeader("Authorization")
	if header == "" {
		return false, nil
	}
	scheme, key, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") || !s.keys.isOwner(strings.TrimSpace(key)) {
		return false, errKey
	}
	return true, nil
}

// isOwner says whether it is the owner's key, in a time that does not depend on how much of it is right.
func (k keys) isOwner(key string) bool {
	sum := sha256.Sum256([]byte(key))
	return k.owner != nil && subtle.ConstantTimeCompare(sum[:], k.owner[:]) == 1
}
