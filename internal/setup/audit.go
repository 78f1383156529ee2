package setup

import (
	"context"
	"io"
	"log/slog"
	"os/user"
	"path/filepath"
	"sync"
	"time"

	"annai/internal/auditlog"
	"annai/internal/config"
)

// AuditFile is the name of the file in the data folder that keeps who did what.
const AuditFile = "audit.log"

// Audit opens what keeps who did what. Nil: nobody does.
func Audit(c config.Config, stdout io.Writer, log *slog.Logger) (*auditlog.Log, error) {
	switch {
	case c.Audit == config.AuditStdout:
		return auditlog.To(stdout, log), nil
	case c.Audit == config.AuditOff, c.Audit == "" && c.Data == "":
		return nil, nil //nolint:nilnil // a nil log keeps nothing
	case c.Audit == "":
		return auditlog.Open(filepath.Join(c.Data, AuditFile), c.AuditKept, log)
	}
	return auditlog.Open(c.Audit, c.AuditKept, log)
}

// AuditCommand keeps what somebody did on a command line.
func AuditCommand(c config.Config, act string, object map[string]string, log *slog.Logger) error {
	audit, err := Audit(c, io.Discard, log)
	if err != nil {
		return err
	}
	audit.Write(auditlog.Entry{
		At: time.Now(), What: auditlog.Command, User: Username(), Act: act, Object: object, Outcome: auditlog.Done,
	})
	return audit.Close()
}

// Username is who runs this program; "" where the system does not say.
func Username() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// forgetEvery is how often old entries are looked for.
const forgetEvery = time.Hour

// ForgetAudit deletes entries that are older than they are kept, until what it returns is called.
func ForgetAudit(ctx context.Context, audit *auditlog.Log, log *slog.Logger) (stop func()) {
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
