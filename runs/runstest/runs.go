package runstest

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"annai/fault"
	"annai/runs"
)

// run adds a run to the thread.
func (b *bench) run(thread string, change func(*runs.Start)) runs.Run {
	b.Helper()
	s := start(thread)
	if change != nil {
		change(&s)
	}
	r, err := b.CreateRun(b.ctx, s)
	b.ok("CreateRun", err)
	return r
}

func start(thread string) runs.Start {
	return runs.Start{Run: runs.Run{
		ID: id(), ThreadID: thread, AssistantID: "a", GraphID: "g", CreatedAt: noon, UpdatedAt: noon, Status: runs.RunPending, Strategy: runs.Enqueue,
		Metadata: runs.Object{}, Kwargs: runs.Kwargs{Input: json.RawMessage(`{"x":1}`), StreamMode: []runs.Mode{runs.ModeValues}},
	}}
}

// claim takes the run's lease for a minute from noon.
func (b *bench) claim(r runs.Run, owner string) runs.Run {
	b.Helper()
	got, err := b.ClaimRun(b.ctx, r.ThreadID, r.ID, owner, noon, after(time.Minute))
	b.ok("ClaimRun", err)
	return got
}

func (b *bench) status(thread string) runs.ThreadStatus {
	b.Helper()
	t, err := b.Thread(b.ctx, thread)
	b.ok("Thread", err)
	return t.Status
}

func runsKept(b *bench) {
	t := b.thread(nil)
	want := runs.Run{
		ID: id(), ThreadID: t.ID, AssistantID: "a", GraphID: "g", CreatedAt: noon, UpdatedAt: noon, Status: runs.RunPending, Strategy: runs.InterruptOther,
		Metadata: runs.Object{"k": "v"}, After: after(time.Second),
		Kwargs: runs.Kwargs{
			Command: &runs.Command{Resume: json.RawMessage(`{"a":1}`), Goto: []runs.Goto{{Node: "n", Input: json.RawMessage(`2`)}}},
			Config:  runs.Object{"tags": []any{"t"}}, Context: runs.Object{"c": true}, Checkpoint: "cp", StreamMode: []runs.Mode{runs.ModeDebug},
			Subgraphs: true, Resumable: true, Temporary: true, InterruptBefore: []string{"*"}, InterruptAfter: []string{"n"}, Webhook: "http://x", Logged: true, AllModes: true,
		},
	}
	got, err := b.CreateRun(b.ctx, runs.Start{Run: want})
	b.ok("CreateRun", err)
	b.equal("CreateRun", got, want)
	got, err = b.Run(b.ctx, t.ID, want.ID)
	b.ok("Run", err)
	b.equal("Run", got, want)
	got, err = b.Run(b.ctx, "", want.ID)
	b.ok("Run of any thread", err)
	b.equal("Run of any thread", got, want)
	b.equal("status of the thread", b.status(t.ID), runs.ThreadBusy)
	_, err = b.Run(b.ctx, id(), want.ID)
	b.fails("Run(other thread)", err, fault.ErrNotFound)
	_, err = b.CreateRun(b.ctx, runs.Start{Run: want})
	b.fails("CreateRun(again)", err, fault.ErrConflict)
	_, err = b.CreateRun(b.ctx, start(id()))
	b.fails("CreateRun(unknown thread)", err, fault.ErrNotFound)
}

