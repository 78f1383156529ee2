// Package runstest is the suite of [runs.Store] and [runs.Queue]: each sentence of their contracts is a check, and every back end runs all of them.
//
// The idea to hold: a check says the call, what came and what was wanted, and uses names of its own, so that a store may be shared by all of them. The
// package knows no back end.
package runstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"annai/fault"
	"annai/runs"
)

// noon is when the checks begin.
var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return noon.Add(d) }

// bench is a store to try, and what is needed to do so.
type bench struct {
	testing.TB
	runs.Store

	ctx context.Context
}

var made atomic.Int64

// id makes a name that nobody else has.
func id() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", made.Add(1)) }

// TestStore tries everything that [runs.Store] promises on stores that open returns; they may hold what earlier calls left.
func TestStore(t *testing.T, open func(*testing.T) runs.Store) {
	t.Helper()
	for _, check := range []struct {
		name string
		try  func(*bench)
	}{
		{"assistants", assistants},
		{"assistant search", assistantSearch},
		{"threads", threads},
		{"thread search", threadSearch},
		{"thread update", threadUpdate},
		{"thread delete", threadDelete},
		{"thread expiry", threadExpiry},
		{"thread makers", threadMakers},
		{"usage", usage},
		{"runs", runsKept},
		{"runs on new threads", runsNew},
		{"run lists", runLists},
		{"run strategies", strategies},
		{"run with thread", runWithThread},
		{"run with lease", runWithLease},
		{"run delete", runDelete},
		{"claim", claims},
		{"claim order", claimOrder},
		{"claim when due", claimDue},
		{"lease runs out", leaseRunsOut},
		{"renew", renew},
		{"finish", finish},
		{"finish and forget", finishForgets},
		{"finish while others wait", finishBusy},
		{"cancel", cancels},
		{"due", due},
		{"events", events},
		{"events trimmed", eventsTrimmed},
		{"watch", watch},
		{"items", items},
		{"item search", itemSearch},
		{"item versions", itemVersions},
		{"item expiry", itemExpiry},
		{"namespaces", namespaces},
		{"crons", crons},
	} {
		t.Run(check.name, func(t *testing.T) {
			check.try(&bench{TB: t, Store: open(t), ctx: t.Context()})
		})
	}
}

// same are the differences that do not matter: nil or empty.
var same = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool { return !isJSON(p) }, cmpopts.EquateEmpty()),
	cmp.FilterPath(isJSON, cmp.Transformer("json", func(m json.RawMessage) any {
		var v any
		_ = json.Unmarshal(m, &v) // what is no JSON, or nothing, is nil
		return v
	})),
}

func isJSON(p cmp.Path) bool { return p.Last().Type() == reflect.TypeFor[json.RawMessage]() }

func (b *bench) ok(call string, err error) {
	b.Helper()
	if err != nil {
		b.Fatalf("%s: %v", call, err)
	}
}

func (b *bench) fails(call string, err, want error) {
	b.Helper()
	if !errors.Is(err, want) {
		b.Fatalf("%s = %v, want %v", call, err, want)
	}
}

func (b *bench) equal(call string, got, want any) {
	b.Helper()
	if d := cmp.Diff(want, got, same); d != "" {
		b.Fatalf("%s (-want +got):\n%s", call, d)
	}
}

