package tables_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"annai/fault"
	"annai/runs"
	"annai/runs/postgres"
	"annai/runs/sqlite"
	"annai/runs/tables"
	"annai/storage/postgres/pgtest"
	"annai/storage/row"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// store is what both back ends are.
type store interface {
	runs.Store
	Close() error
}

// opener opens the same tables each time.
type opener func(opts row.Options) (store, error)

// each runs a test on the empty tables of each back end.
func each(t *testing.T, test func(t *testing.T, open opener)) {
	t.Run("sqlite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "runs.db")
		test(t, func(opts row.Options) (store, error) {
			return sqlite.Open(context.WithoutCancel(t.Context()), path, sqlite.Options{Row: opts})
		})
	})
	t.Run("postgres", func(t *testing.T) {
		address := pgtest.Shared(t).Schema(t)
		test(t, func(opts row.Options) (store, error) {
			return postgres.Open(context.WithoutCancel(t.Context()), address, postgres.Options{Row: opts, Connections: 6})
		})
	})
}

func (open opener) must(t *testing.T, opts row.Options) store {
	t.Helper()
	s, err := open(opts)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func thread(id string, metadata runs.Object) runs.Thread {
	return runs.Thread{ID: id, CreatedAt: noon, UpdatedAt: noon, Status: runs.ThreadIdle, Metadata: metadata}
}

func start(threadID, id string) runs.Start {
	return runs.Start{Run: runs.Run{ID: id, ThreadID: threadID, CreatedAt: noon, UpdatedAt: noon, Strategy: runs.Enqueue}}
}

func ok(t *testing.T, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s = %v, want nil", call, err)
	}
}

// claimed makes a thread with a run whose lease is "me"'s.
func claimed(t *testing.T, s runs.Store, threadID, id string) {
	t.Helper()
	first, made := start(threadID, id), thread(threadID, nil)
	first.Thread, first.Owner, first.LeaseUntil = &made, "me", noon.Add(time.Hour)
	_, err := s.CreateRun(t.Context(), first)
	ok(t, "CreateRun", err)
}

// TestOpenAgain looks for everything once the store was closed and opened.
func TestOpenAgain(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		s, ctx := open.must(t, row.Options{}), t.Context()
		claimed(t, s, "t", "r")
		_, err := s.AppendEvents(ctx, "t", "r", "me", []runs.Event{{Kind: runs.KindCustom, At: noon, Data: json.RawMessage(`1`)}, {Kind: runs.KindCustom, At: noon}})
		ok(t, "AppendEvents", err)
		_, err = s.CreateRun(ctx, start("t", "r2"))
		ok(t, "CreateRun", err)
		ok(t, "PutItem", s.PutItem(ctx, runs.Item{Namespace: []string{"n"}, Key: "k", Value: runs.Object{"a": 1.0}}))
		ok(t, "CreateAssistant", s.CreateAssistant(ctx, runs.Assistant{ID: "a", Version: 1}))
		ok(t, "CreateCron", s.CreateCron(ctx, runs.Cron{ID: "c"}))
		ok(t, "Close", s.Close())
		if _, err := s.Thread(ctx, "t"); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("Thread after Close = %v, want ErrUnavailable", err)
		}
		if err := s.CreateThread(ctx, thread("u", nil)); !errors.Is(err, fault.ErrUnavailable) {
			t.Errorf("CreateThread after Close = %v, want ErrUnavailable", err)
		}

		s = open.must(t, row.Options{})
		list, n, err := s.ListRuns(ctx, runs.RunFilter{ThreadID: "t", Page: runs.Page{Limit: -1}})
		if err != nil || n != 2 || list[0].ID != "r" || list[0].Owner != "me" || list[1].ID != "r2" {
			t.Errorf("ListRuns = %v, %v, want both runs in order, the first one owned", list, err)
		}
		log, err := s.ReadEvents(ctx, "t", "r", 0, 10)
		if err != nil || len(log) != 2 || string(log[0].Data) != "1" || log[1].Data != nil {
			t.Errorf("ReadEvents = %v, %v, want both events", log, err)
		}
		last, err := s.AppendEvents(ctx, "t", "r", "me", []runs.Event{{Kind: runs.KindCustom, At: noon}})
		if err != nil || last <= log[1].ID {
			t.Errorf("AppendEvents = %d, %v, want an id above %d", last, err, log[1].ID)
		}
		_, err = s.Item(ctx, []string{"n"}, "k", noon, false)
		ok(t, "Item", err)
		_, err = s.Assistant(ctx, "a")
		ok(t, "Assistant", err)
	})
}