// runsNew makes runs together with their threads, neither of which is there.
func runsNew(b *bench) {
	word := id()
	for name, owner := range map[string]string{"begun": "p", "pending": ""} {
		t := runs.Thread{
			ID: id(), CreatedAt: noon, UpdatedAt: noon, Status: runs.ThreadIdle,
			Metadata: runs.Object{"word": word}, Config: runs.Object{},
			Temporary: owner != "", Bytes: 5, Maker: runs.Maker{Name: word},
		}
		s := start(t.ID)
		s.Thread, s.New, s.Bytes, s.Owner, s.LeaseUntil = &t, true, 7, owner, after(time.Minute)
		got, err := b.CreateRun(b.ctx, s)
		b.ok("CreateRun "+name, err)
		want := s.Run
		if owner != "" {
			want.Status, want.Owner, want.LeaseUntil = runs.RunRunning, owner, s.LeaseUntil
			want.Attempt, want.StartedAt = 1, noon
		}
		b.equal("CreateRun "+name, got, want)
		got, err = b.Run(b.ctx, t.ID, want.ID)
		b.ok("Run "+name, err)
		b.equal("Run "+name, got, want)
		kept, err := b.Thread(b.ctx, t.ID)
		b.ok("Thread "+name, err)
		t.Status, t.Bytes = runs.ThreadBusy, 12
		b.equal("Thread "+name, kept, t)
		again := s
		again.Run.ID = id()
		_, err = b.CreateRun(b.ctx, again)
		b.fails("CreateRun on a thread that is not new", err, fault.ErrConflict)
		other := t
		again.Run = s.Run
		other.ID, again.Thread = id(), &other
		again.Run.ThreadID = other.ID
		_, err = b.CreateRun(b.ctx, again)
		b.fails("CreateRun of one that is not new", err, fault.ErrConflict)
		_, err = b.Thread(b.ctx, other.ID)
		b.fails("Thread of a run that was refused", err, fault.ErrNotFound)
	}
	_, n, err := b.SearchThreads(b.ctx, runs.ThreadFilter{Metadata: runs.Object{"word": word}})
	b.ok("SearchThreads", err)
	b.equal("SearchThreads finds the one that is not temporary", n, 1)
}

func runLists(b *bench) {
	t := b.thread(nil)
	var ids []string
	for range 3 {
		ids = append(ids, b.run(t.ID, nil).ID)
	}
	_, err := b.CancelRun(b.ctx, t.ID, ids[1], runs.CancelInterrupt, noon)
	b.ok("CancelRun", err)
	for _, test := range []struct {
		name   string
		filter runs.RunFilter
		want   []int
	}{
		{"in order of creation", runs.RunFilter{}, []int{0, 1, 2}},
		{"newest first", runs.RunFilter{Newest: true}, []int{2, 1, 0}},
		{"by status", runs.RunFilter{Statuses: []runs.RunStatus{runs.RunPending, runs.RunError}}, []int{0, 2}},
		{"by id", runs.RunFilter{IDs: ids[1:]}, []int{1, 2}},
	} {
		f := test.filter
		f.ThreadID, f.Page.Limit = t.ID, -1
		got, n, err := b.ListRuns(b.ctx, f)
		b.ok("ListRuns "+test.name, err)
		b.equal("ListRuns "+test.name, slicesOf(got), pick(ids, test.want))
		b.equal("count "+test.name, n, len(test.want))
	}
	got, n, _ := b.ListRuns(b.ctx, runs.RunFilter{ThreadID: t.ID, Page: runs.Page{Limit: 1, Offset: 1}})
	b.equal("ListRuns page", slicesOf(got), ids[1:2])
	b.equal("ListRuns count", n, 3)
	got, _, _ = b.ListRuns(b.ctx, runs.RunFilter{IDs: ids, Page: runs.Page{Limit: -1}})
	b.equal("ListRuns of all threads", slicesOf(got), ids)
}

func strategies(b *bench) {
	t := b.thread(nil)
	first := b.run(t.ID, func(s *runs.Start) { s.Run.Strategy = runs.Reject })
	refused := start(t.ID)
	refused.Run.Strategy = runs.Reject
	_, err := b.CreateRun(b.ctx, refused)
	b.fails("CreateRun(reject) on a busy thread", err, runs.ErrBusy)
	_, err = b.Run(b.ctx, t.ID, refused.Run.ID)
	b.fails("Run that was refused", err, fault.ErrNotFound)
	b.run(t.ID, nil)
	b.run(t.ID, func(s *runs.Start) { s.Run.Strategy = runs.RollbackOther })
	got, err := b.Run(b.ctx, t.ID, first.ID)
	b.ok("Run", err)
	b.equal("the first run, unharmed", got.Status, runs.RunPending)
}