func assistants(b *bench) {
	text := "what it does"
	one := runs.Assistant{
		ID: id(), GraphID: "g", Version: 1, Name: "first", Description: &text, Config: runs.Object{"configurable": runs.Object{"tag": "v1"}},
		Context: runs.Object{"a": 1.5}, Metadata: runs.Object{"k": "v"}, CreatedAt: noon, UpdatedAt: noon,
	}
	_, err := b.Assistant(b.ctx, one.ID)
	b.fails("Assistant(unknown)", err, fault.ErrNotFound)
	b.fails("AddVersion(unknown)", b.AddVersion(b.ctx, one), fault.ErrNotFound)
	b.ok("CreateAssistant", b.CreateAssistant(b.ctx, one))
	b.fails("CreateAssistant(again)", b.CreateAssistant(b.ctx, one), fault.ErrConflict)
	got, err := b.Assistant(b.ctx, one.ID)
	b.ok("Assistant", err)
	b.equal("Assistant", got, one)
	two := one
	two.Version, two.Name, two.Metadata = 2, "second", runs.Object{"k": "w"}
	b.ok("AddVersion", b.AddVersion(b.ctx, two))
	b.fails("AddVersion(again)", b.AddVersion(b.ctx, two), fault.ErrConflict)
	got, _ = b.Assistant(b.ctx, one.ID)
	b.equal("Assistant after AddVersion", got, two)
	list, n, err := b.Versions(b.ctx, one.ID, nil, runs.Page{Limit: 1})
	b.ok("Versions", err)
	b.equal("Versions(1)", list, []runs.Assistant{two})
	b.equal("Versions count", n, 2)
	list, _, _ = b.Versions(b.ctx, one.ID, runs.Object{"k": "v"}, runs.Page{Limit: -1})
	b.equal("Versions(metadata)", list, []runs.Assistant{one})
	_, _, err = b.Versions(b.ctx, id(), nil, runs.Page{Limit: 1})
	b.fails("Versions(unknown)", err, fault.ErrNotFound)
	_, err = b.SetLatest(b.ctx, one.ID, 9, noon)
	b.fails("SetLatest(9)", err, fault.ErrNotFound)
	one.UpdatedAt = after(time.Second)
	got, err = b.SetLatest(b.ctx, one.ID, 1, one.UpdatedAt)
	b.ok("SetLatest", err)
	b.equal("SetLatest", got, one)
	got, _ = b.Assistant(b.ctx, one.ID)
	b.equal("Assistant after SetLatest", got, one)
	b.ok("DeleteAssistant", b.DeleteAssistant(b.ctx, one.ID))
	b.fails("DeleteAssistant(again)", b.DeleteAssistant(b.ctx, one.ID), fault.ErrNotFound)
	_, err = b.Assistant(b.ctx, one.ID)
	b.fails("Assistant(deleted)", err, fault.ErrNotFound)
}

func assistantSearch(b *bench) {
	mark := id()
	var ids []string
	for i, name := range []string{"Alpha", "beta", "ALPHABET"} {
		a := runs.Assistant{
			ID: id(), GraphID: "g" + fmt.Sprint(i%2), Version: 1, Name: name, Metadata: runs.Object{"mark": mark, "deep": runs.Object{"i": float64(i), "x": true}},
			CreatedAt: after(time.Duration(i) * time.Second), UpdatedAt: after(-time.Duration(i) * time.Second),
		}
		b.ok("CreateAssistant", b.CreateAssistant(b.ctx, a))
		ids = append(ids, a.ID)
	}
	for _, test := range []struct {
		name   string
		filter runs.AssistantFilter
		want   []int
	}{
		{"all, newest first", runs.AssistantFilter{}, []int{2, 1, 0}},
		{"by name", runs.AssistantFilter{Name: "alpha"}, []int{2, 0}},
		{"by graph", runs.AssistantFilter{GraphID: "g1"}, []int{1}},
		{"by nested metadata", runs.AssistantFilter{Metadata: runs.Object{"deep": runs.Object{"i": 1.0}}}, []int{1}},
		{"sorted by name", runs.AssistantFilter{Sort: runs.Sort{By: "name", Ascending: true}}, []int{2, 0, 1}},
		{"sorted by update", runs.AssistantFilter{Sort: runs.Sort{By: "updated_at"}}, []int{0, 1, 2}},
	} {
		f := test.filter
		f.Page.Limit = -1
		f.Metadata = with(f.Metadata, "mark", mark)
		got, n, err := b.SearchAssistants(b.ctx, f)
		b.ok("SearchAssistants "+test.name, err)
		b.equal("SearchAssistants "+test.name, names(got, func(a runs.Assistant) string { return a.ID }), pick(ids, test.want))
		b.equal("count "+test.name, n, len(test.want))
	}
	page, n, _ := b.SearchAssistants(b.ctx, runs.AssistantFilter{Metadata: runs.Object{"mark": mark}, Page: runs.Page{Limit: 1, Offset: 1}})
	b.equal("second page", names(page, func(a runs.Assistant) string { return a.ID }), pick(ids, []int{1}))
	b.equal("count of a page", n, 3)
}

func with(o runs.Object, name string, value any) runs.Object {
	next := runs.Object{name: value}
	for k, v := range o {
		next[k] = v
	}
	return next
}

