package runstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"annai/fault"
	"annai/runs"
)

func is(err, target error) bool { return errors.Is(err, target) }

func item(namespace []string, key string, value runs.Object) runs.Item {
	return runs.Item{Namespace: namespace, Key: key, Value: value, CreatedAt: noon, UpdatedAt: noon}
}

func items(b *bench) {
	ns := []string{"check", id()}
	_, err := b.Item(b.ctx, ns, "k", noon, false)
	b.fails("Item(missing)", err, fault.ErrNotFound)
	want := item(ns, "k", runs.Object{"color": "blue", "n": 1.0})
	want.Meaning = []byte{0, 1, 0xff}
	b.ok("PutItem", b.PutItem(b.ctx, want))
	got, err := b.Item(b.ctx, ns, "k", noon, false)
	b.ok("Item", err)
	b.equal("Item", got, want)
	next := item(ns, "k", runs.Object{"color": "red"})
	next.CreatedAt, next.UpdatedAt = after(time.Minute), after(time.Minute)
	b.ok("PutItem(again)", b.PutItem(b.ctx, next))
	got, _ = b.Item(b.ctx, ns, "k", noon, false)
	next.CreatedAt = noon
	b.equal("Item replaced", got, next)
	_, err = b.Item(b.ctx, append(ns[:2:2], "k"), "", noon, false)
	b.fails("Item whose key is another's label", err, fault.ErrNotFound)
	b.ok("DeleteItem", b.DeleteItem(b.ctx, ns, "k"))
	b.ok("DeleteItem(again)", b.DeleteItem(b.ctx, ns, "k"))
	_, err = b.Item(b.ctx, ns, "k", noon, false)
	b.fails("Item(deleted)", err, fault.ErrNotFound)
}

func itemSearch(b *bench) {
	top := id()
	for _, put := range []struct{ label, key, color string }{
		{"x", "b", "red"}, {"x", "a", "blue"}, {"y", "c", "red"}, {"xy", "d", "red"},
	} {
		b.ok("PutItem", b.PutItem(b.ctx, item([]string{top, put.label}, put.key, runs.Object{"color": put.color, "size": float64(len(put.label))})))
	}
	for _, test := range []struct {
		name   string
		filter runs.ItemFilter
		want   []string
	}{
		{"by prefix", runs.ItemFilter{}, []string{"a", "b", "d", "c"}},
		{"by whole labels", runs.ItemFilter{Prefix: []string{"x"}}, []string{"a", "b"}},
		{"by value", runs.ItemFilter{Match: runs.Object{"color": "red"}}, []string{"b", "d", "c"}},
		{"by comparison", runs.ItemFilter{Match: runs.Object{"size": runs.Object{"$gt": 1.0}}}, []string{"d"}},
		{"a page", runs.ItemFilter{Page: runs.Page{Limit: 2, Offset: 1}}, []string{"b", "d"}},
	} {
		f := test.filter
		f.Prefix, f.Now = append([]string{top}, f.Prefix...), noon
		if f.Page == (runs.Page{}) {
			f.Page.Limit = -1
		}
		got, err := b.SearchItems(b.ctx, f)
		b.ok("SearchItems "+test.name, err)
		b.equal("SearchItems "+test.name, names(got, func(i runs.Item) string { return i.Key }), test.want)
	}
}

func itemVersions(b *bench) {
	top := id()
	put := func(label, key string, version int64, expires *time.Time) {
		i := item([]string{top, label}, key, runs.Object{"version": float64(version)})
		i.Version, i.ExpiresAt = version, expires
		b.ok("PutItem", b.PutItem(b.ctx, i))
	}
	soon := after(time.Minute)
	put("x", "a", 1, nil)
	put("x", "b", 2, &soon)
	put("xy", "c", 3, nil)
	put("x", "a", 4, nil)
	version := func(v runs.ItemVersion) string { return fmt.Sprint(v.Namespace[1:], v.Key, v.Version) }
	sorted := func(list []runs.ItemVersion, err error) []string {
		b.ok("ItemVersions", err)
		return slices.Sorted(slices.Values(names(list, version)))
	}
	all := sorted(b.ItemVersions(b.ctx, []string{top}, noon))
	b.equal("ItemVersions", all, []string{"[x]a4", "[x]b2", "[xy]c3"})
	b.equal("ItemVersions later", sorted(b.ItemVersions(b.ctx, []string{top, "x"}, after(time.Hour))), []string{"[x]a4"})
	list, err := b.ItemVersions(b.ctx, []string{top}, noon)
	b.ok("ItemVersions", err)
	list = append(list, runs.ItemVersion{Namespace: []string{top}, Key: "none"})
	got, err := b.ItemsAt(b.ctx, list, noon)
	b.ok("ItemsAt", err)
	said := names(got, func(i runs.Item) string { return fmt.Sprint(i.Key, i.Version, i.Value["version"]) })
	b.equal("ItemsAt", slices.Sorted(slices.Values(said)), []string{"a4 4", "b2 2", "c3 3"})
	got, err = b.ItemsAt(b.ctx, list, after(time.Hour))
	b.ok("ItemsAt later", err)
	b.equal("ItemsAt later", len(got), 2)
	got, err = b.ItemsAt(b.ctx, nil, noon)
	b.ok("ItemsAt(none)", err)
	b.equal("ItemsAt(none)", len(got), 0)
}