// TestKey opens tables with another key, and looks for what they must not show.
func TestKey(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		secret := row.Options{Key: bytes.Repeat([]byte{1}, 32)}
		s := open.must(t, secret)
		ok(t, "CreateThread", s.CreateThread(t.Context(), thread("t", runs.Object{"who": "the lantern"})))
		found, n, err := s.SearchThreads(t.Context(), runs.ThreadFilter{Metadata: runs.Object{"who": "the lantern"}, Page: runs.Page{Limit: 1}})
		if err != nil || n != 1 || found[0].ID != "t" {
			t.Errorf("SearchThreads by what is encrypted = %v, %d, %v, want the thread", found, n, err)
		}
		ok(t, "Close", s.Close())
		for name, opts := range map[string]row.Options{"another key": {Key: bytes.Repeat([]byte{2}, 32)}, "no key": {}} {
			if s, err := open(opts); !errors.Is(err, fault.ErrDenied) {
				t.Errorf("Open with %s = %v, %v, want ErrDenied", name, s, err)
			}
		}
	})
}

// TestSecret looks for contents in the file.
func TestSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Row: row.Options{Key: bytes.Repeat([]byte{1}, 32)}})
	ok(t, "Open", err)
	const secret = "what the visitor said"
	said, _ := json.Marshal(secret)
	first, made := start("t", "r"), thread("t", runs.Object{secret: secret})
	first.Thread, first.Owner, first.LeaseUntil, first.Run.Kwargs.Input = &made, "me", noon.Add(time.Hour), said
	_, err = s.CreateRun(t.Context(), first)
	ok(t, "CreateRun", err)
	ok(t, "FinishRun", s.FinishRun(t.Context(), runs.Finish{
		ThreadID: "t", RunID: "r", Owner: "me", At: noon, Status: runs.RunError, Error: secret, Events: []runs.Event{{Kind: runs.KindValues, Data: said}},
		Thread: &runs.ThreadEnd{Status: runs.ThreadError, Values: said, Error: secret, Interrupts: map[string][]runs.Interrupt{"t": {{ID: "i", Value: said}}}},
	}))
	ok(t, "PutItem", s.PutItem(t.Context(), runs.Item{Namespace: []string{"n"}, Key: "k", Value: runs.Object{"v": secret}}))
	ok(t, "CreateCron", s.CreateCron(t.Context(), runs.Cron{ID: "c", Payload: said}))
	ok(t, "CreateAssistant", s.CreateAssistant(t.Context(), runs.Assistant{ID: "a", Version: 1, Name: secret}))
	ok(t, "Close", s.Close())
	data, err := os.ReadFile(path)
	if err != nil || bytes.Contains(data, []byte(secret)) {
		t.Errorf("the encrypted file shows what a visitor said (%v)", err)
	}
}

// TestAnyText has names and texts of all kinds.
func TestAnyText(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		s, ctx := open.must(t, row.Options{}), t.Context()
		for i, text := range []string{"灯籠🏮", "é e\u0301", `"'; DROP TABLE annai_threads; --`, "<b>&amp;</b>", " \t\n", "\u2028"} {
			id := "thread " + text
			ok(t, "CreateThread", s.CreateThread(ctx, thread(id, runs.Object{"名前": text, text: runs.Object{text: []any{text}}})))
			found, _, err := s.SearchThreads(ctx, runs.ThreadFilter{Metadata: runs.Object{text: runs.Object{text: []any{text}}}, Page: runs.Page{Limit: -1}})
			if err != nil || len(found) != 1 || found[0].ID != id || found[0].Metadata["名前"] != text {
				t.Errorf("SearchThreads(%q) = %v, %v, want the thread", text, found, err)
			}
			ok(t, "PutItem", s.PutItem(ctx, runs.Item{Namespace: []string{text, "\x00"}, Key: text + "\x00", Value: runs.Object{text: text}}))
			items, err := s.SearchItems(ctx, runs.ItemFilter{Prefix: []string{text}, Now: noon, Page: runs.Page{Limit: -1}})
			if err != nil || len(items) != 1 || items[0].Key != text+"\x00" || items[0].Value[text] != text {
				t.Errorf("SearchItems(%q) = %v, %v, want the item", text, items, err)
			}
			claimed(t, s, fmt.Sprint("run ", i, text), "run "+text)
		}
	})
}

