package main

import (
	"context"
	"io"
	"log/slog"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"annai/internal/auditlog"
	"annai/internal/config"
	"annai/nodes"
	"annai/server/door"
	"annai/server/keys"
	"annai/tools"
)

// auditFile is the name of the file in the data folder that keeps who did what.
const auditFile = "audit.log"

// openAudit opens what keeps who did what. Nil: nobody does.
func openAudit(c config.Config, stdout io.Writer, log *slog.Logger) (*auditlog.Log, error) {
	switch {
	case c.Audit == config.AuditStdout:
		return auditlog.To(stdout, log), nil
	case c.Audit == config.AuditOff, c.Audit == "" && c.Data == "":
		return nil, nil //nolint:nilnil // a nil log keeps nothing
	case c.Audit == "":
		return auditlog.Open(filepath.Join(c.Data, auditFile), c.AuditKept, log)
	}
	return auditlog.Open(c.Audit, c.AuditKept, log)
}

// forgetEvery is how often old entries are looked for.
const forgetEvery = time.Hour

// forgetting deletes entries that are older than they are kept, until what it returns is called.
func forgetting(ctx context.Context, audit *auditlog.Log, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ticker := time.NewTicker(forgetEvery)
	var worker sync.WaitGroup
	worker.Go(func() {
		for ctx.Err() == nil {
			if err := audit.Forget(time.Now()); err != nil {
				log.WarnContext(ctx, "old entries are not forgotten", "err", err)
			}
			select {
			case <-ctx.Done():
			case <-ticker.C:
			}
		}
	})
	return func() { cancel(); ticker.Stop(); worker.Wait() }
}

// username is who runs this program; "" where the system does not say.
func username() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// auditTools keeps what owners wrote by calling tools, at whatever door. User is who runs a command in which
// an owner speaks; "" for a server.
func auditTools(audit *auditlog.Log, user string) func(tools.Observation) {
	return func(o tools.Observation) {
		if !o.Write || o.Role != tools.Owner {
			return
		}
		e := auditlog.Entry{
			At: time.Now(), What: auditlog.Tool, Act: o.Tool, RequestID: o.RequestID, Outcome: auditlog.Done,
			Object: map[string]string{"id": o.Object},
		}
		if o.Failure != "" {
			e.Outcome = auditlog.Failed
		}
		audit.Write(by(e, o.Caller, user))
	}
}

// auditTalk keeps what owners said yes to.
func auditTalk(audit *auditlog.Log, user string) func(nodes.Written) {
	return func(w nodes.Written) {
		e := auditlog.Entry{
			At: time.Now(), What: auditlog.Talk, Act: w.Do, RequestID: w.RequestID, Outcome: auditlog.Failed,
			Object: map[string]string{"id": strings.Join(w.Objects, "+"), "session": w.SessionID, "run": w.RunID},
		}
		if w.Done {
			e.Outcome = auditlog.Done
		}
		audit.Write(by(e, w.Caller, user))
	}
}

// by says who did it, by the name that [door.Caller.Speaker] gives callers, or who runs the command.
func by(e auditlog.Entry, speaker, user string) auditlog.Entry {
	if user != "" {
		e.User, e.Role = user, keys.WordOf(door.Owner)
		return e
	}
	role, key, _ := strings.Cut(speaker, " ")
	if word := keys.WordOf(door.Role(role)); word != "" {
		e.Role, e.Key = word, key
	}
	return e
}

// auditCommand keeps what somebody did on a command line.
func auditCommand(c config.Config, act string, object map[string]string, log *slog.Logger) error {
	audit, err := openAudit(c, io.Discard, log)
	if err != nil {
		return err
	}
	audit.Write(auditlog.Entry{
		At: time.Now(), What: auditlog.Command, User: username(), Act: act, Object: object, Outcome: auditlog.Done,
	})
	return audit.Close()
}