func itemExpiry(b *bench) {
	ns := []string{id()}
	expires := after(time.Minute)
	i := item(ns, "k", runs.Object{"v": 1.0})
	i.TTLMinutes, i.ExpiresAt = 1, &expires
	b.ok("PutItem", b.PutItem(b.ctx, i))
	_, err := b.Item(b.ctx, ns, "k", after(30*time.Second), false)
	b.ok("Item within its time", err)
	_, err = b.Item(b.ctx, ns, "k", after(time.Minute), false)
	b.fails("Item when its time is over", err, fault.ErrNotFound)
	_, err = b.Item(b.ctx, ns, "k", after(30*time.Second), true)
	b.ok("Item, refreshing", err)
	_, err = b.Item(b.ctx, ns, "k", after(80*time.Second), false)
	b.ok("Item that was refreshed", err)
	got, _ := b.SearchItems(b.ctx, runs.ItemFilter{Prefix: ns, Now: after(time.Hour), Page: runs.Page{Limit: -1}})
	b.equal("SearchItems when the time is over", len(got), 0)
	spaces, _ := b.Namespaces(b.ctx, runs.NamespaceFilter{Prefix: ns, Now: after(time.Hour), Page: runs.Page{Limit: -1}})
	b.equal("Namespaces when the time is over", len(spaces), 0)
}

func namespaces(b *bench) {
	top := id()
	for _, labels := range [][]string{{"x", "y"}, {"z"}, {"x", "w"}, {"x", "y"}} {
		b.ok("PutItem", b.PutItem(b.ctx, item(append([]string{top}, labels...), id(), runs.Object{})))
	}
	for _, test := range []struct {
		name   string
		filter runs.NamespaceFilter
		want   [][]string
	}{
		{"all", runs.NamespaceFilter{Prefix: []string{top}}, [][]string{{top, "x", "w"}, {top, "x", "y"}, {top, "z"}}},
		{"cut", runs.NamespaceFilter{Prefix: []string{top}, MaxDepth: 2}, [][]string{{top, "x"}, {top, "z"}}},
		{"by suffix", runs.NamespaceFilter{Prefix: []string{top}, Suffix: []string{"z"}}, [][]string{{top, "z"}}},
		{"by any label", runs.NamespaceFilter{Prefix: []string{top, "*", "y"}}, [][]string{{top, "x", "y"}}},
		{"a page", runs.NamespaceFilter{Prefix: []string{top}, Page: runs.Page{Limit: 1, Offset: 1}}, [][]string{{top, "x", "y"}}},
	} {
		f := test.filter
		f.Now = noon
		if f.Page == (runs.Page{}) {
			f.Page.Limit = -1
		}
		got, err := b.Namespaces(b.ctx, f)
		b.ok("Namespaces "+test.name, err)
		b.equal("Namespaces "+test.name, got, test.want)
	}
}

func crons(b *bench) {
	mark, thread := id(), b.thread(nil).ID
	next, end := after(time.Hour), after(48*time.Hour)
	one := runs.Cron{
		ID: id(), AssistantID: "a", ThreadID: &thread, Schedule: "0 9 * * 1", Timezone: "Asia/Tokyo", NextRun: &next, EndTime: &end, Enabled: true, OnCompleted: "keep",
		Payload: json.RawMessage(`{"input":{"q":1}}`), Metadata: runs.Object{"mark": mark}, CreatedAt: noon, UpdatedAt: noon,
		Maker: runs.Maker{Name: "operator boss"},
	}
	two := runs.Cron{ID: id(), AssistantID: "b", Schedule: "* * * * *", Metadata: runs.Object{"mark": mark}, Payload: json.RawMessage(`{}`), CreatedAt: after(time.Second), UpdatedAt: noon}
	b.ok("CreateCron", b.CreateCron(b.ctx, one))
	b.ok("CreateCron", b.CreateCron(b.ctx, two))
	b.fails("CreateCron(again)", b.CreateCron(b.ctx, one), fault.ErrConflict)
	on := true
	for _, test := range []struct {
		name   string
		filter runs.CronFilter
		want   []runs.Cron
	}{
		{"all", runs.CronFilter{}, []runs.Cron{two, one}},
		{"by assistant", runs.CronFilter{AssistantID: "a"}, []runs.Cron{one}},
		{"by thread", runs.CronFilter{ThreadID: thread}, []runs.Cron{one}},
		{"enabled", runs.CronFilter{Enabled: &on}, []runs.Cron{one}},
		{"due", runs.CronFilter{DueBefore: next}, []runs.Cron{one}},
		{"not due yet", runs.CronFilter{DueBefore: noon}, nil},
	} {
		f := test.filter
		f.Metadata, f.Page.Limit = runs.Object{"mark": mark}, -1
		got, n, err := b.SearchCrons(b.ctx, f)
		b.ok("SearchCrons "+test.name, err)
		b.equal("SearchCrons "+test.name, got, test.want)
		b.equal("count "+test.name, n, len(test.want))
	}
	got, err := b.UpdateCron(b.ctx, one.ID, func(c *runs.Cron) error { c.Enabled, c.NextRun, c.ID = false, nil, "x"; return nil })
	b.ok("UpdateCron", err)
	one.Enabled, one.NextRun = false, nil
	b.equal("UpdateCron", got, one)
	_, err = b.UpdateCron(b.ctx, one.ID, func(*runs.Cron) error { return errLater })
	b.fails("UpdateCron(refusing)", err, errLater)
	_, err = b.UpdateCron(b.ctx, id(), func(*runs.Cron) error { return nil })
	b.fails("UpdateCron(unknown)", err, fault.ErrNotFound)
	b.ok("DeleteCron", b.DeleteCron(b.ctx, one.ID))
	b.fails("DeleteCron(again)", b.DeleteCron(b.ctx, one.ID), fault.ErrNotFound)
}