func runWithThread(b *bench) {
	s := start(id())
	s.Thread = &runs.Thread{ID: s.Run.ThreadID, CreatedAt: noon, UpdatedAt: noon, Metadata: runs.Object{"made": "with"}, Temporary: true}
	_, err := b.CreateRun(b.ctx, s)
	b.ok("CreateRun with a thread", err)
	t, err := b.Thread(b.ctx, s.Run.ThreadID)
	b.ok("Thread", err)
	b.equal("made thread", []any{t.Metadata["made"], t.Temporary, t.Status}, []any{"with", true, runs.ThreadBusy})
	s.Run.ID, s.Thread.Metadata = id(), runs.Object{"made": "again"}
	_, err = b.CreateRun(b.ctx, s)
	b.ok("CreateRun with a thread that exists", err)
	t, _ = b.Thread(b.ctx, s.Run.ThreadID)
	b.equal("thread that existed", t.Metadata["made"], "with")
}

func runWithLease(b *bench) {
	t := b.thread(nil)
	leased := func(s *runs.Start) { s.Owner, s.LeaseUntil = "me", after(time.Minute) }
	r := b.run(t.ID, leased)
	b.equal("run with a lease", []any{r.Status, r.Owner, r.Attempt, r.StartedAt, r.LeaseUntil}, []any{runs.RunRunning, "me", 1, noon, after(time.Minute)})
	second := b.run(t.ID, leased)
	b.equal("run whose turn it is not", []any{second.Status, second.Owner, second.Attempt}, []any{runs.RunPending, "", 0})
	later := b.run(b.thread(nil).ID, func(s *runs.Start) { leased(s); s.Run.After = after(time.Second) })
	b.equal("run that is not due", later.Status, runs.RunPending)
}

func runDelete(b *bench) {
	t := b.thread(nil)
	r := b.claim(b.run(t.ID, nil), "me")
	_, err := b.AppendEvents(b.ctx, t.ID, r.ID, "me", []runs.Event{{Kind: runs.KindCustom, At: noon}})
	b.ok("AppendEvents", err)
	b.fails("DeleteRun(other thread)", b.DeleteRun(b.ctx, id(), r.ID), fault.ErrNotFound)
	b.ok("DeleteRun", b.DeleteRun(b.ctx, t.ID, r.ID))
	b.fails("DeleteRun(again)", b.DeleteRun(b.ctx, t.ID, r.ID), fault.ErrNotFound)
	b.equal("status of the thread", b.status(t.ID), runs.ThreadIdle)
	log, _ := b.ReadEvents(b.ctx, t.ID, "", 0, 10)
	b.equal("events of a deleted run", len(log), 0)
	_, err = b.RenewRun(b.ctx, t.ID, r.ID, "me", after(time.Hour))
	b.fails("RenewRun(deleted)", err, runs.ErrLost)
}

func claims(b *bench) {
	t := b.thread(nil)
	r := b.run(t.ID, nil)
	_, err := b.ClaimRun(b.ctx, t.ID, id(), "me", noon, after(time.Minute))
	b.fails("ClaimRun(unknown)", err, fault.ErrNotFound)
	at := after(time.Second)
	got, err := b.ClaimRun(b.ctx, t.ID, r.ID, "me", at, after(time.Minute))
	b.ok("ClaimRun", err)
	b.equal("claimed", []any{got.Status, got.Owner, got.LeaseUntil, got.Attempt, got.StartedAt, got.UpdatedAt},
		[]any{runs.RunRunning, "me", after(time.Minute), 1, at, at})
	kept, _ := b.Run(b.ctx, t.ID, r.ID)
	b.equal("Run after ClaimRun", kept, got)
	for _, owner := range []string{"me", "you"} {
		_, err = b.ClaimRun(b.ctx, t.ID, r.ID, owner, after(2*time.Second), after(time.Hour))
		b.fails("ClaimRun by "+owner+" while leased", err, runs.ErrBusy)
	}
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: r.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	_, err = b.ClaimRun(b.ctx, t.ID, r.ID, "me", noon, after(time.Minute))
	b.fails("ClaimRun(ended)", err, runs.ErrEnded)
}

func claimOrder(b *bench) {
	t := b.thread(nil)
	first, second := b.run(t.ID, nil), b.run(t.ID, nil)
	_, err := b.ClaimRun(b.ctx, t.ID, second.ID, "you", noon, after(time.Minute))
	b.fails("ClaimRun of the second, both pending", err, runs.ErrBusy)
	b.claim(first, "me")
	_, err = b.ClaimRun(b.ctx, t.ID, second.ID, "you", noon, after(time.Minute))
	b.fails("ClaimRun of the second, the first running", err, runs.ErrBusy)
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: first.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	b.claim(second, "you")
}

