package main

import (
	"strings"
	"time"

	"annai/internal/auditlog"
	"annai/nodes"
	"annai/server/door"
	"annai/server/keys"
	"annai/tools"
)

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