func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, v := range list {
		out = append(out, name(v))
	}
	return out
}

func pick(ids []string, at []int) []string {
	var out []string
	for _, i := range at {
		out = append(out, ids[i])
	}
	return out
}

// thread adds a thread.
func (b *bench) thread(change func(*runs.Thread)) runs.Thread {
	b.Helper()
	t := runs.Thread{ID: id(), CreatedAt: noon, UpdatedAt: noon, Status: runs.ThreadIdle, Metadata: runs.Object{}, Config: runs.Object{}}
	if change != nil {
		change(&t)
	}
	b.ok("CreateThread", b.CreateThread(b.ctx, t))
	return t
}

func threads(b *bench) {
	expires, changed := after(time.Hour), after(time.Minute)
	want := b.thread(func(t *runs.Thread) {
		t.Metadata, t.Config = runs.Object{"a": 1.0}, runs.Object{"configurable": runs.Object{"x": "y"}}
		t.Values, t.Interrupts = json.RawMessage(`{"n":1}`), map[string][]runs.Interrupt{"task": {{ID: "i", Value: json.RawMessage(`"ok?"`)}}}
		t.TTL, t.ExpiresAt, t.StateUpdatedAt = &runs.TTL{Minutes: 2.5, Strategy: "keep_latest"}, &expires, &changed
		t.GraphID, t.Error, t.Dropped = "g", "why", []string{"r1", "r2"}
	})
	got, err := b.Thread(b.ctx, want.ID)
	b.ok("Thread", err)
	b.equal("Thread", got, want)
	b.fails("CreateThread(again)", b.CreateThread(b.ctx, want), fault.ErrConflict)
	_, err = b.Thread(b.ctx, id())
	b.fails("Thread(unknown)", err, fault.ErrNotFound)
}

func threadSearch(b *bench) {
	mark := id()
	var ids []string
	for i, status := range []runs.ThreadStatus{runs.ThreadIdle, runs.ThreadError, runs.ThreadIdle, runs.ThreadInterrupted} {
		ids = append(ids, b.thread(func(t *runs.Thread) {
			t.CreatedAt, t.UpdatedAt, t.Status = after(time.Duration(i)*time.Second), after(-time.Duration(i)*time.Second), status
			t.Metadata = runs.Object{"mark": mark, "i": float64(i)}
			t.Values = json.RawMessage(fmt.Sprintf(`{"route":{"to":"r%d","by":"rule"}}`, i%2))
			t.Temporary = i == 3
		}).ID)
	}
	for _, test := range []struct {
		name   string
		filter runs.ThreadFilter
		want   []int
	}{
		{"all but temporary ones", runs.ThreadFilter{}, []int{2, 1, 0}},
		{"by ids", runs.ThreadFilter{IDs: ids[:2]}, []int{1, 0}},
		{"by status", runs.ThreadFilter{Status: runs.ThreadError}, []int{1}},
		{"by metadata", runs.ThreadFilter{Metadata: runs.Object{"i": 2.0}}, []int{2}},
		{"by values", runs.ThreadFilter{Values: runs.Object{"route": runs.Object{"to": "r0"}}}, []int{2, 0}},
		{"oldest first", runs.ThreadFilter{Sort: runs.Sort{By: "created_at", Ascending: true}}, []int{0, 1, 2}},
		{"by update", runs.ThreadFilter{Sort: runs.Sort{By: "updated_at"}}, []int{0, 1, 2}},
		{"by id", runs.ThreadFilter{Sort: runs.Sort{By: "thread_id", Ascending: true}}, []int{0, 1, 2}},
		{"by unknown field", runs.ThreadFilter{Sort: runs.Sort{By: "color"}}, []int{2, 1, 0}},
	} {
		f := test.filter
		f.Page.Limit = -1
		f.Metadata = with(f.Metadata, "mark", mark)
		got, n, err := b.SearchThreads(b.ctx, f)
		b.ok("SearchThreads "+test.name, err)
		b.equal("SearchThreads "+test.name, names(got, threadID), pick(ids, test.want))
		b.equal("count "+test.name, n, len(test.want))
	}
	f := runs.ThreadFilter{Metadata: runs.Object{"mark": mark}, Page: runs.Page{Limit: 1, Offset: 1}}
	page, n, _ := b.SearchThreads(b.ctx, f)
	b.equal("SearchThreads page", names(page, threadID), pick(ids, []int{1}))
	b.equal("SearchThreads count", n, 3)
	f.Page = runs.Page{}
	page, n, _ = b.SearchThreads(b.ctx, f)
	b.equal("SearchThreads of an empty page", len(page), 0)
	b.equal("its count", n, 3)
}