func claimDue(b *bench) {
	t := b.thread(nil)
	later := b.run(t.ID, func(s *runs.Start) { s.Run.After = after(10 * time.Second) })
	now := b.run(t.ID, nil)
	_, err := b.ClaimRun(b.ctx, t.ID, later.ID, "me", noon, after(time.Minute))
	b.fails("ClaimRun before it is due", err, runs.ErrBusy)
	b.claim(now, "me")
	_, err = b.ClaimRun(b.ctx, t.ID, later.ID, "you", after(10*time.Second), after(time.Hour))
	b.fails("ClaimRun when due, another running", err, runs.ErrBusy)
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: now.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	_, err = b.ClaimRun(b.ctx, t.ID, later.ID, "you", after(10*time.Second), after(time.Hour))
	b.ok("ClaimRun when due", err)
}

func leaseRunsOut(b *bench) {
	t := b.thread(nil)
	r := b.run(t.ID, nil)
	b.claim(r, "me")
	got, err := b.ClaimRun(b.ctx, t.ID, r.ID, "you", after(time.Minute), after(2*time.Minute))
	b.ok("ClaimRun once the lease ran out", err)
	b.equal("taken over", []any{got.Owner, got.Attempt, got.StartedAt}, []any{"you", 2, noon})
	_, err = b.RenewRun(b.ctx, t.ID, r.ID, "me", after(time.Hour))
	b.fails("RenewRun by the first owner", err, runs.ErrLost)
	_, err = b.AppendEvents(b.ctx, t.ID, r.ID, "me", []runs.Event{{Kind: runs.KindCustom, At: noon}})
	b.fails("AppendEvents by the first owner", err, runs.ErrLost)
	b.fails("FinishRun by the first owner",
		b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: r.ID, Owner: "me", At: noon, Status: runs.RunSuccess}), runs.ErrLost)
	kept, _ := b.Run(b.ctx, t.ID, r.ID)
	b.equal("run that another took over", kept, got)
}

func renew(b *bench) {
	t := b.thread(nil)
	r := b.run(t.ID, nil)
	_, err := b.RenewRun(b.ctx, t.ID, r.ID, "me", after(time.Hour))
	b.fails("RenewRun of a pending run", err, runs.ErrLost)
	b.claim(r, "me")
	got, err := b.RenewRun(b.ctx, t.ID, r.ID, "me", after(time.Hour))
	b.ok("RenewRun", err)
	b.equal("renewed until", got.LeaseUntil, after(time.Hour))
	_, err = b.ClaimRun(b.ctx, t.ID, r.ID, "you", after(2*time.Minute), after(2*time.Hour))
	b.fails("ClaimRun while renewed", err, runs.ErrBusy)
	_, err = b.CancelRun(b.ctx, t.ID, r.ID, runs.CancelInterrupt, noon)
	b.ok("CancelRun", err)
	got, err = b.RenewRun(b.ctx, t.ID, r.ID, "me", after(time.Hour))
	b.ok("RenewRun", err)
	b.equal("cancel as the owner learns of it", got.Cancel, runs.CancelInterrupt)
	_, err = b.RenewRun(b.ctx, t.ID, r.ID, "me", noon) // given back
	b.ok("RenewRun until now", err)
	_, err = b.ClaimRun(b.ctx, t.ID, r.ID, "you", noon, after(time.Minute))
	b.ok("ClaimRun of a lease given back", err)
}

