package runstest

import (
	"bytes"
	"encoding/json"
	"time"

	"annai/fault"
	"annai/runs"
)

// made makes a thread of a maker.
func (b *bench) made(name, network string, temporary bool) runs.Thread {
	return b.thread(func(t *runs.Thread) {
		t.Maker, t.Bytes, t.Temporary = runs.Maker{Name: name, Network: network}, 100, temporary
	})
}

func threadMakers(b *bench) {
	name := "visitor " + id()
	t := b.made(name, "", false)
	got, err := b.Thread(b.ctx, t.ID)
	b.ok("Thread", err)
	b.equal("Thread", got, t)
	got, err = b.UpdateThread(
		b.ctx,
		t.ID,
		func(t *runs.Thread) error { t.Maker.Name, t.Bytes = "another", 150; return nil },
	)
	b.ok("UpdateThread", err)
	b.equal("maker and bytes after UpdateThread", []any{got.Maker.Name, got.Bytes}, []any{name, int64(150)})
	found, n, err := b.SearchThreads(b.ctx, runs.ThreadFilter{MadeBy: name, Page: runs.Page{Limit: 10}})
	b.ok("SearchThreads", err)
	b.equal("SearchThreads(made by)", []any{n, found[0].ID}, []any{1, t.ID})
	_, n, _ = b.SearchThreads(b.ctx, runs.ThreadFilter{MadeBy: "visitor " + id()})
	b.equal("SearchThreads(made by nobody)", n, 0)

	r := runs.Run{ID: id(), ThreadID: t.ID, CreatedAt: noon, UpdatedAt: noon}
	other := t
	other.Maker.Name = "visitor " + id()
	_, err = b.CreateRun(b.ctx, runs.Start{Run: r, Thread: &other})
	b.fails("CreateRun(a thread that another made)", err, fault.ErrNotFound)
	_, err = b.CreateRun(b.ctx, runs.Start{Run: r, Thread: &t})
	b.ok("CreateRun(a thread that the same made)", err)
}

func usage(b *bench) {
	name, network := "visitor "+id(), "net "+id()
	want := func(when string, of runs.Maker, want runs.Usage) {
		b.Helper()
		got, err := b.Usage(b.ctx, of)
		b.ok("Usage", err)
		b.equal("Usage "+when, got, want)
	}
	want("of nobody", runs.Maker{Name: name}, runs.Usage{})
	one := b.made(name, network, false)
	b.made(name, "", false)
	b.made("visitor "+id(), network, true)
	want("of a name", runs.Maker{Name: name}, runs.Usage{Threads: 2, Bytes: 200})
	want("of a network", runs.Maker{Network: network}, runs.Usage{Threads: 2, Bytes: 200})
	r := b.run(one.ID, func(s *runs.Start) { s.Bytes, s.Owner, s.LeaseUntil = 30, "p", after(time.Minute) })
	want("with a run", runs.Maker{Name: name}, runs.Usage{Threads: 2, Runs: 1, Bytes: 230})
	want("with a run", runs.Maker{Network: network}, runs.Usage{Threads: 2, Runs: 1, Bytes: 230})
	large, _ := json.Marshal(string(bytes.Repeat([]byte("a"), runs.MaxPage-2)))
	_, err := b.AppendEvents(b.ctx, one.ID, r.ID, "p", []runs.Event{
		{Kind: runs.KindCustom, At: noon, Data: large}, {Kind: runs.KindCustom, At: noon, Data: json.RawMessage("1")},
	})
	b.ok("AppendEvents", err)
	page, err := b.ReadEvents(b.ctx, one.ID, "", 0, 10)
	b.ok("ReadEvents", err)
	b.equal("ReadEvents, a page of bytes", len(page), 1)
	page, _ = b.ReadEvents(b.ctx, one.ID, "", page[0].ID, 10)
	b.equal("ReadEvents, what is left", len(page), 1)
	b.ok("FinishRun", b.FinishRun(b.ctx, runs.Finish{
		ThreadID: one.ID, RunID: r.ID, Owner: "p", At: noon, Status: runs.RunSuccess, Bytes: 20,
	}))
	want("after the run", runs.Maker{Name: name}, runs.Usage{Threads: 2, Bytes: 250})
	b.ok("DeleteThread", b.DeleteThread(b.ctx, one.ID))
	want("of what is left", runs.Maker{Name: name}, runs.Usage{Threads: 1, Bytes: 100})
}
