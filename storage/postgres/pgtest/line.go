package pgtest

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Line is a way to a server that can be held up: then the server is there, takes connections and does not answer.
type Line struct {
	listener net.Listener
	socket   string // of the server

	wires sync.WaitGroup
	mu    sync.Mutex
	ends  []net.Conn
	free  chan struct{} // closed while nothing is held up
}

// Line returns a line to the server, until the test ends, and the address by which it leads to where the other address does.
func (s *Server) Line(t testing.TB, address string) (l *Line, through string) {
	t.Helper()
	listener, where := listen(t)
	l = &Line{listener: listener, socket: filepath.Join(s.folder, ".s.PGSQL.5432"), free: make(chan struct{})}
	close(l.free)
	ctx := context.WithoutCancel(t.Context())
	l.wires.Go(func() { l.accept(ctx) })
	t.Cleanup(l.close)
	return l, strings.Replace(address, "host="+s.folder, where, 1)
}

// Silent returns the address of somebody who takes connections until the test ends, and never says anything.
func Silent(t testing.TB) (address string) {
	t.Helper()
	listener, where := listen(t)
	t.Cleanup(func() { _ = listener.Close() }) // there is nothing to lose
	return where + " user=annai dbname=postgres"
}

func listen(t testing.TB) (listener net.Listener, where string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return listener, fmt.Sprintf("host=%s port=%s sslmode=disable", host, port)
}

// Hold holds up what both sides say from now on.
func (l *Line) Hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = make(chan struct{})
}

// Release hands it on after all. The line must be held.
func (l *Line) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.free)
}

func (l *Line) close() {
	_ = l.listener.Close() // there is nothing to lose
	l.mu.Lock()
	for _, end := range l.ends {
		_ = end.Close()
	}
	select {
	case <-l.free:
	default:
		close(l.free)
	}
	l.mu.Unlock()
	l.wires.Wait()
}

func (l *Line) accept(ctx context.Context) {
	for {
		near, err := l.listener.Accept()
		if err != nil {
			return
		}
		far, err := new(net.Dialer).DialContext(ctx, "unix", l.socket)
		if err != nil {
			_ = near.Close()
			continue
		}
		l.mu.Lock()
		l.ends = append(l.ends, near, far)
		l.mu.Unlock()
		for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
			l.wires.Go(func() {
				_, _ = io.Copy(way[1], held{way[0], l}) // until either side ends
				_ = way[0].Close()
				_ = way[1].Close()
			})
		}
	}
}

// held hands over what was read once the line is free.
type held struct {
	io.Reader

	line *Line
}

// Read is part of [io.Reader].
func (h held) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	h.line.mu.Lock()
	free := h.line.free
	h.line.mu.Unlock()
	<-free
	return n, err
}
