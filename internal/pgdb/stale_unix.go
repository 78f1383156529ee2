//go:build unix

package pgdb

import (
	"errors"
	"net"
	"syscall"
)

// stale reports whether something came on a connection that waits for nothing: its end, most likely, when the server was restarted. It looks at what
// the system has and takes nothing.
func stale(c net.Conn) bool {
	if inner, ok := c.(interface{ NetConn() net.Conn }); ok { // of TLS
		c = inner.NetConn()
	}
	socket, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return true
	}
	nothing := false
	err = raw.Control(func(fd uintptr) { // not Read, which waits for who reads already
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK) // it never waits: Go's sockets do not
		nothing = errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR)
	})
	return err != nil || !nothing
}
