package config

import (
	"os"
	"slices"

	"github.com/spf13/pflag"
)

// graphKeys are the settings of programs that serve graphs of their own.
var graphKeys = []string{
	fileKey, "data", "postgres", "postgres-file", "encryption-key", "encryption-key-file", "compress-above",
	"log-level", "log-format", "audit", "listen", "insecure", "hosts", "allowed-origins", "max-body", "drain", "grace",
	"ask-key", "ask-key-file", "admin-key", "admin-key-file", "rate-address", "rate-key", "kept-address", "kept-key",
	"open-address", "open-key", "trusted-proxies", "runs-workers", "runs-queue", "runs-lease", "runs-longest",
	"runs-events-kept", "runs-threads-kept", "runs-max-body", "webhook-secret", "webhook-secret-file", "contact",
	"otlp-endpoint", "otlp-traces-endpoint", "otlp-headers", "otlp-headers-file", "otlp-service", "traces-share",
	"traces-words",
}

func graphTable() []setting {
	return slices.DeleteFunc(table(), func(s setting) bool { return !slices.Contains(graphKeys, s.key) })
}

// BindGraphs adds the flags of a program that serves graphs of its own.
func BindGraphs(flags *pflag.FlagSet) { bind(flags, graphTable()) }

// LoadGraphs is [Load] for such a program: other settings are not known to it, and have their defaults.
func LoadGraphs(flags *pflag.FlagSet) (Config, error) {
	return loadOf(graphTable(), flags, os.Environ())
}

// HelpGraphs is [Help] for such a program.
func HelpGraphs() string { return help(graphTable()) }
