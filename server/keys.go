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
	sum := sha256.Sum256([]byte(strings.TrimSpace(key)))
	if !strings.EqualFold(scheme, "Bearer") || s.keys.owner == nil || subtle.ConstantTimeCompare(sum[:], s.keys.owner[:]) != 1 {
		return false, errKey
	}
	return true, nil
}
