package setup

import (
	"io"
	"log/slog"
	"os/user"
	"path/filepath"
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
		return auditlog.Open(filepath.Join(c.Data, AuditFile), log)
	}
	return auditlog.Open(c.Audit, log)
}

// AuditCommand keeps what somebody did on a command line.
func AuditCommand(c config.Config, act string, object map[string]string, log *slog.Logger) error {
	audit, err := Audit(c, io.Discard, log)
	if err != nil {
		return err
	}
	who := ""
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	audit.Write(auditlog.Entry{
		At: time.Now(), What: auditlog.Command, User: who, Act: act, Object: object, Outcome: auditlog.Done,
	})
	return audit.Close()
}
