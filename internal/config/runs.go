package config

import (
	"fmt"
	"time"
)

// Runs says how runs of LangGraph's API are executed and kept.
type Runs struct {
	// Workers is how many background runs are executed at once here, Queue how many may wait or run,
	// all servers of a database together.
	Workers, Queue int
	// Lease is after how long without a word from its server another one goes on with a run.
	Lease time.Duration
	// Longest is how long a run may take.
	Longest time.Duration
	// EventsKept is how long the events of ended runs are kept, ThreadsKept how long threads are
	// that nobody uses; 0 is for ever.
	EventsKept, ThreadsKept time.Duration
	// MaxBody is the largest body in bytes of a request that is no visitor's.
	MaxBody int64
}

// minLease leaves room for a pause of the process, or of its database, between two renewals.
const minLease = time.Second

func runsTable() []setting {
	return []setting{
		{
			key: "runs-workers", value: "COUNT", def: "16", scope: serverOnly,
			usage: "how many background runs are executed at once",
			parse: count(func(c *Config) *int { return &c.Runs.Workers }),
		},
		{
			key: "runs-queue", value: "COUNT", def: "10000", scope: serverOnly,
			usage: "how many runs may wait or be executed, at all servers of a database together",
			parse: count(func(c *Config) *int { return &c.Runs.Queue }),
		},
		{
			key: "runs-lease", value: "DURATION", def: "10s", scope: serverOnly,
			usage: "how long a run waits for a server that is silent, before another goes on with it",
			parse: lease(func(c *Config) *duration { return &c.Runs.Lease }),
		},
		{
			key: "runs-longest", value: "DURATION", def: "15m", scope: serverOnly, usage: "how long a run may take",
			parse: positive(func(c *Config) *duration { return &c.Runs.Longest }),
		},
		{
			key: "runs-events-kept", value: "DURATION", def: "10m", scope: serverOnly,
			usage: "how long what a run said can be heard again after its end",
			parse: positive(func(c *Config) *duration { return &c.Runs.EventsKept }),
		},
		{
			key: "runs-threads-kept", value: "DURATION", def: "0", scope: serverOnly,
			usage: "how long unused threads are kept, 0 for ever; those of visitors as long as sessions",
			parse: notNegative(func(c *Config) *duration { return &c.Runs.ThreadsKept }),
		},
		{
			key: "runs-max-body", value: "SIZE", def: "16MiB", scope: serverOnly,
			usage: "largest request body at LangGraph's routes, of owners and operators",
			parse: parseSize(func(c *Config) *int64 { return &c.Runs.MaxBody }),
		},
	}
}

func lease(field func(*Config) *duration) func(*Config, string) error {
	return func(c *Config, s string) error {
		if err := positive(field)(c, s); err != nil {
			return err
		}
		if *field(c) < minLease {
			return fmt.Errorf("%q is shorter than %s", s, minLease)
		}
		return nil
	}
}
