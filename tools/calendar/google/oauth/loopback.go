package oauth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"annai/fault"
)

// Loopback runs the whole flow with a listener on this machine's loopback address: it calls show with the page that the owner is to open, waits
// for the browser to come back, and answers it with a page. It closes the listener. The error is a [Problem], or that of ctx.
//
// What comes to the listener and is not the answer to this attempt is refused and changes nothing: any page in a browser can send it.
func (f *Flow) Loopback(ctx context.Context, listener net.Listener, scopes []string, show func(page string) error) (Grant, error) {
	host := listener.Addr().String()
	page, _, err := f.Begin("http://"+host+"/", scopes)
	if err != nil {
		return Grant{}, errors.Join(err, listener.Close())
	}
	back := &comeback{flow: f, host: host, done: make(chan outcome, 1)}
	server := &http.Server{Handler: back, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer stop(ctx, server, served)
	if err := show(page); err != nil {
		return Grant{}, err
	}
	select {
	case o := <-back.done:
		return o.grant, o.err
	case err := <-served:
		served <- err
		return Grant{}, fmt.Errorf("listen on %s: %w: %w", host, fault.ErrUnavailable, err)
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return Grant{}, &Problem{Code: Expired}
		}
		return Grant{}, ctx.Err()
	}
}

// stop lets the page reach its browser, and then ends the server.
func stop(ctx context.Context, server *http.Server, served <-chan error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		_ = server.Close()
	}
	<-served
}

type outcome struct {
	grant Grant
	err   error
}

// comeback is where the browser comes back to.
type comeback struct {
	flow *Flow
	host string
	once sync.Once
	done chan outcome // has room for the one outcome
}

// ServeHTTP implements [http.Handler].
func (c *comeback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Host != c.host: // a name that somebody made to point here
		http.Error(w, "not here", http.StatusMisdirectedRequest)
		return
	case r.Method != http.MethodGet, r.URL.Path != "/":
		http.NotFound(w, r)
		return
	}
	// The browser may give up waiting; the code is used up all the same.
	grant, err := c.flow.Finish(context.WithoutCancel(r.Context()), "http://"+c.host+r.URL.RequestURI())
	answerPage(w, err)
	if AskAgain(err) || isCode(err, Replay) {
		return
	}
	c.once.Do(func() { c.done <- outcome{grant, err} })
}
