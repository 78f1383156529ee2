// Package config reads the settings of annai: flags over ANNAI_* environment variables over a file over defaults.
// It is the only reader of the environment.
//
// The one idea: [table] has a line per setting, and flags, variables, file keys, the help text and docs/configuration.md are all made
// from it. A name that is not in the table and a value that can't be right are errors that name the key and where it came from.
//
// The package knows what a well-formed setting is. It does not know whether the port is free or the folder exists: whoever opens them says so.
package config

import (
	"log/slog"
	"net"
	"net/netip"
	"time"

	"annai/internal/secret"
)

// Config holds every setting of one process, checked and with defaults filled in. [Load] makes it; nobody changes it afterwards.
type Config struct {
	// File is the configuration file that was read. Empty means none.
	File string
	// Venue is the path of the venue file. Empty means the built-in demonstration venue.
	Venue string
	// Data is the folder for what survives a restart. Empty means that nothing is written.
	Data string
	// Postgres is the address of the PostgreSQL that keeps sessions, a URL or a list of key=value. Empty means that the Data folder does.
	Postgres secret.Text
	// EncryptionKey is 32 bytes with which stored sessions are encrypted. Empty means that they are not.
	EncryptionKey secret.Text
	// CompressAbove is the size in bytes above which a stored row is compressed. 0 means that none is.
	CompressAbove int64
	// Now is the instant at which the clock starts. Zero means the real clock.
	Now time.Time
	// Google is how an owner's calendar at Google is reached.
	Google Google
	// Maps are the services that know places, time zones and ways.
	Maps Maps
	// Own is what owners may do besides.
	Own Own
	// Model is the language model, FallbackModel the one that is asked when it fails.
	Model, FallbackModel Model
	// Outbound is how addresses that others name are asked.
	Outbound Outbound
	// Embedder is what knowledge is found by meaning with.
	Embedder Embedder

	// Gemini is how Google's models make pictures and films.
	Gemini Gemini

	// Voice is what speaks, Hearing what hears.
	Voice   Voice
	Hearing Hearing

	// Kiosk is what kiosks do besides answering.
	Kiosk Kiosk

	// Traces say where traces are sent.
	Traces Traces

	// LogLevel is the least severe level that is logged.
	LogLevel slog.Level
	// LogFormat is "text" or "json".
	LogFormat string

	// Audit is the file that keeps who did what, [AuditOff] or [AuditStdout]. Empty: one in the Data folder.
	Audit string
	// AuditKept is how long its entries are kept; 0: as long as there is room.
	AuditKept time.Duration

	// SessionIdle is how long a session is kept after its last turn.
	SessionIdle time.Duration
	// Deadline is how long one turn may take in all.
	Deadline time.Duration
	// SourceDeadline is how long a turn waits for calendars and knowledge; what has not answered by then counts as failed.
	SourceDeadline time.Duration

	// MCPConfirm is who asks a person before a client of the Model Context Protocol writes: "annai", through the client, or "client", by itself.
	MCPConfirm string

	// Listen is HOST:PORT; the host is never empty, the port may be 0 (any free one).
	Listen string
	// Insecure allows a Listen address that other machines can reach, and lets these ask without a key.
	Insecure bool
	// Runs says how runs of LangGraph's API are executed and kept.
	Runs Runs
	// Access is who may ask, and how often.
	Access Access
	// OwnerKey is what the owner of calendars sends as Authorization: Bearer KEY. Empty means that no request is the owner's.
	OwnerKey secret.Text
	// Hosts are the names, without port, by which a server may be called besides those of this machine; "*" allows all.
	Hosts []string
	// AllowedOrigins are the origins, such as https://kiosk.example, whose pages may ask from a browser.
	AllowedOrigins []string
	// MaxBody is the largest request body in bytes.
	MaxBody int64
	// MaxConcurrent is how many turns may be under way at once; more are answered with 503.
	MaxConcurrent int
	// Drain is how long requests are still taken after the process was told to stop.
	Drain time.Duration
	// Grace is how long turns under way may go on after the process was told to stop.
	Grace time.Duration
}

// The values of [Config.Audit] that are no files.
const (
	AuditOff    = "off"
	AuditStdout = "stdout"
)

func listenHost(listen string) (string, error) {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return "", invalid("listen: %w", err)
	}
	return host, nil
}

// LocalURL returns the address, such as http://127.0.0.1:8080, at which this machine reaches a server that listens on addr
// (HOST:PORT). An unspecified host (0.0.0.0, ::) becomes the loopback address of its family.
func LocalURL(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "http://" + addr
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip.Is6() {
			host = "::1"
		}
	}
	return "http://" + net.JoinHostPort(host, port)
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
