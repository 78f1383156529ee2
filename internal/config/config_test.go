package config

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"annai/fault"
	"annai/internal/secret"
)

var update = flag.Bool("update", false, "rewrite docs/configuration.md")

// flagsOf returns a set with all flags bound, that has parsed args.
func flagsOf(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	flags := pflag.NewFlagSet("annai", pflag.ContinueOnError)
	Bind(flags)
	BindServer(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatalf("Parse(%q) = %v, want no error: values are checked by Load", args, err)
	}
	return flags
}

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "annai.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// hexKey is a key as it is set, rawKey as it is used.
var (
	hexKey = strings.Repeat("0a", 32)
	rawKey = secret.Text(strings.Repeat("\n", 32))
)

// secretFile makes a file as people do: with a line's end.
func secretFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(content+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	whsec    = "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4"
	whsecKey = "abcdefghijklmnopqrstuvwx"
)

func defaults() Config {
	return Config{
		LogLevel: slog.LevelInfo, LogFormat: "text", MCPConfirm: "annai",
		SessionIdle: 3 * time.Minute, Deadline: 5 * time.Second, SourceDeadline: 2 * time.Second,
		Listen: "127.0.0.1:8080", MaxBody: 64 << 10, MaxConcurrent: 256, Grace: 10 * time.Second,
		Google: Google{CalendarID: "primary", TokenStore: "file", SSMPrefix: "/tonari/google"},
		Access: Access{
			AddressRate: Rate{120, time.Minute}, KeyRate: Rate{1200, time.Minute},
			AddressKept: 32 << 20, KeyKept: 64 << 20, AddressOpen: 100, KeyOpen: 200,
		},
		Runs: Runs{
			Workers: 16, Queue: 10_000, Lease: 10 * time.Second, Longest: 15 * time.Minute,
			EventsKept: 10 * time.Minute, MaxBody: 16 << 20,
		},
		Model: modelDefaults, FallbackModel: modelDefaults,
		Embedder: Embedder{Provider: "embedded"},
		Maps:     Maps{GoogleFor: []string{"places", "directions"}},
		Gemini: Gemini{
			ImageModel: "gemini-2.5-flash-image", VideoModel: "veo-3.0-generate-001", ReadModel: "gemini-2.5-flash",
		},
		Voice:   Voice{Engine: "embedded", Model: "tts-1", Speed: 1},
		Hearing: Hearing{Model: "whisper-1"},
		Traces:  Traces{Share: 1},
		Own:     Own{SendUpdates: "none", Plugin: true, PluginTools: true, Tasks: "local"},
	}
}

// networks lets cmp compare what has no exported fields.
var networks = cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })

var modelDefaults = Model{Provider: "none", Temperature: true, Deadline: 4 * time.Second, FirstWord: 2 * time.Second, Concurrent: 4}

func TestDefaults(t *testing.T) {
	got, err := load(flagsOf(t), nil)
	if err != nil {
		t.Fatalf("load(nothing) = %v, want no error", err)
	}
	if diff := cmp.Diff(defaults(), got, networks); diff != "" {
		t.Errorf("load(nothing) (-want +got):\n%s", diff)
	}
}