func finish(b *bench) {
	t := b.thread(nil)
	r := b.claim(b.run(t.ID, nil), "me")
	at, expires := after(5*time.Second), after(time.Hour)
	end := runs.ThreadEnd{
		Status: runs.ThreadInterrupted, Values: json.RawMessage(`{"answer":"x"}`), Error: "e", ExpiresAt: &expires,
		Interrupts: map[string][]runs.Interrupt{"t": {{ID: "i", Value: json.RawMessage(`1`)}}},
	}
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{
		ThreadID: t.ID, RunID: r.ID, Owner: "me", At: at, Status: runs.RunError, Error: "boom", Thread: &end,
		Events: []runs.Event{{Kind: runs.KindEnd, At: at, Data: json.RawMessage(`{}`)}},
	}))
	got, _ := b.Run(b.ctx, t.ID, r.ID)
	b.equal("ended run", []any{got.Status, got.Error, got.EndedAt, got.UpdatedAt, got.Owner}, []any{runs.RunError, "boom", at, at, ""})
	now, _ := b.Thread(b.ctx, t.ID)
	want := t
	want.Status, want.Values, want.Interrupts, want.Error, want.ExpiresAt = end.Status, end.Values, end.Interrupts, end.Error, end.ExpiresAt
	want.UpdatedAt, want.StateUpdatedAt = at, &at
	b.equal("thread of an ended run", now, want)
	log, _ := b.ReadEvents(b.ctx, t.ID, r.ID, 0, 10)
	b.equal("events of an ended run", len(log), 1)
	b.fails("FinishRun(again)", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: r.ID, Owner: "me", At: at, Status: runs.RunSuccess}), runs.ErrLost)
	_, err := b.AppendEvents(b.ctx, t.ID, r.ID, "me", []runs.Event{{Kind: runs.KindCustom, At: noon}})
	b.fails("AppendEvents(ended)", err, runs.ErrLost)
}

func finishForgets(b *bench) {
	t := b.thread(nil)
	kept := b.claim(b.run(t.ID, nil), "me")
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{
		ThreadID: t.ID, RunID: kept.ID, Owner: "me", At: noon, Status: runs.RunSuccess, Events: []runs.Event{{Kind: runs.KindEnd, At: noon}},
	}))
	gone := b.claim(b.run(t.ID, nil), "me")
	b.ok("FinishRun(DeleteRun)", b.FinishRun(b.ctx, runs.Finish{
		ThreadID: t.ID, RunID: gone.ID, Owner: "me", At: noon, Status: runs.RunInterrupted, DeleteRun: true, Events: []runs.Event{{Kind: runs.KindEnd, At: noon}},
	}))
	_, err := b.Run(b.ctx, t.ID, gone.ID)
	b.fails("Run(forgotten)", err, fault.ErrNotFound)
	log, _ := b.ReadEvents(b.ctx, t.ID, "", 0, 10)
	b.equal("events left", names(log, func(e runs.Event) string { return e.RunID }), []string{kept.ID})
	b.equal("status of the thread", b.status(t.ID), runs.ThreadIdle)
	last := b.claim(b.run(t.ID, nil), "me")
	b.ok("FinishRun(DeleteThread)", b.FinishRun(b.ctx, runs.Finish{
		ThreadID: t.ID, RunID: last.ID, Owner: "me", At: noon, Status: runs.RunSuccess, DeleteThread: true,
	}))
	_, err = b.Thread(b.ctx, t.ID)
	b.fails("Thread(forgotten)", err, fault.ErrNotFound)
	_, err = b.Run(b.ctx, "", kept.ID)
	b.fails("Run of a forgotten thread", err, fault.ErrNotFound)
}

func finishBusy(b *bench) {
	t := b.thread(nil)
	first := b.claim(b.run(t.ID, nil), "me")
	second := b.run(t.ID, nil)
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{
		ThreadID: t.ID, RunID: first.ID, Owner: "me", At: noon, Status: runs.RunSuccess, Thread: &runs.ThreadEnd{Status: runs.ThreadIdle, Values: json.RawMessage(`{}`)},
	}))
	b.equal("status while another run waits", b.status(t.ID), runs.ThreadBusy)
	b.claim(second, "me")
	b.ok("FinishRun without a ThreadEnd", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: second.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	b.equal("status at the end", b.status(t.ID), runs.ThreadIdle)
}

