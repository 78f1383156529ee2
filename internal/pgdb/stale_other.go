//go:build !unix

package pgdb

import "net"

// stale is not known here. A connection that ended fails the call that takes it, if that comes within a second.
func stale(net.Conn) bool { return false }