// TestEverySetting sets each line of the table by flag, by variable and by file: all three must arrive at the same Config,
// and it must differ from the defaults.
func TestEverySetting(t *testing.T) {
	samples := map[string]struct {
		text string
		want func(*Config)
	}{
		"venue":               {"/v/venue.yaml", func(c *Config) { c.Venue = "/v/venue.yaml" }},
		"data":                {"/d", func(c *Config) { c.Data = "/d" }},
		"postgres":            {"postgres://a@b/c", func(c *Config) { c.Postgres = "postgres://a@b/c" }},
		"postgres-file":       {secretFile(t, "host=b password='c d'"), func(c *Config) { c.Postgres = "host=b password='c d'" }},
		"encryption-key":      {hexKey, func(c *Config) { c.EncryptionKey = rawKey }},
		"encryption-key-file": {secretFile(t, hexKey), func(c *Config) { c.EncryptionKey = rawKey }},
		"compress-above":      {"4KiB", func(c *Config) { c.CompressAbove = 4 << 10 }},
		"audit":               {"/var/log/audit.log", func(c *Config) { c.Audit = "/var/log/audit.log" }},
		"now":                 {"2026-01-15T10:00:00+09:00", func(c *Config) { c.Now = time.Date(2026, 1, 15, 1, 0, 0, 0, time.UTC) }},
		"log-level":           {"debug", func(c *Config) { c.LogLevel = slog.LevelDebug }},
		"mcp-confirm":         {"client", func(c *Config) { c.MCPConfirm = "client" }},
		"log-format":          {"json", func(c *Config) { c.LogFormat = "json" }},
		"audit-kept":          {"720h", func(c *Config) { c.AuditKept = 720 * time.Hour }},
		"session-idle":        {"10m", func(c *Config) { c.SessionIdle = 10 * time.Minute }},
		"deadline":            {"30s", func(c *Config) { c.Deadline = 30 * time.Second }},
		"source-deadline":     {"900ms", func(c *Config) { c.SourceDeadline = 900 * time.Millisecond }},
		"listen":              {"[::1]:0", func(c *Config) { c.Listen = "[::1]:0" }},
		"insecure":            {"true", func(c *Config) { c.Insecure = true }},
		"owner-key":           {"a-key-that-nobody-guesses", func(c *Config) { c.OwnerKey = "a-key-that-nobody-guesses" }},
		"ask-key":             {"a-key-for-the-kiosk-1", func(c *Config) { c.Access.AskKey = "a-key-for-the-kiosk-1" }},
		"ask-key-file":        {secretFile(t, "a-key-for-the-kiosk-1"), func(c *Config) { c.Access.AskKey = "a-key-for-the-kiosk-1" }},
		"admin-key":           {"a-key-for-an-operator", func(c *Config) { c.Access.AdminKey = "a-key-for-an-operator" }},
		"admin-key-file":      {secretFile(t, "a-key-for-an-operator"), func(c *Config) { c.Access.AdminKey = "a-key-for-an-operator" }},
		"rate-address":        {"2/s", func(c *Config) { c.Access.AddressRate = Rate{2, time.Second} }},
		"kept-address":        {"1MiB", func(c *Config) { c.Access.AddressKept = 1 << 20 }},
		"kept-key":            {"2MiB", func(c *Config) { c.Access.KeyKept = 2 << 20 }},
		"open-address":        {"7", func(c *Config) { c.Access.AddressOpen = 7 }},
		"open-key":            {"8", func(c *Config) { c.Access.KeyOpen = 8 }},
		"rate-key":            {"500/h", func(c *Config) { c.Access.KeyRate = Rate{500, time.Hour} }},
		"trusted-proxies": {"10.0.0.9/8, ::1", func(c *Config) {
			c.Access.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
		}},
		"feed-networks": {"192.168.1.0/24,fd00::5", func(c *Config) {
			c.Outbound.FeedNetworks = []netip.Prefix{
				netip.MustParsePrefix("192.168.1.0/24"), netip.MustParsePrefix("fd00::5/128"),
			}
		}},
		"webhook-secret":      {whsec, func(c *Config) { c.Outbound.WebhookKey = whsecKey }},
		"webhook-secret-file": {secretFile(t, whsec), func(c *Config) { c.Outbound.WebhookKey = whsecKey }},
		"contact":             {"ops@library.example", func(c *Config) { c.Outbound.Contact = "ops@library.example" }},
		"owner-key-file": {secretFile(t, "a-key-that-nobody-guesses"), func(c *Config) {
			c.OwnerKey = "a-key-that-nobody-guesses"
		}},
		"hosts": {"a.example, ::1,", func(c *Config) { c.Hosts = []string{"a.example", "::1"} }},
		"allowed-origins": {"https://a.example,http://b:8000", func(c *Config) {
			c.AllowedOrigins = []string{"https://a.example", "http://b:8000"}
		}},
		"drain":          {"5s", func(c *Config) { c.Drain = 5 * time.Second }},
		"grace":          {"1s", func(c *Config) { c.Grace = time.Second }},
		"max-body":       {"1MiB", func(c *Config) { c.MaxBody = 1 << 20 }},
		"max-concurrent": {"7", func(c *Config) { c.MaxConcurrent = 7 }},

		"runs-workers":      {"3", func(c *Config) { c.Runs.Workers = 3 }},
		"runs-queue":        {"50", func(c *Config) { c.Runs.Queue = 50 }},
		"runs-lease":        {"2s", func(c *Config) { c.Runs.Lease = 2 * time.Second }},
		"runs-longest":      {"1h", func(c *Config) { c.Runs.Longest = time.Hour }},
		"runs-events-kept":  {"5m", func(c *Config) { c.Runs.EventsKept = 5 * time.Minute }},
		"runs-max-body":     {"1MiB", func(c *Config) { c.Runs.MaxBody = 1 << 20 }},
		"runs-threads-kept": {"24h", func(c *Config) { c.Runs.ThreadsKept = 24 * time.Hour }},

		"google-maps-key":      {"AIza-x", func(c *Config) { c.Maps.GoogleKey = "AIza-x" }},
		"google-maps-key-file": {secretFile(t, "AIza-x"), func(c *Config) { c.Maps.GoogleKey = "AIza-x" }},
		"google-maps-for": {
			"timezone, places",
			func(c *Config) { c.Maps.GoogleFor = []string{"timezone", "places"} },
		},
		"google-maps-url":  {"http://127.0.0.1:9/", func(c *Config) { c.Maps.GoogleURL = "http://127.0.0.1:9/" }},
		"osrm-driving-url": {"http://cars.lan", func(c *Config) { c.Maps.OSRMDriving = "http://cars.lan" }},
		"osrm-walking-url": {"http://feet.lan", func(c *Config) { c.Maps.OSRMWalking = "http://feet.lan" }},

		"google-client-id":          {"1.apps.example", func(c *Config) { c.Google.ClientID = "1.apps.example" }},
		"google-client-secret":      {"GOCSPX-x", func(c *Config) { c.Google.ClientSecret = "GOCSPX-x" }},
		"google-client-secret-file": {secretFile(t, "GOCSPX-x"), func(c *Config) { c.Google.ClientSecret = "GOCSPX-x" }},
		"google-calendar-refresh-token": {"1//x", func(c *Config) {
			c.Google.RefreshToken, c.Google.TokenStore = "1//x", "env"
		}},
		"google-calendar-refresh-token-file": {secretFile(t, "1//x"), func(c *Config) {
			c.Google.RefreshToken, c.Google.TokenStore = "1//x", "env"
		}},
		"google-calendar-id": {"a@group.example", func(c *Config) { c.Google.CalendarID = "a@group.example" }},
		"google-redirect": {"https://a.example/auth/google/callback", func(c *Config) {
			c.Google.Redirect = "https://a.example/auth/google/callback"
		}},
		"google-token-store": {"ssm", func(c *Config) { c.Google.TokenStore = "ssm" }},
		"google-ssm-prefix":  {"/hall/google", func(c *Config) { c.Google.SSMPrefix = "/hall/google" }},
		"google-auth-url":    {"https://a.example/auth", func(c *Config) { c.Google.AuthURL = "https://a.example/auth" }},
		"google-token-url":   {"http://127.0.0.1:9000/token", func(c *Config) { c.Google.TokenURL = "http://127.0.0.1:9000/token" }},
		"embedder":           {"ollama", func(c *Config) { c.Embedder.Provider = "ollama" }},
		"embedder-model":     {"bge-m3", func(c *Config) { c.Embedder.Name = "bge-m3" }},
		"embedder-url":       {"https://a.example/v1", func(c *Config) { c.Embedder.URL = "https://a.example/v1" }},
		"embedder-key":       {"sk-x", func(c *Config) { c.Embedder.Key = "sk-x" }},
		"embedder-key-file":  {secretFile(t, "sk-x"), func(c *Config) { c.Embedder.Key = "sk-x" }},
		"gemini-key":         {"sk-x", func(c *Config) { c.Gemini.Key = "sk-x" }},
		"gemini-key-file":    {secretFile(t, "sk-x"), func(c *Config) { c.Gemini.Key = "sk-x" }},
		"gemini-url":         {"https://a.example/v1", func(c *Config) { c.Gemini.URL = "https://a.example/v1" }},
		"gemini-image-model": {"none", func(c *Config) { c.Gemini.ImageModel = "none" }},
		"gemini-video-model": {"none", func(c *Config) { c.Gemini.VideoModel = "none" }},
		"gemini-read-model":  {"none", func(c *Config) { c.Gemini.ReadModel = "none" }},
		"hearing-url":        {"http://a.example/v1", func(c *Config) { c.Hearing.URL = "http://a.example/v1" }},
		"hearing-key":        {"sk-x", func(c *Config) { c.Hearing.Key = "sk-x" }},
		"hearing-key-file":   {secretFile(t, "sk-x"), func(c *Config) { c.Hearing.Key = "sk-x" }},
		"hearing-model":      {"large-v3", func(c *Config) { c.Hearing.Model = "large-v3" }},
		"hearing-insecure":   {"true", func(c *Config) { c.Hearing.Insecure = true }},
		"voice":              {"openai", func(c *Config) { c.Voice.Engine = "openai" }},
		"staff-webhook":      {"http://a.example/s", func(c *Config) { c.Kiosk.StaffWebhook = "http://a.example/s" }},
		"staff-webhook-file": {
			secretFile(t, "http://a.example/s"), func(c *Config) { c.Kiosk.StaffWebhook = "http://a.example/s" },
		},
		"kiosk-code":             {"246810", func(c *Config) { c.Kiosk.Code = "246810" }},
		"kiosk-code-file":        {secretFile(t, "246810"), func(c *Config) { c.Kiosk.Code = "246810" }},
		"public-url":             {"http://a.example/", func(c *Config) { c.Kiosk.PublicURL = "http://a.example" }},
		"voice-url":              {"http://a.example/v1", func(c *Config) { c.Voice.URL = "http://a.example/v1" }},
		"voice-key":              {"sk-x", func(c *Config) { c.Voice.Key = "sk-x" }},
		"voice-key-file":         {secretFile(t, "sk-x"), func(c *Config) { c.Voice.Key = "sk-x" }},
		"voice-name":             {"af_heart", func(c *Config) { c.Voice.Name = "af_heart" }},
		"voice-model":            {"kokoro", func(c *Config) { c.Voice.Model = "kokoro" }},
		"voice-insecure":         {"true", func(c *Config) { c.Voice.Insecure = true }},
		"voice-speed":            {"1.25", func(c *Config) { c.Voice.Speed = 1.25 }},
		"kiosk-preview":          {"true", func(c *Config) { c.Kiosk.Preview = true }},
		"otlp-endpoint":          {"http://a:4318", func(c *Config) { c.Traces.Endpoint = "http://a:4318" }},
		"otlp-traces-endpoint":   {"http://a.example/t", func(c *Config) { c.Traces.Address = "http://a.example/t" }},
		"otlp-headers":           {"key=a%20b", func(c *Config) { c.Traces.Headers = "key=a%20b" }},
		"otlp-headers-file":      {secretFile(t, "key=x"), func(c *Config) { c.Traces.Headers = "key=x" }},
		"otlp-service":           {"kiosk", func(c *Config) { c.Traces.Service = "kiosk" }},
		"traces-share":           {"0.1", func(c *Config) { c.Traces.Share = 0.1 }},
		"traces-words":           {"true", func(c *Config) { c.Traces.Words = true }},
		"embedder-insecure":      {"true", func(c *Config) { c.Embedder.Insecure = true }},
		"google-api-url":         {"http://localhost:9000/", func(c *Config) { c.Google.APIURL = "http://localhost:9000/" }},
		"invite-domains":         {"a.example", func(c *Config) { c.Own.InviteDomains = []string{"a.example"} }},
		"send-updates":           {"all", func(c *Config) { c.Own.SendUpdates = "all" }},
		"tasks":                  {"google", func(c *Config) { c.Own.Tasks = "google" }},
		"caldav-url":             {"https://dav.example/", func(c *Config) { c.Own.CalDAV.URL = "https://dav.example/" }},
		"google-tasks-url":       {"http://localhost:9000/", func(c *Config) { c.Own.TasksURL = "http://localhost:9000/" }},
		"caldav-user":            {"hanako", func(c *Config) { c.Own.CalDAV.User = "hanako" }},
		"caldav-password":        {"p", func(c *Config) { c.Own.CalDAV.Password = "p" }},
		"caldav-password-file":   {secretFile(t, "p"), func(c *Config) { c.Own.CalDAV.Password = "p" }},
		"google-calendar-plugin": {"false", func(c *Config) { c.Own.Plugin = false }},
		"google-calendar-tools":  {"false", func(c *Config) { c.Own.PluginTools = false }},
	}
	for name, of := range map[string]func(*Config) *Model{
		"model":          func(c *Config) *Model { return &c.Model },
		"fallback-model": func(c *Config) *Model { return &c.FallbackModel },
	} {
		for key, sample := range modelSamples(t) {
			samples[name+key] = struct {
				text string
				want func(*Config)
			}{sample.text, func(c *Config) { sample.want(of(c)) }}
		}
	}
	for _, s := range table() {
		if s.key == fileKey {
			continue
		}
		t.Run(s.key, func(t *testing.T) {
			sample, ok := samples[s.key]
			if !ok {
				t.Fatalf("no sample for %s: add one", s.key)
			}
			want := defaults()
			sample.want(&want)
			if cmp.Equal(want, defaults(), networks) {
				t.Fatalf("the sample of %s equals the default", s.key)
			}
			path := file(t, fmt.Sprintf("%s: %q\n", s.key, sample.text))
			inFile := want
			inFile.File = path
			for _, way := range []struct {
				name    string
				args    []string
				environ []string
				want    Config
			}{
				{"flag", []string{s.flag() + "=" + sample.text}, nil, want},
				{"variable", nil, []string{s.variable() + "=" + sample.text}, want},
				{"file", []string{"--config", path}, nil, inFile},
				{"second variable", nil, []string{s.also + "=" + sample.text}, want},
			} {
				if s.also == "" && way.name == "second variable" {
					continue
				}
				if s.secret && way.name == "flag" {
					if flagsOf(t).Lookup(s.key) != nil {
						t.Errorf("%s has a flag, want none: everybody can read command lines", s.key)
					}
					continue
				}
				got, err := load(flagsOf(t, way.args...), way.environ)
				if err != nil {
					t.Errorf("load(%s by %s) = %v, want no error", s.key, way.name, err)
				} else if diff := cmp.Diff(way.want, got, networks); diff != "" {
					t.Errorf("load(%s by %s) (-want +got):\n%s", s.key, way.name, diff)
				}
			}
		})
	}
}

