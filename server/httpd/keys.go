package httpd

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"annai/fault"
	"annai/server/door"
	"annai/server/keys"
)

// identify says who asks, by the key that was sent. A key that is not known here is refused, because who sends one
// means to be known by it; only where there are no keys at all none is looked at, since many clients send one
// whether it is wanted or not.
func (s *Server) identify(c *gin.Context, r door.Route) (door.Caller, error) {
	address, local := s.clientOf(c.Request)
	open := s.open(local)
	caller := door.Caller{Role: door.Anyone, Network: NetworkOf(address).String(), Local: local}
	caller.Operates = open && !s.keys.Guards(door.Operator)
	if address.IsValid() {
		caller.Address = address.String()
	}
	if open {
		caller.Role = door.Visitor
	}
	key, sent := sentKey(c.Request, r)
	if !sent || !s.keys.Any() {
		return caller, nil
	}
	found, ok := s.keys.Find(key)
	if !ok {
		if err := s.limits.guess(address, s.parts.Now()); err != nil {
			return caller, err
		}
		return caller, door.ErrKey
	}
	caller.Role, caller.Key, caller.Owner = found.Role, found.Name, found.Owner
	caller.KeyPrint, caller.Rate = found.Hash.Print(), found.Rate
	return caller, nil
}

// open says whether somebody on this machine, or elsewhere, may ask without a key.
func (s *Server) open(local bool) bool {
	return !s.keys.Guards(door.Visitor) && (!s.opts.KeyElsewhere || local)
}

// Permits says whether a key that was sent as anything but a header's is one of the role. A wrong one counts as a
// guess, of which too many are a [door.RateError].
func (s *Server) Permits(c *gin.Context, key string, r door.Role) (bool, error) {
	if found, ok := s.keys.Find(key); ok && (door.Caller{Role: found.Role}).Is(r) {
		return true, nil
	}
	address, _ := s.clientOf(c.Request)
	return false, s.limits.guess(address, s.parts.Now())
}

// permit says whether the caller may ask for the route. Who asks without a key may be about to guess one.
func (s *Server) permit(c *gin.Context, caller door.Caller, r door.Role) error {
	switch {
	case caller.Is(r):
		return nil
	case caller.Key == "":
		address, _ := s.clientOf(c.Request)
		if err := s.limits.guess(address, s.parts.Now()); err != nil {
			return err
		}
		return door.ErrNoKey
	}
	return fault.ErrDenied
}

// sentKey returns the key of a request: that of Authorization: Bearer KEY, of X-Api-Key, or where the route allows
// it of the query, from which it is taken away.
func sentKey(r *http.Request, route door.Route) (key string, sent bool) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, key, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			key = ""
		}
		return strings.TrimSpace(key), true
	}
	if key := r.Header.Get("X-Api-Key"); key != "" {
		return key, true
	}
	if !route.KeyInURL || !strings.Contains(r.URL.RawQuery, "key=") {
		return "", false
	}
	query := r.URL.Query()
	key, sent = query.Get("key"), query.Has("key")
	query.Del("key")
	r.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: query.Encode()}
	r.RequestURI = r.URL.RequestURI()
	return key, sent
}

// dropRevoked ends the long answers to those whose key is worth nothing any more.
func (s *Server) dropRevoked() {
	s.streams.drop(func(caller door.Caller) bool { return !s.keys.Holds(caller) })
}

// noKeys is the ring of a server without keys.
func noKeys(now func() time.Time) *keys.Ring {
	ring, _ := keys.NewRing(context.Background(), keys.Settings{}, nil, now) // reads nothing that could fail
	return ring
}
