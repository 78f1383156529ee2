package nodes_test

import (
	"strings"
	"testing"
	"time"

	"annai/dialog"
	"annai/nodes"
	"annai/storage/mem"
	"annai/tools/calendar/agenda"
	calendarmem "annai/tools/calendar/mem"
	"annai/tools/tasks"
	"annai/tools/tasks/local"
)

// Each owner sees and writes their own calendars and tasks, and those of nobody in particular, and
// hears nothing of what another one said in a session of the same name.
func TestOwnersApart(t *testing.T) {
	s := newStage(t, talk{sections: map[string][]string{"talk": {}}})
	at := s.now.Add(2 * time.Hour)
	calendars := map[string]*calendarmem.Calendar{}
	var all []agenda.Calendar
	for id, owner := range map[string]string{"hers": "hanako", "his": "taro", "shared": ""} {
		calendars[id] = calendarmem.New(id, readEvents(t, []string{at.Format("2006-01-02 15:04") + " - " +
			at.Add(time.Hour).Format("15:04") + " | Entry " + id}, at.Location())...)
		all = append(all, agenda.Calendar{ID: id, Owner: owner, Writer: calendars[id]})
	}
	a, err := agenda.New(
		all,
		agenda.Options{Location: s.parts.Venue.Location, Now: func() time.Time { return s.now }},
	)
	if err != nil {
		t.Fatal(err)
	}
	store, err := local.Open(t.Context(), "", func() time.Time { return s.now }, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	for _, owner := range []string{"hanako", "taro", ""} {
		if _, err := store.List(
			owner,
		).Create(
			t.Context(),
			"k",
			tasks.Task{Title: "Task of " + owner + "."},
		); err != nil {
			t.Fatal(err)
		}
	}
	s.parts.Agenda, s.parts.Checkpointer = a, mem.New()
	s.parts.Tasks = func(owner string) tasks.List { return store.List(owner) }
	c, err := nodes.New(s.parts, s.opts)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(owner, query string) string {
		t.Helper()
		answer, err := c.Answer(t.Context(), dialog.Turn{Query: query, Owner: true, OwnerName: owner, SessionID: "s"})
		if err != nil {
			t.Fatalf("Answer(%s as %s) = %v", query, owner, err)
		}
		return answer.Text
	}
	for owner, sees := range map[string][]string{
		"hanako": {"Entry hers", "Entry shared"}, "taro": {"Entry his", "Entry shared"}, "": {"Entry shared"},
		"jiro": {"Entry shared"},
	} {
		got := ask(owner, "What's on my calendar today?")
		for _, entry := range []string{"Entry hers", "Entry his", "Entry shared"} {
			wants := strings.Contains(strings.Join(sees, " "), entry)
			if strings.Contains(got, entry) != wants {
				t.Errorf("today's entries of %q are %q, want %s there: %v", owner, got, entry, wants)
			}
		}
		if got := ask(owner, "What is on my list?"); strings.Count(got, "Task of") > 1 ||
			strings.Contains(
				got,
				"Task of hanako.",
			) != (owner == "hanako") || strings.Contains(got, "Task of taro.") != (owner == "taro") {
			t.Errorf("tasks of %q are %q, want their own", owner, got)
		}
	}
	ask("hanako", "Add a call tomorrow at 3 pm")
	if got := ask("taro", "yes"); strings.Contains(got, "added") {
		t.Errorf("another owner's yes = %q, want that it agrees to nothing", got)
	}
	if got := ask("hanako", "yes"); !strings.Contains(got, "added") {
		t.Errorf("her own yes = %q, want it written", got)
	}
}