func TestPrecedence(t *testing.T) {
	path := file(t, "log-level: warn\ndeadline: 9s\nmax-concurrent: 9\n")
	environ := []string{"ANNAI_CONFIG=" + path, "ANNAI_DEADLINE=8s", "ANNAI_MAX_CONCURRENT=8"}
	got, err := load(flagsOf(t, "--max-concurrent", "7"), environ)
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.File, want.LogLevel, want.Deadline, want.MaxConcurrent = path, slog.LevelWarn, 8*time.Second, 7
	if diff := cmp.Diff(want, got, networks); diff != "" {
		t.Errorf("load(file, then environment, then flag) (-want +got):\n%s", diff)
	}
}

func TestEmptyValues(t *testing.T) {
	path := file(t, "data: /from/file\nlisten:\n")
	got, err := load(flagsOf(t, "--venue="), []string{"ANNAI_CONFIG=" + path, "ANNAI_VENUE=/from/environment", "ANNAI_DATA="})
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.File, want.Data = path, "/from/file" // an empty flag takes the default, an empty variable is no variable
	if diff := cmp.Diff(want, got, networks); diff != "" {
		t.Errorf("load(empty values) (-want +got):\n%s", diff)
	}
}

func TestTheFirstNameOfAVariableWins(t *testing.T) {
	got, err := load(flagsOf(t), []string{"ANNAI_GOOGLE_CLIENT_ID=ours", "GOOGLE_CLIENT_ID=everybody's", "ANNAI_GOOGLE_CALENDAR_ID=", "GOOGLE_CALENDAR_ID=theirs"})
	if err != nil || got.Google.ClientID != "ours" || got.Google.CalendarID != "theirs" {
		t.Errorf("load(both names) = %q, %q, %v, want ours, and theirs where ours is empty", got.Google.ClientID, got.Google.CalendarID, err)
	}
}

