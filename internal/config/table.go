package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// scope says which commands have a flag for a setting. In a file and in the environment every setting is known to every command,
// so that one file serves them all.
type scope int

const (
	everywhere scope = iota // all commands that open a venue
	serverOnly              // commands that listen
)

// setting is a line of the table.
type setting struct {
	key   string // in files; also the flag's name. The variable is ANNAI_KEY
	value string // what its value looks like, for the help
	def   string // the default, as it would be written; "" is what the usage says
	usage string // one sentence, without a full stop
	scope scope
	path  bool // in a file, relative to that file
	// words are values of a path that are none.
	words []string
	// secret settings have no flag, because everybody on a machine can read its command lines.
	secret bool
	// also is a second name of the variable, which the first wins over.
	also string
	// parse checks text and stores it. Its error says what is wrong with text, and not which key it is.
	parse func(c *Config, text string) error
}

// flag is how the setting is written on a command line; for a secret one, empty.
func (s setting) flag() string {
	if s.secret {
		return ""
	}
	return "--" + s.key
}

func (s setting) variable() string {
	return prefix + strings.ToUpper(strings.ReplaceAll(s.key, "-", "_"))
}

// names is how the setting is written on a command line and in the environment.
func (s setting) names() string {
	var also string
	if s.also != "" {
		also = ", " + s.also
	}
	if s.secret {
		return s.variable() + "=" + s.value + also
	}
	return s.flag() + " " + s.value + "   " + s.variable() + also
}

// fileKey names the configuration file itself; a file can't name another.
const fileKey = "config"

// table has every setting, in the order of the help.
func table() []setting {
	return append([]setting{
		{key: fileKey, value: "FILE", usage: "configuration file in YAML (none)", parse: text(func(c *Config) *string { return &c.File })},
		{key: "venue", value: "FILE", path: true, usage: "venue file (the built-in demonstration venue)", parse: text(func(c *Config) *string { return &c.Venue })},
		{key: "data", value: "DIR", path: true, usage: "folder for what survives a restart (nothing is written)", parse: text(func(c *Config) *string { return &c.Data })},
		{key: "postgres", value: "ADDRESS", usage: "PostgreSQL that keeps what several servers share (none)", parse: parsePostgres},
		{key: "postgres-file", value: "FILE", path: true, usage: "file with that address, if it has a password (none)", parse: fromSecretFile("postgres", postgresField, parsePostgres)},
		{key: "encryption-key", value: "HEX", secret: true, usage: "64 hexadecimal digits that encrypt what is stored (tokens have a key of their own)", parse: parseKey},
		{key: "encryption-key-file", value: "FILE", path: true, usage: "file with that key (none)", parse: fromSecretFile("encryption-key", keyField, parseKey)},
		{key: "compress-above", value: "SIZE", usage: "size above which what is stored is compressed, in bytes, KiB or MiB (not compressed)", parse: parseSize(func(c *Config) *int64 { return &c.CompressAbove })},
		{key: "now", value: "TIME", usage: "instant at which the clock starts, in RFC 3339 (the real clock)", parse: parseNow},
		{key: "log-level", value: "LEVEL", def: "info", usage: "least severe level that is logged: debug, info, warn or error", parse: parseLevel},
		{key: "log-format", value: "FORMAT", def: "text", usage: "form of log lines: text or json", parse: oneOf(func(c *Config) *string { return &c.LogFormat }, "text", "json")},
		{
			key: "audit", value: "FILE", path: true, words: []string{AuditOff, AuditStdout},
			usage: "file that keeps who did what; off, or stdout (audit.log in the data folder)",
			parse: text(func(c *Config) *string { return &c.Audit }),
		},
		{
			key: "audit-kept", value: "DURATION", def: "0s",
			usage: "how long that is kept, for example 2160h; 0 for as long as there is room, 100 MiB",
			parse: notNegative(func(c *Config) *duration { return &c.AuditKept }),
		},
		{key: "session-idle", value: "DURATION", def: "3m", usage: "how long a session is kept after its last turn", parse: positive(func(c *Config) *duration { return &c.SessionIdle })},
		{key: "deadline", value: "DURATION", def: "5s", usage: "how long one turn may take in all", parse: positive(func(c *Config) *duration { return &c.Deadline })},
		{key: "source-deadline", value: "DURATION", def: "2s", usage: "how long a turn waits for calendars and knowledge", parse: positive(func(c *Config) *duration { return &c.SourceDeadline })},
		{key: "mcp-confirm", value: "WHO", def: "annai", usage: "who asks a person before an MCP client writes, annai or client", parse: oneOf(func(c *Config) *string { return &c.MCPConfirm }, "annai", "client")},
		{key: "listen", value: "HOST:PORT", def: "127.0.0.1:8080", scope: serverOnly, usage: "address to serve on; without a host it is 127.0.0.1, port 0 picks a free one", parse: parseListen},
		{key: "insecure", value: "BOOL", def: "false", scope: serverOnly, usage: "allow an address that other machines can reach, without keys", parse: parseBool(func(c *Config) *bool { return &c.Insecure })},
		{key: "hosts", value: "NAMES", scope: serverOnly, usage: "names by which the server may be called, with commas; * allows all (those of this machine)", parse: list(func(c *Config) *[]string { return &c.Hosts }, checkHost)},
		{key: "allowed-origins", value: "ORIGINS", scope: serverOnly, usage: "origins whose pages may ask from a browser, with commas (the server's own)", parse: list(func(c *Config) *[]string { return &c.AllowedOrigins }, checkOrigin)},
		{key: "max-body", value: "SIZE", def: "64KiB", scope: serverOnly, usage: "largest request body, in bytes, KiB or MiB", parse: parseSize(func(c *Config) *int64 { return &c.MaxBody })},
		{key: "max-concurrent", value: "COUNT", def: "256", scope: serverOnly, usage: "how many turns may be under way at once", parse: count(func(c *Config) *int { return &c.MaxConcurrent })},
		{
			key: "drain", value: "DURATION", def: "0s", scope: serverOnly,
			usage: "how long requests are still taken after a signal to stop, which /readyz tells",
			parse: notNegative(func(c *Config) *duration { return &c.Drain }),
		},
		{key: "grace", value: "DURATION", def: "10s", scope: serverOnly, usage: "how long what is under way may go on after a signal to stop", parse: positive(func(c *Config) *duration { return &c.Grace })},
	}, slices.Concat(
		keysTable(), runsTable(), outboundTable(), googleTable(), ownTable(), mapsTable(), modelTable(),
		embedderTable(), geminiTable(), voiceTable(), hearingTable(), kioskTable(), tracesTable(),
	)...)
}

// rules are the conditions between settings, checked when each is fine by itself.
func rules(c Config) error {
	if c.SourceDeadline > c.Deadline {
		return fmt.Errorf("source-deadline: %s is longer than deadline, %s", c.SourceDeadline, c.Deadline)
	}
	return errors.Join(checkTraces(c), checkKeys(c))
}

// Help returns the table as plain text of at most 100 columns, for a help topic.
func Help() string { return help(table()) }

func help(settings []setting) string {
	var b strings.Builder
	b.WriteString("Settings. A flag wins over a variable, that over the configuration file, that over the default.\n")
	for _, s := range settings {
		fmt.Fprintf(&b, "\n  %s\n", s.names())
		fmt.Fprintf(&b, "      %s", s.usage)
		if s.def != "" {
			fmt.Fprintf(&b, " (%s)", s.def)
		}
		b.WriteString("\n")
	}
	return b.String()
}