func cancels(b *bench) {
	t := b.thread(func(t *runs.Thread) {
		t.Interrupts = map[string][]runs.Interrupt{"t": {{ID: "i", Value: json.RawMessage(`1`)}}}
	})
	_, err := b.CancelRun(b.ctx, t.ID, id(), runs.CancelInterrupt, noon)
	b.fails("CancelRun(unknown)", err, fault.ErrNotFound)
	r := b.run(t.ID, nil)
	at := after(time.Second)
	got, err := b.CancelRun(b.ctx, t.ID, r.ID, runs.CancelRollback, at)
	b.ok("CancelRun(pending)", err)
	b.equal("cancelled while pending", []any{got.Status, got.EndedAt}, []any{runs.RunInterrupted, at})
	b.equal("status of a thread with questions", b.status(t.ID), runs.ThreadInterrupted)
	running := b.claim(b.run(t.ID, nil), "me")
	for _, step := range []struct{ how, want runs.Action }{
		{runs.CancelInterrupt, runs.CancelInterrupt}, {runs.CancelRollback, runs.CancelRollback}, {runs.CancelInterrupt, runs.CancelRollback},
	} {
		got, err = b.CancelRun(b.ctx, t.ID, running.ID, step.how, at)
		b.ok("CancelRun(running)", err)
		b.equal("cancelled while running", []any{got.Status, got.Cancel}, []any{runs.RunRunning, step.want})
	}
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: running.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	got, err = b.CancelRun(b.ctx, t.ID, running.ID, runs.CancelInterrupt, at)
	b.ok("CancelRun(ended)", err)
	b.equal("cancelled after its end", got.Status, runs.RunSuccess)
}

func due(b *bench) {
	t, u, v, w := b.thread(nil), b.thread(nil), b.thread(nil), b.thread(nil)
	first, second := b.run(t.ID, nil), b.run(t.ID, nil)
	later := b.run(u.ID, func(s *runs.Start) { s.Run.After = after(10 * time.Second) })
	running := b.claim(b.run(v.ID, nil), "me")
	ended := b.claim(b.run(w.ID, nil), "me")
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{ThreadID: w.ID, RunID: ended.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	at := func(now time.Time) (mine []string) {
		got, err := b.DueRuns(b.ctx, now, 1_000_000)
		b.ok("DueRuns", err)
		for _, r := range []runs.Run{first, second, later, running, ended} {
			if contains(got, r.ID) {
				mine = append(mine, r.ID)
			}
		}
		return mine
	}
	b.equal("DueRuns at noon", at(noon), []string{first.ID})
	b.equal("DueRuns when one has become due", at(after(10*time.Second)), []string{first.ID, later.ID})
	b.equal("DueRuns when a lease ran out", at(after(2*time.Minute)), []string{first.ID, later.ID, running.ID})
	got, err := b.DueRuns(b.ctx, after(2*time.Minute), 1)
	b.ok("DueRuns(1)", err)
	b.equal("DueRuns(1) count", len(got), 1)
}

func events(b *bench) {
	t := b.thread(nil)
	r := b.claim(b.run(t.ID, nil), "me")
	made := []runs.Event{
		{At: noon, Kind: runs.KindValues, Data: json.RawMessage(`{"a":"\u3042"}`)},
		{At: after(time.Millisecond), Kind: runs.KindUpdate, Namespace: "sub:1|deep:2", Node: "n", Step: 3, Data: json.RawMessage(`{"b":1}`)},
		{At: noon, Kind: runs.KindCustom, Data: json.RawMessage(`null`)},
	}
	_, err := b.AppendEvents(b.ctx, t.ID, r.ID, "you", made)
	b.fails("AppendEvents by another", err, runs.ErrLost)
	first, err := b.AppendEvents(b.ctx, t.ID, r.ID, "me", made[:1])
	b.ok("AppendEvents", err)
	last, err := b.AppendEvents(b.ctx, t.ID, r.ID, "me", made[1:])
	b.ok("AppendEvents", err)
	got, err := b.ReadEvents(b.ctx, t.ID, "", 0, 10)
	b.ok("ReadEvents", err)
	if len(got) != 3 || got[0].ID != first || got[0].ID <= 0 || got[1].ID <= got[0].ID || got[2].ID <= got[1].ID || got[2].ID != last {
		b.Fatalf("ids of events = %v, want three growing ones from %d to %d", got, first, last)
	}
	for i := range made {
		made[i].ID, made[i].RunID = got[i].ID, r.ID
	}
	b.equal("ReadEvents", got, made)
	got, _ = b.ReadEvents(b.ctx, t.ID, r.ID, first, 1)
	b.equal("ReadEvents after the first, at most one", got, made[1:2])
	got, _ = b.ReadEvents(b.ctx, t.ID, id(), 0, 10)
	b.equal("ReadEvents of another run", len(got), 0)
	got, err = b.ReadEvents(b.ctx, id(), "", 0, 10)
	b.ok("ReadEvents(unknown thread)", err)
	b.equal("ReadEvents(unknown thread)", len(got), 0)
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: r.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	second := b.claim(b.run(t.ID, nil), "me")
	next, err := b.AppendEvents(b.ctx, t.ID, second.ID, "me", made[:1])
	b.ok("AppendEvents of the next run", err)
	if next <= last {
		b.Fatalf("id of the next run's event = %d, want more than %d", next, last)
	}
}

func eventsTrimmed(b *bench) {
	t := b.thread(nil)
	old := []runs.Event{{At: after(-time.Hour), Kind: runs.KindCustom}, {At: noon, Kind: runs.KindCustom}}
	r := b.claim(b.run(t.ID, nil), "me")
	_, err := b.AppendEvents(b.ctx, t.ID, r.ID, "me", old)
	b.ok("AppendEvents", err)
	left := func() int { got, _ := b.ReadEvents(b.ctx, t.ID, "", 0, 10); return len(got) }
	_, err = b.TrimEvents(b.ctx, after(-time.Minute))
	b.ok("TrimEvents", err)
	b.equal("events of a run that has not ended", left(), 2)
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: r.ID, Owner: "me", At: noon, Status: runs.RunSuccess}))
	n, err := b.TrimEvents(b.ctx, after(-time.Minute))
	b.ok("TrimEvents", err)
	b.equal("events left", left(), 1)
	if n < 1 {
		b.Fatalf("TrimEvents = %d, want at least 1", n)
	}
}