func TestPathsInAFileAreRelativeToIt(t *testing.T) {
	path := file(t, "venue: here/venue.yaml\ndata: data\n")
	got, err := load(flagsOf(t, "--config", path, "--data", "data"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(path), "here/venue.yaml"); got.Venue != want {
		t.Errorf("Venue = %q, want %q: relative to the file", got.Venue, want)
	}
	if got.Data != "data" {
		t.Errorf("Data = %q, want %q: a flag is relative to where the process is", got.Data, "data")
	}
}

func TestMistakesNameTheKeyAndWhereItCameFrom(t *testing.T) {
	for _, test := range []struct {
		name    string
		file    string
		args    []string
		environ []string
		want    string // FILE stands for the file's path
	}{
		{"listen by variable", "", nil, []string{"ANNAI_LISTEN=foo"}, `ANNAI_LISTEN: "foo" is not HOST:PORT`},
		{"listen by flag", "", []string{"--listen", "foo"}, nil, `--listen: "foo" is not HOST:PORT`},
		{"listen by file", "listen: foo\n", nil, nil, `FILE: listen: "foo" is not HOST:PORT`},
		{"an address with a scheme", "", []string{"--listen", "http://localhost:80"}, nil, `--listen: "http://localhost:80" is not HOST:PORT`},
		{"port too high", "", []string{"--listen", "localhost:65536"}, nil, `--listen: "localhost:65536" has no port from 0 to 65535`},
		{"port by name", "", []string{"--listen", "localhost:http"}, nil, `--listen: "localhost:http" has no port from 0 to 65535`},
		{"unknown key", "lisen: foo\n", nil, nil, `FILE: lisen: no such setting`},
		{"a file names a file", "config: foo\n", nil, nil, `FILE: config: no such setting`},
		{"unknown variable", "", nil, []string{"ANNAI_LISTN=1"}, `ANNAI_LISTN: no such setting`},
		{"unknown empty variable", "", nil, []string{"ANNAI_LISTN="}, `ANNAI_LISTN: no such setting`},
		{"no instant", "", []string{"--now", "tomorrow"}, nil, `--now: "tomorrow" is not a time like 2026-01-15T10:00:00+09:00`},
		{"an instant without a zone", "", []string{"--now", "2026-01-15T10:00:00"}, nil, `--now: "2026-01-15T10:00:00" is not a time like 2026-01-15T10:00:00+09:00`},
		{"level", "", []string{"--log-level", "INFO"}, nil, `--log-level: "INFO" is not one of debug, info, warn, error`},
		{"format", "", []string{"--log-format", "xml"}, nil, `--log-format: "xml" is not one of text, json`},
		{"duration without unit", "", []string{"--deadline", "5"}, nil, `--deadline: "5" is not a duration like 2s or 1m30s`},
		{"zero duration", "", []string{"--session-idle", "0s"}, nil, `--session-idle: "0s" is not above zero`},
		{"a short lease", "", []string{"--runs-lease", "900ms"}, nil, `--runs-lease: "900ms" is shorter than 1s`},
		{"switch", "", []string{"--insecure=yes"}, nil, `--insecure: "yes" is not true or false`},
		{"size", "", []string{"--max-body", "64kb"}, nil, `--max-body: "64kb" is not a size like 65536, 64KiB or 1MiB`},
		{"no size", "", []string{"--max-body", "0"}, nil, `--max-body: "0" is not from 1 byte to 1024MiB`},
		{"size too high", "", []string{"--max-body", "9223372036854775807KiB"}, nil, `--max-body: "9223372036854775807KiB" is not from 1 byte to 1024MiB`},
		{"count", "", []string{"--max-concurrent", "0"}, nil, `--max-concurrent: "0" is not a whole number above zero`},
		{"a host with a port", "", []string{"--hosts", "a.example,b.example:80"}, nil, `--hosts: "b.example:80" is not a host name without a port`},
		{"an origin with a path", "", []string{"--allowed-origins", "https://a.example/"}, nil, `--allowed-origins: "https://a.example/" is not an origin like https://kiosk.example`},
		{"an origin without a scheme", "", []string{"--allowed-origins", "a.example"}, nil, `--allowed-origins: "a.example" is not an origin like https://kiosk.example`},
		{"no address", "", []string{"--postgres", "db.example"}, nil, `--postgres: is no address like postgres://user@host/database; in a password, characters like / and : are written as %2F and %3A`},
		{"a password that breaks the address", "", nil, []string{"ANNAI_POSTGRES=postgres://a:se/cret@b/c"}, `ANNAI_POSTGRES: is no address like postgres://user@host/database; in a password, characters like / and : are written as %2F and %3A`},
		{"a short key", "", nil, []string{"ANNAI_ENCRYPTION_KEY=0a0b"}, `ANNAI_ENCRYPTION_KEY: is no key: 64 hexadecimal digits are, as openssl rand -hex 32 makes them`},
		{"a key of letters", "encryption-key: " + strings.Repeat("zz", 32) + "\n", nil, nil, `FILE: encryption-key: is no key: 64 hexadecimal digits are, as openssl rand -hex 32 makes them`},
		{"a key file without one", "", []string{"--encryption-key-file", os.DevNull}, nil, `--encryption-key-file: /dev/null is empty`},
		{"no key file", "", []string{"--encryption-key-file", "/nowhere/key"}, nil, `--encryption-key-file: open /nowhere/key: no such file or directory`},
		{"a short owner's key", "", nil, []string{"ANNAI_OWNER_KEY=secret"}, `ANNAI_OWNER_KEY: is no key: 20 characters or more are, without spaces, as openssl rand -hex 16 makes them`},
		{"one key for two", "", nil, []string{"ANNAI_ASK_KEY=aaaaaaaaaaaaaaaaaaaaaaaa", "ANNAI_ADMIN_KEY=aaaaaaaaaaaaaaaaaaaaaaaa"}, `ask-key, owner-key and admin-key must be different from each other`},
		{"a rate without a time", "", []string{"--rate-address", "60"}, nil, `--rate-address: "60" is not a rate like 2/s, 120/min or 500/h`},
		{"a rate of none", "", []string{"--rate-key", "0/min"}, nil, `--rate-key: "0/min" is not a rate like 2/s, 120/min or 500/h`},
		{
			"a network of words", "",
			[]string{"--feed-networks", "lan"},
			nil,
			`--feed-networks: "lan" is not an address or a network like 10.0.0.0/8`,
		},
		{
			"a contact of two lines", "",
			[]string{"--contact", "a\nb"},
			nil,
			`--contact: "a\nb" is not a mail address or a page like https://library.example/contact`,
		},
		{
			"a webhook's secret that is too short", "", nil,
			[]string{"ANNAI_WEBHOOK_SECRET=whsec_YWJj"},
			"ANNAI_WEBHOOK_SECRET: is no secret: whsec_ and the base64 of 24 to 64 bytes is one, " +
				"as echo whsec_$(openssl rand -base64 32) makes it",
		},
		{
			"a clock that soon needs five digits for a year", "",
			[]string{"--now", "9999-12-31T23:59:50Z"},
			nil,
			`--now: "9999-12-31T23:59:50Z" is after 9000: times in the years from it on would have no four digits`,
		},
		{"a proxy by name", "", []string{"--trusted-proxies", "proxy.example"}, nil, `--trusted-proxies: "proxy.example" is not an address or a network like 10.0.0.0/8`},
		{"two keys", "", []string{"--encryption-key-file", os.DevNull}, []string{"ANNAI_ENCRYPTION_KEY=" + hexKey}, `--encryption-key-file: encryption-key is set too; one of the two must go`},
		{"an address that anybody can listen to", "", []string{"--google-token-url", "http://a.example/token"}, nil, `--google-token-url: "http://a.example/token" is not an address that begins with https://, or one of this machine such as http://127.0.0.1:9000/`},
		{"a token of two words", "", nil, []string{"GOOGLE_CALENDAR_REFRESH_TOKEN=1// x"}, `GOOGLE_CALENDAR_REFRESH_TOKEN: has a space or another character that no such value has`},
		{
			"no tool", "",
			[]string{"--google-maps-for", "places,routes"},
			nil,
			`--google-maps-for: "routes" is not one of places, directions, timezone`,
		},
		{
			"no server", "",
			[]string{"--osrm-driving-url", "osrm.lan:5000"},
			nil,
			"--osrm-driving-url: is not an address like http://osrm.example:5000, " +
				"without a user, a query or a fragment",
		},
		{
			"no store", "",
			[]string{"--google-token-store", "keychain"},
			nil,
			`--google-token-store: "keychain" is not one of file, env, ssm, postgres`,
		},
		{"no path", "", []string{"--google-ssm-prefix", "tonari/"}, nil, `--google-ssm-prefix: "tonari/" is not a path like /tonari/google`},
		{"deadlines crossed", "", []string{"--deadline", "1s"}, nil, `source-deadline: 2s is longer than deadline, 1s`},
		{
			"two at once", "listen: foo\n",
			[]string{"--deadline", "x"},
			[]string{"ANNAI_X=1"},
			"ANNAI_X: no such setting\n--deadline: \"x\" is not a duration like 2s or 1m30s\nFILE: listen: \"foo\" is not HOST:PORT",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := ""
			if test.file != "" {
				path = file(t, test.file)
				test.environ = append(test.environ, "ANNAI_CONFIG="+path)
			}
			_, err := load(flagsOf(t, test.args...), test.environ)
			if want := strings.ReplaceAll(test.want, "FILE", path); fmt.Sprint(err) != want {
				t.Errorf("load(%q, %q)\n   = %v\nwant %s", test.args, test.environ, err, want)
			}
			if !errors.Is(err, fault.ErrInvalid) {
				t.Errorf("load(%q, %q) = %v, want ErrInvalid", test.args, test.environ, err)
			}
		})
	}
}