func threadID(t runs.Thread) string { return t.ID }

func threadUpdate(b *bench) {
	was := b.thread(nil)
	got, err := b.UpdateThread(b.ctx, was.ID, func(t *runs.Thread) error {
		t.ID, t.CreatedAt = "other", after(time.Hour)
		t.Metadata, t.Status, t.GraphID = runs.Object{"b": 2.0}, runs.ThreadError, "g"
		return nil
	})
	b.ok("UpdateThread", err)
	want := was
	want.Metadata, want.Status, want.GraphID = runs.Object{"b": 2.0}, runs.ThreadError, "g"
	b.equal("UpdateThread", got, want)
	got, _ = b.Thread(b.ctx, was.ID)
	b.equal("Thread after UpdateThread", got, want)
	mine := errors.New("not now")
	_, err = b.UpdateThread(b.ctx, was.ID, func(t *runs.Thread) error { t.Metadata = nil; return mine })
	b.fails("UpdateThread(refusing)", err, mine)
	got, _ = b.Thread(b.ctx, was.ID)
	b.equal("Thread after a refused change", got, want)
	_, err = b.UpdateThread(b.ctx, id(), func(*runs.Thread) error { return nil })
	b.fails("UpdateThread(unknown)", err, fault.ErrNotFound)
}

func threadDelete(b *bench) {
	t := b.thread(nil)
	r := b.run(t.ID, nil)
	b.claim(r, "me")
	_, err := b.AppendEvents(b.ctx, t.ID, r.ID, "me", []runs.Event{{Kind: runs.KindCustom, At: noon}})
	b.ok("AppendEvents", err)
	cron := runs.Cron{ID: id(), ThreadID: &t.ID, Schedule: "* * * * *", CreatedAt: noon, UpdatedAt: noon}
	b.ok("CreateCron", b.CreateCron(b.ctx, cron))
	b.ok("DeleteThread", b.DeleteThread(b.ctx, t.ID))
	b.fails("DeleteThread(again)", b.DeleteThread(b.ctx, t.ID), fault.ErrNotFound)
	_, err = b.Thread(b.ctx, t.ID)
	b.fails("Thread(deleted)", err, fault.ErrNotFound)
	_, err = b.Run(b.ctx, "", r.ID)
	b.fails("Run of a deleted thread", err, fault.ErrNotFound)
	log, err := b.ReadEvents(b.ctx, t.ID, "", 0, 10)
	b.ok("ReadEvents", err)
	b.equal("events of a deleted thread", len(log), 0)
	b.fails("DeleteCron of a deleted thread", b.DeleteCron(b.ctx, cron.ID), fault.ErrNotFound)
	_, err = b.RenewRun(b.ctx, t.ID, r.ID, "me", after(time.Hour))
	b.fails("RenewRun on a deleted thread", err, runs.ErrLost)
}

func threadExpiry(b *bench) {
	at := func(d time.Duration) *time.Time { x := after(d); return &x }
	var ids []string
	for i, expires := range []*time.Time{nil, at(time.Minute), at(time.Hour), at(time.Second), at(time.Second)} {
		ids = append(ids, b.thread(func(t *runs.Thread) {
			t.CreatedAt = after(time.Duration(i) * time.Second)
			t.ExpiresAt = expires
			t.Temporary = i == 3
		}).ID)
	}
	b.run(ids[4], nil)
	got, _, err := b.SearchThreads(b.ctx, runs.ThreadFilter{IDs: ids, ExpiresBefore: after(2 * time.Minute), Page: runs.Page{Limit: -1}})
	b.ok("SearchThreads", err)
	b.equal("expired threads that are not busy", names(got, threadID), pick(ids, []int{3, 1}))
}

func slicesOf(list []runs.Run) []string { return names(list, func(r runs.Run) string { return r.ID }) }

func contains(list []runs.Run, id string) bool { return slices.Contains(slicesOf(list), id) }
