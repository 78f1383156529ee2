package server

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/dialog"
	"annai/graph"
	"annai/server/door"
	"annai/server/httpd"
)

// A visitor is whoever an operator asks about: by the session, the key of the device, or the address.
type visitor struct {
	dialog.Visitor

	// makers are the names by which threads know who made them.
	makers []string
}

// visitorOf reads the query of the request.
func visitorOf(c *gin.Context) (v visitor, err error) {
	session, key, address := c.Query("session"), c.Query("key"), c.Query("address")
	if session != "" {
		v.Sessions = []string{session}
		door.SetObject(c, "session", session)
	}
	if key != "" {
		for _, role := range []door.Role{door.Visitor, door.Owner, door.Operator} {
			v.add(door.Caller{Role: role, Key: key})
		}
		door.SetObject(c, "key", key)
	}
	if address != "" {
		ip, err := netip.ParseAddr(address)
		if err != nil {
			return v, door.Invalid("address", "must be an address of IPv4 or IPv6")
		}
		ip = ip.Unmap()
		v.add(door.Caller{Role: door.Visitor, Local: ip.IsLoopback(), Network: httpd.NetworkOf(ip).String()})
		door.SetObject(c, "address", address)
	}
	if session == "" && key == "" && address == "" {
		return v, door.Invalid("session", "must be there, or key, or address")
	}
	return v, nil
}

func (v *visitor) add(caller door.Caller) {
	v.Callers, v.makers = append(v.Callers, caller.Speaker()), append(v.makers, caller.Name())
}

// threads yields what doors keep of the visitor.
func (s *Server) threads(ctx context.Context, v visitor) iter.Seq2[door.Made, error] {
	if s.parts.Threads == nil {
		return func(func(door.Made, error) bool) {}
	}
	return s.parts.Threads.Made(ctx, v.makers, v.Sessions)
}

// sessions yields what the concierge keeps of the visitor.
func (s *Server) sessions(ctx context.Context, v visitor) iter.Seq2[dialog.Kept, error] {
	if s.parts.Sessions == nil {
		return func(func(dialog.Kept, error) bool) {}
	}
	return s.parts.Sessions.Kept(ctx, v.Visitor)
}

// exportVisitor is GET /admin/visitors/export. The answer is whole if it ends with its last bracket.
func (s *Server) exportVisitor(c *gin.Context) error {
	v, err := visitorOf(c)
	if err != nil {
		return err
	}
	ctx, out := c.Request.Context(), &listing{to: c.Writer}
	c.Header("Content-Type", httpd.TypeJSON)
	c.Header("Content-Disposition", `attachment; filename="visitor.json"`)
	for made, err := range s.threads(ctx, v) {
		if err != nil {
			return err
		}
		if err := out.put("threads", made.Kept); err != nil {
			return err
		}
	}
	for kept, err := range s.sessions(ctx, v) {
		if err != nil {
			return err
		}
		if err := out.put("sessions", sessionJSON(kept)); err != nil {
			return err
		}
	}
	return out.end(s.parts.Now())
}

// forgetVisitor is DELETE /admin/visitors.
func (s *Server) forgetVisitor(c *gin.Context) error {
	v, err := visitorOf(c)
	if err != nil {
		return err
	}
	s.handovers.forget("", "") // whoever's they are: they live for minutes
	ctx := c.Request.Context()
	var ids []string
	for made, err := range s.threads(ctx, v) {
		if err != nil {
			return err
		}
		ids = append(ids, made.ID)
	}
	for _, id := range ids {
		if err := s.parts.Threads.Delete(ctx, id); err != nil {
			return err
		}
	}
	n := 0
	if s.parts.Sessions != nil {
		if n, err = s.parts.Sessions.Forget(ctx, v.Visitor); err != nil {
			return err
		}
	}
	return httpd.WriteJSON(c, http.StatusOK, api.ForgottenResponse{Sessions: n, Threads: len(ids)})
}

// A listing writes an object with a list under each name, as it comes.
type listing struct {
	to   io.Writer
	name string
}

// put adds a value to the list of that name; names are not used again.
func (l *listing) put(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	before := ","
	if name != l.name {
		before = `"` + name + `":[`
		if l.name == "" {
			before = "{" + before
		} else {
			before = "]," + before
		}
		l.name = name
	}
	_, err = io.WriteString(l.to, before)
	if err == nil {
		_, err = l.to.Write(text)
	}
	return err
}

// end closes the object, and says when that was.
func (l *listing) end(at time.Time) error {
	before := "],"
	if l.name == "" {
		before = "{"
	}
	_, err := io.WriteString(l.to, before+`"at":"`+at.UTC().Format(time.RFC3339)+`"}`)
	return err
}

// keptSession is all that is kept of a session.
type keptSession struct {
	ID      string       `json:"id"`
	Caller  string       `json:"caller,omitempty"`
	Owner   bool         `json:"owner,omitempty"`
	Records []keptRecord `json:"records"`
}

type keptRecord struct {
	ID     int64         `json:"id"`
	At     time.Time     `json:"at"`
	RunID  string        `json:"runId"`
	Writes []keptWrite   `json:"writes"`
	Tasks  []keptWrite   `json:"tasks"`
	Open   []keptPending `json:"open"`
}

type keptWrite struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

type keptPending struct {
	Writes    []keptWrite `json:"writes"`
	Questions []any       `json:"questions"`
	Answers   []any       `json:"answers"`
}

func sessionJSON(kept dialog.Kept) keptSession {
	s := keptSession{ID: kept.Session.ID, Caller: kept.Session.Caller, Owner: kept.Session.Owner}
	for _, r := range kept.Records {
		one := keptRecord{ID: r.ID, At: r.At, RunID: r.RunID, Writes: writesJSON(r.Writes)}
		for _, task := range r.Tasks {
			one.Tasks = append(one.Tasks, keptWrite{task.Node, valueJSON(task.Input)})
		}
		for _, p := range r.Pending {
			pending := keptPending{Writes: writesJSON(p.Writes)}
			for _, i := range p.Interrupts {
				pending.Questions = append(pending.Questions, valueJSON(i.Question))
				pending.Answers = append(pending.Answers, valueJSON(i.Answer))
			}
			for _, a := range p.Answers {
				pending.Answers = append(pending.Answers, valueJSON(a))
			}
			one.Open = append(one.Open, pending)
		}
		s.Records = append(s.Records, one)
	}
	return s
}

func writesJSON(writes []graph.ChannelData) (all []keptWrite) {
	for _, w := range writes {
		all = append(all, keptWrite{w.Channel, valueJSON(w.Data)})
	}
	return all
}

// valueJSON is an encoded value as it is, or what is no JSON in base64.
func valueJSON(data []byte) any {
	if json.Valid(data) {
		return json.RawMessage(data)
	}
	return data
}