// TestSecretsAreNotShown prints, logs and encodes a configuration in all the ways there are, and makes mistakes with secrets.
func TestSecretsAreNotShown(t *testing.T) {
	const password, key = "hunter2", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	c, err := load(flagsOf(t), []string{"ANNAI_POSTGRES=postgres://annai:" + password + "@db/annai", "ANNAI_ENCRYPTION_KEY=" + key})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb+"\n", c, c.Postgres, &c.EncryptionKey)
	}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("settings", "all", c, "one", c.Postgres, "other", c.EncryptionKey)
	}
	if err := json.NewEncoder(&out).Encode(c); err != nil {
		t.Fatal(err)
	}
	for _, mistake := range []string{"postgres://annai:" + password + "@:db:/annai", "postgres://annai:x/" + password + "@db", password} {
		_, err := load(flagsOf(t), []string{"ANNAI_POSTGRES=" + mistake, "ANNAI_ENCRYPTION_KEY=" + key + "0", "ANNAI_ENCRYPTION_KEY_FILE=" + secretFile(t, key[1:])})
		if err == nil {
			t.Errorf("load(ANNAI_POSTGRES=%s) = nil, want an error", mistake)
		}
		fmt.Fprintln(&out, err)
	}
	raw, err := hex.DecodeString(key)
	if err != nil || c.EncryptionKey != secret.Text(raw) {
		t.Errorf("EncryptionKey = %x, %v, want %s", string(c.EncryptionKey), err, key)
	}
	for _, secret := range []string{password, key[:16], string(raw[:8]), fmt.Sprintf("%x", password), fmt.Sprint(raw[:4])[1:9], strings.ToUpper(key[:16])} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q is shown in:\n%s", secret, &out)
		}
	}
}