// TestLarge has large contents everywhere.
func TestLarge(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		s, ctx := open.must(t, row.Options{CompressAbove: 1000}), t.Context()
		large, _ := json.Marshal(strings.Repeat("大きい ", 1<<18))
		first, made := start("t", "r"), thread("t", runs.Object{"large": string(large)})
		first.Thread, first.Owner, first.LeaseUntil, first.Run.Kwargs.Input = &made, "me", noon.Add(time.Hour), large
		_, err := s.CreateRun(ctx, first)
		ok(t, "CreateRun", err)
		_, err = s.AppendEvents(ctx, "t", "r", "me", []runs.Event{{Kind: runs.KindValues, Data: large}, {Kind: runs.KindValues, Data: large}})
		ok(t, "AppendEvents", err)
		ok(t, "FinishRun", s.FinishRun(ctx, runs.Finish{ThreadID: "t", RunID: "r", Owner: "me", At: noon, Status: runs.RunSuccess, Thread: &runs.ThreadEnd{Values: large}}))
		r, err := s.Run(ctx, "t", "r")
		if err != nil || !bytes.Equal(r.Kwargs.Input, large) {
			t.Errorf("Run = input of %d bytes, %v, want %d", len(r.Kwargs.Input), err, len(large))
		}
		kept, err := s.Thread(ctx, "t")
		if err != nil || !bytes.Equal(kept.Values, large) || kept.Metadata["large"] != string(large) {
			t.Errorf("Thread = values of %d bytes, %v, want %d", len(kept.Values), err, len(large))
		}
		log, err := s.ReadEvents(ctx, "t", "", 0, 10)
		if err != nil || len(log) != 2 || !bytes.Equal(log[1].Data, large) {
			t.Errorf("ReadEvents = %d events, %v, want both whole", len(log), err)
		}
	})
}

// inside does something in a transaction, whichever database's that is.
func inside[T any](
	ctx context.Context, update func(context.Context, func(context.Context, tables.Tx, T) error) error, do func(context.Context, tables.Tx) error,
) error {
	return update(ctx, func(ctx context.Context, tx tables.Tx, _ T) error { return do(ctx, tx) })
}