// woken fails unless the channel is closed soon.
func (b *bench) woken(what string, changed <-chan struct{}) {
	b.Helper()
	select {
	case <-changed:
	case <-time.After(2 * time.Minute):
		b.Fatalf("Watch is not woken by %s", what)
	}
}

func watch(b *bench) {
	t := b.thread(nil)
	var r runs.Run
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"CreateRun", func() error { r = b.run(t.ID, nil); return nil }},
		{"ClaimRun", func() error { b.claim(r, "me"); return nil }},
		{"AppendEvents", func() error {
			_, err := b.AppendEvents(b.ctx, t.ID, r.ID, "me", []runs.Event{{Kind: runs.KindCustom, At: noon}})
			return err
		}},
		{"CancelRun", func() error { _, err := b.CancelRun(b.ctx, t.ID, r.ID, runs.CancelInterrupt, noon); return err }},
		{"FinishRun", func() error {
			return b.FinishRun(b.ctx, runs.Finish{ThreadID: t.ID, RunID: r.ID, Owner: "me", At: noon, Status: runs.RunSuccess})
		}},
		{"DeleteRun", func() error { return b.DeleteRun(b.ctx, t.ID, r.ID) }},
	} {
		one, stopOne := b.Watch(t.ID)
		two, stopTwo := b.Watch(t.ID)
		gone, stopGone := b.Watch(t.ID)
		stopGone()
		b.ok(step.what, step.do())
		b.woken(step.what, one)
		b.woken(step.what, two)
		stopOne()
		stopTwo()
		_ = gone // nobody is promised anything about it
	}
}

// TestQueue tries what [runs.Queue] promises on a queue over the store, both fresh; now is their clock.
func TestQueue(t *testing.T, open func(*testing.T) (runs.Store, runs.Queue), now func() time.Time) {
	t.Helper()
	t.Run("each once, in order", func(t *testing.T) { queueOrder(t, open, now) })
	t.Run("after a while", func(t *testing.T) { queueLater(t, open, now) })
	t.Run("again after an error", func(t *testing.T) { queueAgain(t, open, now) })
	t.Run("what a dead process left", func(t *testing.T) { queueTakesOver(t, open, now) })
	t.Run("refuses what CreateRun refuses", func(t *testing.T) {
		store, queue := open(t)
		b := &bench{TB: t, Store: store, ctx: t.Context()}
		_, err := queue.Enqueue(b.ctx, start(id()))
		b.fails("Enqueue(unknown thread)", err, fault.ErrNotFound)
	})
}

// errLater is an error that says nothing.
var errLater = errors.New("later")