func TestFileThatCannotBeRead(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	_, err := load(flagsOf(t, "--config", missing), nil)
	if want := "--config: " + missing + ": no such file"; fmt.Sprint(err) != want || !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("load(--config of a missing file) = %v, want %q, ErrNotFound", err, want)
	}
	for content, want := range map[string]string{
		"listen: a:1\nlisten: b:2\n": `"listen" is there twice`,
		"listen: [a, b]\n":           "line 1",
		"- listen\n":                 "line 1",
	} {
		path := file(t, content)
		_, err := load(flagsOf(t, "--config", path), nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path+": ") || !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("load(file %q) = %v, want ErrInvalid that names the file and %s", content, err, want)
		}
	}
}

func TestVariablesOfTheTestsAreNoSettings(t *testing.T) {
	if _, err := load(flagsOf(t), []string{"ANNAI_TEST_NOSKIP=1", "PATH=/bin", "ANNAI"}); err != nil {
		t.Errorf("load(ANNAI_TEST_NOSKIP=1 and others) = %v, want no error", err)
	}
}

func TestLoadReadsTheEnvironment(t *testing.T) {
	t.Setenv("ANNAI_LISTEN", "127.0.0.1:1")
	got, err := Load(flagsOf(t))
	if err != nil || got.Listen != "127.0.0.1:1" {
		t.Errorf("Load with ANNAI_LISTEN=127.0.0.1:1 = Listen %q, %v", got.Listen, err)
	}
}