// multiply makes many of each thread, with its labels. Rows that are not encrypted are nobody's in particular.
func multiply(t *testing.T, s store) {
	t.Helper()
	numbers := fmt.Sprintf(` WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) `, times-1)
	do := func(ctx context.Context, tx tables.Tx) error {
		for _, query := range []string{
			`INSERT INTO annai_threads (id, created, updated, status, graph, temporary, expires, stated, asks, events, doc)` + numbers +
				`SELECT id || '-' || i, created + i, updated, status, graph, temporary, expires, stated, asks, events, doc FROM annai_threads, n`,
			`INSERT INTO annai_labels (label, thread)` + numbers + `SELECT label, thread || '-' || i FROM annai_labels, n`,
		} {
			if _, err := tx.Exec(ctx, query); err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	switch s := s.(type) {
	case *sqlite.Store:
		err = inside(t.Context(), s.Update, do)
	case *postgres.Store:
		err = inside(t.Context(), s.Update, do)
	}
	ok(t, "multiply", err)
}

// TestManyThreads searches among ten thousand, or fewer with the race detector.
func TestManyThreads(t *testing.T) {
	const many, last = 10 * times, times - 1
	each(t, func(t *testing.T, open opener) {
		s, ctx := open.must(t, row.Options{}), t.Context()
		for i := range 10 {
			made := thread(fmt.Sprint("t", i), runs.Object{"graph_id": "annai", "user": fmt.Sprint("u", i)})
			made.CreatedAt = noon.Add(time.Duration(i) * time.Second)
			ok(t, "CreateThread", s.CreateThread(ctx, made))
		}
		multiply(t, s)
		for name, f := range map[string]struct {
			filter runs.ThreadFilter
			total  int
			first  string
		}{
			"all":        {runs.ThreadFilter{}, many, fmt.Sprint("t9-", last)},
			"a graph's":  {runs.ThreadFilter{Metadata: runs.Object{"graph_id": "annai"}}, many, fmt.Sprint("t9-", last)},
			"a user's":   {runs.ThreadFilter{Metadata: runs.Object{"graph_id": "annai", "user": "u7"}}, times, fmt.Sprint("t7-", last)},
			"nobody's":   {runs.ThreadFilter{Metadata: runs.Object{"user": "nobody"}}, 0, ""},
			"far behind": {runs.ThreadFilter{Page: runs.Page{Offset: many - 10}}, many, "t0-9"},
		} {
			f.filter.Page.Limit = 10
			found, n, err := s.SearchThreads(ctx, f.filter)
			if err != nil || n != f.total || f.first != "" && (len(found) != 10 || found[0].ID != f.first) {
				t.Errorf("SearchThreads of %s = %d of %d, %v, want 10 of %d from %s", name, len(found), n, err, f.total, f.first)
			}
		}
	})
}

// TestOneClaims has several processes claim the same run, and run those of a thread one after the other.
func TestOneClaims(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		stores := []store{open.must(t, row.Options{}), open.must(t, row.Options{})}
		ctx := t.Context()
		ok(t, "CreateThread", stores[0].CreateThread(ctx, thread("t", nil)))
		const many = 10
		for i := range many {
			_, err := stores[i%2].CreateRun(ctx, start("t", fmt.Sprint("r", i)))
			ok(t, "CreateRun", err)
		}
		for range many {
			var mu sync.Mutex
			var won []string
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					owner := fmt.Sprint("owner", i)
					due, err := stores[i%2].DueRuns(ctx, noon, 5)
					if err != nil || len(due) > 1 {
						t.Errorf("DueRuns = %d, %v, want one at most", len(due), err)
					}
					if len(due) == 0 {
						return
					}
					r, err := stores[i%2].ClaimRun(ctx, "t", due[0].ID, owner, noon, noon.Add(time.Minute))
					if err != nil && !errors.Is(err, runs.ErrBusy) {
						t.Errorf("ClaimRun = %v, want nil or ErrBusy", err)
					}
					if err == nil {
						mu.Lock()
						won = append(won, r.ID+" "+owner)
						mu.Unlock()
					}
				})
			}
			all.Wait()
			if len(won) != 1 {
				t.Fatalf("%q claimed, want one", won)
			}
			run, owner, _ := strings.Cut(won[0], " ")
			ok(t, "FinishRun", stores[0].FinishRun(ctx, runs.Finish{ThreadID: "t", RunID: run, Owner: owner, At: noon, Status: runs.RunSuccess}))
		}
		list, _, err := stores[0].ListRuns(ctx, runs.RunFilter{ThreadID: "t", Statuses: []runs.RunStatus{runs.RunSuccess}, Page: runs.Page{Limit: -1}})
		if err != nil || len(list) != many {
			t.Errorf("%d runs succeeded, %v, want all", len(list), err)
		}
	})
}

// TestReadWhileWritten reads logs while they grow; those in PostgreSQL from another process, which is told, too.
func TestReadWhileWritten(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		writing := open.must(t, row.Options{})
		reading := writing
		if _, is := writing.(*postgres.Store); is {
			reading = open.must(t, row.Options{})
		}
		const threads, batches = 4, 25
		var all sync.WaitGroup
		for n := range threads {
			id := fmt.Sprint("t", n)
			claimed(t, writing, id, "run of "+id)
			all.Go(func() {
				for i := range batches {
					batch := []runs.Event{{Kind: runs.KindCustom, Step: 2 * i}, {Kind: runs.KindCustom, Step: 2*i + 1}}
					if _, err := writing.AppendEvents(context.Background(), id, "run of "+id, "me", batch); err != nil {
						t.Errorf("AppendEvents = %v", err)
						return
					}
				}
			})
			all.Go(func() {
				steps, err := follow(t.Context(), reading, id, 2*batches)
				if err != nil || !slices.IsSorted(steps) || len(slices.Compact(steps)) != 2*batches {
					t.Errorf("a reader of %s got the steps %v, %v, want each of %d once", id, steps, err, 2*batches)
				}
			})
		}
		all.Wait()
	})
}