func TestBind(t *testing.T) {
	flags := pflag.NewFlagSet("ask", pflag.ContinueOnError)
	Bind(flags)
	if flags.Lookup("venue") == nil || flags.Lookup("listen") != nil {
		t.Errorf("Bind: venue %v, listen %v, want only venue: listen is for servers", flags.Lookup("venue"), flags.Lookup("listen"))
	}
	// A command without the flag still takes the variable: one environment serves all commands.
	got, err := load(flags, []string{"ANNAI_LISTEN=127.0.0.1:1"})
	if err != nil || got.Listen != "127.0.0.1:1" {
		t.Errorf("load(ANNAI_LISTEN=127.0.0.1:1) of a command without --listen = Listen %q, %v", got.Listen, err)
	}

	server := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	BindServer(server)
	if err := server.Parse([]string{"--insecure"}); err != nil {
		t.Fatal(err)
	}
	if got, err := load(server, nil); err != nil || !got.Insecure {
		t.Errorf("load(--insecure) = Insecure %t, %v, want true", got.Insecure, err)
	}
}

func TestListenWithoutAHostIsLoopback(t *testing.T) {
	got, err := load(flagsOf(t, "--listen", ":0"), nil)
	if err != nil || got.Listen != "127.0.0.1:0" {
		t.Errorf("load(--listen :0) = %q, %v, want 127.0.0.1:0", got.Listen, err)
	}
}

func TestCheckListen(t *testing.T) {
	for listen, allowed := range map[string]bool{
		"127.0.0.1:8080": true, "127.9.9.9:1": true, "localhost:0": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		"0.0.0.0:8080": false, "[::]:8080": false, "192.0.2.1:80": false, "example.org:80": false, "localhost.example.org:80": false,
	} {
		err := Config{Listen: listen}.CheckListen(false)
		if (err == nil) != allowed || !allowed && !errors.Is(err, fault.ErrDenied) {
			t.Errorf("CheckListen(%s) = %v, allowed %t wanted", listen, err, allowed)
		}
		if err := (Config{Listen: listen, Insecure: true}).CheckListen(false); err != nil {
			t.Errorf("CheckListen(%s, insecure) = %v, want no error", listen, err)
		}
		if err := (Config{Listen: listen}).CheckListen(true); err != nil {
			t.Errorf("CheckListen(%s, with keys) = %v, want no error", listen, err)
		}
	}
	if err := (Config{Listen: "x"}).CheckListen(true); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("CheckListen(x) = %v, want ErrInvalid", err)
	}
}

func TestLocalURL(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", "0.0.0.0:80": "http://127.0.0.1:80", "[::]:80": "http://[::1]:80",
		"[::1]:80": "http://[::1]:80", "example.org:80": "http://example.org:80",
	} {
		if got := LocalURL(addr); got != want {
			t.Errorf("LocalURL(%s) = %s, want %s", addr, got, want)
		}
	}
}

// TestTable guards what the generated texts rely on.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range table() {
		if seen[s.key] {
			t.Errorf("%s is there twice", s.key)
		}
		seen[s.key] = true
		if s.usage == "" || s.value == "" || s.parse == nil || strings.HasSuffix(s.usage, ".") {
			t.Errorf("%s needs a usage without a full stop, a value and a parser", s.key)
		}
		if s.def == "" && !strings.HasSuffix(s.usage, ")") {
			t.Errorf("%s: usage %q, want it to end with what happens by default, in brackets", s.key, s.usage)
		}
		if !strings.Contains(Help(), "  "+s.names()+"\n") || !strings.Contains(s.names(), s.variable()) {
			t.Errorf("Help() does not have %s, or that does not name %s", s.names(), s.variable())
		}
	}
	for line := range strings.Lines(Help()) {
		if len(line) > 101 {
			t.Errorf("Help() has a line of %d columns, want at most 100: %s", len(line)-1, line)
		}
	}
}

// TestDocument keeps docs/configuration.md as the table says; -update rewrites it.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "configuration.md")
	want := document()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is out of date; run go test ./internal/config -update (-want +got):\n%s", path, diff)
	}
}

func document() string {
	var b strings.Builder
	b.WriteString(`# Configuration

<!-- Made from the table in internal/config by: go test ./internal/config -update -->

Every setting can be given as a flag, as an environment variable or in a YAML file. A flag wins over the variable, the variable over
the file, the file over the default. The file is named by ` + "`--config FILE` or `ANNAI_CONFIG=FILE`" + `.

| key in the file | flag | variable | default | meaning |
|---|---|---|---|---|
`)
	for _, s := range table() {
		key, def, usage := "`"+s.key+"`", "`"+s.def+"`", s.usage
		if s.key == fileKey {
			key = ""
		}
		flag := "`" + s.flag() + " " + s.value + "`"
		if s.secret {
			flag = "none"
		}
		if s.def == "" {
			i := strings.LastIndex(usage, " (")
			usage, def = usage[:i], strings.TrimSuffix(usage[i+2:], ")")
		}
		variables := "`" + s.variable() + "`"
		if s.also != "" {
			variables += ", `" + s.also + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", key, flag, variables, def, usage)
	}
	b.WriteString(`
- A key or an ` + "`ANNAI_`" + ` variable that is not in this table stops the program with a sentence that names it; so does a value that can't be right.
  (Kubernetes invents such variables for a service named annai: set ` + "`enableServiceLinks: false`" + `.)
- An empty variable counts as unset. An empty flag or key takes the default.
- Where a variable has two names, the one that begins with ` + "`ANNAI_`" + ` wins.
- Paths in a file are relative to that file; in flags and variables they are relative to the working directory.
- ` + "`listen`" + ` on an address that other machines can reach is refused as long as there are no keys, see [keys.md](keys.md); ` + "`insecure`" + ` allows it, and lets
  everybody who reaches it ask. Without a host, as in ` + "`:8080`" + `, it is 127.0.0.1.
- A rate like ` + "`120/min`" + ` is how many requests there may be at once, and how many more become possible in that time. Only visitors are bounded: not owners and
  operators, and not this machine without a key.
- ` + "`trusted-proxies`" + ` names the proxies before the server, so that it knows from where a request really comes; from anybody else X-Forwarded-For is not believed.
- ` + "`feed-networks`" + ` lets calendars of the venue file be in private networks, such as ` + "`192.168.1.0/24`" + `;
  without it only the internet is reached. Link-local addresses, where clouds keep their secrets, never are, and
  webhooks and pages of the web are not meant by it.
- ` + "`webhook-secret`" + ` signs webhooks as [Standard Webhooks](https://www.standardwebhooks.com) has it;
  ` + "`echo whsec_$(openssl rand -base64 32)`" + ` makes one.
- Durations are written like ` + "`900ms`, `2s` or `1m30s`" + `. ` + "`source-deadline`" + ` may not be longer than ` + "`deadline`" + `.

## Where sessions are kept

- In PostgreSQL where ` + "`postgres`" + ` is set; else in a SQLite file in the folder ` + "`data`" + `; else in memory, to end with the process. In a PostgreSQL, annai makes
  its tables, whose names begin with ` + "`annai_`" + `, in the schema of the connection. ` + "`annai doctor`" + ` tries what is set and says what is wrong with it. Runs, annai's
  own calendars, copies of calendars at Google, tasks and ingested knowledge are in the same place ([several servers](calendar.md#several-servers)).
- An address with a password belongs in ` + "`postgres-file`" + ` or the variable: everybody on a machine can read its command lines. The key has no flag for
  the same reason. Neither is ever printed or logged. As for psql, a password may also be in PGPASSWORD or ~/.pgpass.
- With ` + "`encryption-key`" + `, everything that is said is encrypted with AES-256-GCM before it is stored; names of sessions and times are not. ` + "`openssl rand -hex 32`" + ` makes
  a key. A store keeps to the key, or to none, that it was first opened with: another one is refused. Without the key nobody can read what is there.
- When PostgreSQL goes away visitors hear an apology, and a server goes on by itself when it is back.
- Any number of servers may share a PostgreSQL: [several servers](several-servers.md) says what
  they share and what not.

## An example

` + "```yaml" + `
# annai.yaml
venue: library/venue.yaml
data: /var/lib/annai
listen: 127.0.0.1:9000
log-format: json
` + "```" + `
`)
	return b.String()
}

// TestAuditIsAFileOrAWord: a word is not taken for a file beside the configuration file.
func TestAuditIsAFileOrAWord(t *testing.T) {
	for text, want := range map[string]string{"off": AuditOff, "stdout": AuditStdout, "who.log": "who.log"} {
		path := file(t, "audit: "+text+"\n")
		if text == "who.log" {
			want = filepath.Join(filepath.Dir(path), "who.log")
		}
		if got, err := load(flagsOf(t, "--config", path), nil); err != nil || got.Audit != want {
			t.Errorf("load(audit: %s) = %q, %v, want %q", text, got.Audit, err, want)
		}
	}
	if _, err := load(flagsOf(t, "--now", "9999-12-31T23:59:50Z"), nil); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("load of a clock in the year 9999 = %v, want ErrInvalid: soon years have five digits", err)
	}
}