// follow reads so many events of a thread as they come, a few at a time.
func follow(ctx context.Context, s runs.Store, thread string, n int) (steps []int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for after := int64(0); len(steps) < n; {
		changed, stop := s.Watch(thread)
		log, err := s.ReadEvents(ctx, thread, "", after, 3)
		if err != nil {
			stop()
			return steps, err
		}
		for _, e := range log {
			steps, after = append(steps, e.Step), e.ID
		}
		if len(log) == 0 {
			select {
			case <-changed:
			case <-ctx.Done():
				stop()
				return steps, ctx.Err()
			}
		}
		stop()
	}
	return steps, nil
}

// TestWoken is told what is done, and does not wait for what makes up for a lost word three seconds after Watch.
func TestWoken(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		writing := open.must(t, row.Options{})
		watching := writing
		if _, is := writing.(*postgres.Store); is {
			watching = open.must(t, row.Options{})
		}
		claimed(t, writing, "t", "r")
		const rounds = 10
		late := 0 // rounds in which either may have woken who watches: the first, before anybody listens, and those of a machine that is slow
		for range rounds {
			began := time.Now()
			changed, stop := watching.Watch("t")
			_, err := writing.AppendEvents(t.Context(), "t", "r", "me", []runs.Event{{Kind: runs.KindCustom}})
			ok(t, "AppendEvents", err)
			<-changed
			if time.Since(began) >= 3*time.Second {
				late++
			}
			stop()
		}
		if late > 3 {
			t.Errorf("who watches was woken late in %d of %d rounds, want at most 3", late, rounds)
		}
	})
}

// TestCancelled calls with contexts that have ended.
func TestCancelled(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		s := open.must(t, row.Options{})
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.CreateThread(ended, thread("t", nil)); !errors.Is(err, context.Canceled) {
			t.Errorf("CreateThread with a context that has ended = %v, want context.Canceled", err)
		}
		if _, err := s.ReadEvents(ended, "t", "", 0, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("ReadEvents with a context that has ended = %v, want context.Canceled", err)
		}
		if _, err := s.Thread(t.Context(), "t"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Thread that was not created = %v, want ErrNotFound", err)
		}
	})
}

// TestAllOrNothing has changes that fail half-way, beside others that go into the same commit.
func TestAllOrNothing(t *testing.T) {
	each(t, func(t *testing.T, open opener) {
		s, ctx := open.must(t, row.Options{}), t.Context()
		claimed(t, s, "t", "r")
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				bad, made := start(fmt.Sprint("bad", i), "r"), thread(fmt.Sprint("bad", i), nil) // its id is taken
				bad.Thread = &made
				if _, err := s.CreateRun(ctx, bad); !errors.Is(err, fault.ErrConflict) {
					t.Errorf("CreateRun with an id that is taken = %v, want ErrConflict", err)
				}
			})
			all.Go(func() {
				good, made := start(fmt.Sprint("good", i), fmt.Sprint("r", i)), thread(fmt.Sprint("good", i), nil)
				good.Thread = &made
				if _, err := s.CreateRun(ctx, good); err != nil {
					t.Errorf("CreateRun beside others that fail = %v", err)
				}
			})
		}
		all.Wait()
		found, n, err := s.SearchThreads(ctx, runs.ThreadFilter{Page: runs.Page{Limit: -1}})
		if err != nil || n != 21 || slices.ContainsFunc(found, func(t runs.Thread) bool { return strings.HasPrefix(t.ID, "bad") }) {
			t.Errorf("%d threads are there, %v, want the 21 whose runs are", n, err)
		}
	})
}
