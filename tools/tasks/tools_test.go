package tasks_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/tools"
	"annai/tools/calendar"
	"annai/tools/calendar/agenda"
	"annai/tools/calendar/mem"
	"annai/tools/tasks"
	"annai/tools/tasks/local"
)

func now() time.Time { return time.Date(2026, 3, 2, 1, 0, 0, 0, time.UTC) }

// registry returns the tools over an empty list, and a calendar in Japan with one event of each
// kind.
func registry(t *testing.T) *tools.Registry {
	t.Helper()
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	store, err := local.Open(t.Context(), "", now, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	start := time.Date(2026, 3, 6, 14, 0, 0, 0, tokyo)
	own := mem.New("own", calendar.Event{ID: "talk1", Title: "面接", Start: start, URL: "https://example.org/e/1"})
	feed := mem.New("feed", calendar.Event{ID: "feed1", Title: "Feed", Start: start})
	a, err := agenda.New([]agenda.Calendar{{ID: "feed", Reader: feed}, {ID: "own", Writer: own}},
		agenda.Options{Location: tokyo, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	r := tools.New(now, tools.Options{Backoff: time.Nanosecond})
	lists := func(owner string) tasks.List { return store.List(owner) }
	if err := tasks.Register(r, lists, a, tasks.Options{}); err != nil {
		t.Fatal(err)
	}
	return r
}

func caller(lang string) tools.Caller {
	return tools.Caller{Role: tools.Owner, Language: lang, SessionID: "s", RequestID: "r"}
}

func call(t *testing.T, r *tools.Registry, name, input string) map[string]any {
	t.Helper()
	raw, err := r.Call(t.Context(), caller("ja"), name, json.RawMessage(input))
	if err != nil {
		t.Fatalf("Call(%s, %s) = %v, want an answer", name, input, err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The shape of the specification: eventId, todos of title, dueDate and notes; taskIds come back.
func TestWrite(t *testing.T) {
	r := registry(t)
	input := `{"eventId": "talk1", "todos": [
		{"title": "履歴書を印刷", "dueDate": "2026-03-04T20:00:00Z", "notes": "2部"}, {"title": "電車を調べる"}]}`
	ids := call(t, r, "tasks_write", input)["taskIds"].([]any)
	if again := call(t, r, "tasks_write", input)["taskIds"]; len(ids) != 2 || cmp.Diff(any(ids), again) != "" {
		t.Errorf("tasks_write twice = %v, then %v, want the same two ids", ids, again)
	}
	got := call(t, r, "tasks_list", `{}`)
	const link = "予定: 面接 (2026-03-06 14:00)\nhttps://example.org/e/1"
	want := map[string]any{
		"success": true, "count": 2.0, "message": "残っているタスクは2件です。",
		"tasks": []any{
			map[string]any{
				"taskId": ids[0], "title": "履歴書を印刷", "dueDate": "2026-03-05", "done": false, "notes": "2部\n\n" + link,
			},
			map[string]any{"taskId": ids[1], "title": "電車を調べる", "done": false, "notes": link},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tasks_list (-want +got):\n%s", diff)
	}
}

func TestWriteRefused(t *testing.T) {
	r := registry(t)
	many := strings.Repeat(`{"title":"a"},`, 20) + `{"title":"a"}`
	tests := []struct {
		name, input string
		kind        error
		ja, en      string
	}{
		{
			"no todos", `{"todos":[]}`, fault.ErrInvalid,
			"「todos」は1件から20件までで指定してください。", `"todos" must have 1 to 20 tasks.`,
		},
		{"too many", `{"todos":[` + many + `]}`, fault.ErrInvalid, "「todos」は1件から", `"todos" must have`},
		{
			"a bad day", `{"todos":[{"title":"a"},{"title":"b","dueDate":"Friday"}]}`, fault.ErrInvalid,
			"「todos.1.dueDate」は 2026-03-01 のように", `Please give "todos.1.dueDate" like 2026-03-01.`,
		},
		{"a blank title", `{"todos":[{"title":" "}]}`, fault.ErrInvalid, "タスクの名前やメモ", "A task's title"},
		{
			"no such event", `{"eventId":"nobody","todos":[{"title":"a"}]}`, fault.ErrNotFound,
			"指定された予定が見つかりません。", "I cannot find that event.",
		},
		{
			"an event that is only read", `{"eventId":"feed1","todos":[{"title":"a"}]}`, fault.ErrNotFound,
			"指定された予定が見つかりません。", "I cannot find that event.",
		},
		{
			"an unknown field",
			`{"todos":[{"title":"a","when":1}]}`,
			fault.ErrInvalid,
			"「todos.0.when」",
			`"todos.0.when"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := r.Call(t.Context(), caller("ja"), "tasks_write", json.RawMessage(tt.input))
			ja, en := tools.Message(err, "ja"), tools.Message(err, "en")
			if !errors.Is(err, tt.kind) || !strings.HasPrefix(ja, tt.ja) || !strings.Contains(en, tt.en) {
				t.Errorf("tasks_write = %v (%q, %q), want %v (%q, %q)", err, ja, en, tt.kind, tt.ja, tt.en)
			}
		})
	}
	if got := call(t, r, "tasks_list", `{"status":"all"}`); got["count"] != 0.0 {
		t.Errorf("tasks_list = %v, want that nothing was written", got)
	}
}

func TestListCompleteDelete(t *testing.T) {
	r := registry(t)
	made := call(t, r, "tasks_write", `{"todos":[{"title":"茶","dueDate":"2026-03-06"},{"title":"本"}]}`)
	ids := made["taskIds"].([]any)
	tea := `{"taskId":"` + ids[0].(string) + `"}`
	steps := []struct{ tool, input, message string }{
		{"tasks_list", `{"dueTo":"2026-03-06"}`, "残っているタスクは1件です。"},
		{"tasks_list", `{"dueFrom":"2026-03-07"}`, "残っているタスクはありません。"},
		{"tasks_complete", tea, "「茶」を済みにしました。"},
		{"tasks_list", `{}`, "残っているタスクは1件です。"},
		{"tasks_list", `{"status":"done"}`, "済んだタスクは1件です。"},
		{"tasks_list", `{"status":"all"}`, "タスクは2件です。"},
		{"tasks_complete", strings.Replace(tea, "}", `,"done":false}`, 1), "「茶」を未完了に戻しました。"},
		{"tasks_delete", tea, "タスクを削除しました。"},
		{"tasks_list", `{"status":"all"}`, "タスクは1件です。"},
	}
	for _, s := range steps {
		if got := call(t, r, s.tool, s.input); got["message"] != s.message || got["success"] != true {
			t.Errorf("%s(%s) = %v, want %q", s.tool, s.input, got, s.message)
		}
	}
	_, err := r.Call(t.Context(), caller("en"), "tasks_delete", json.RawMessage(tea))
	if !errors.Is(err, fault.ErrNotFound) || tools.Message(err, "en") != "I cannot find that task." {
		t.Errorf("tasks_delete again = %v, want ErrNotFound", err)
	}
}

// Visitors are refused, operators are not, and each owner sees their own.
func TestWho(t *testing.T) {
	r := registry(t)
	write := json.RawMessage(`{"todos":[{"title":"hers"}]}`)
	hers := tools.Caller{Role: tools.Owner, Owner: "hanako", RequestID: "1"}
	if _, err := r.Call(t.Context(), hers, "tasks_write", write); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		who   tools.Caller
		count float64
	}{
		{hers, 1}, {tools.Caller{Role: tools.Owner, Owner: "taro"}, 0}, {tools.Caller{Role: tools.Operator}, 0},
	} {
		raw, err := r.Call(t.Context(), tt.who, "tasks_list", nil)
		var out struct{ Count float64 }
		if err := errors.Join(err, json.Unmarshal(raw, &out)); err != nil || out.Count != tt.count {
			t.Errorf("tasks_list of %+v = %s, %v, want %v", tt.who, raw, err, tt.count)
		}
	}
	visitor := tools.Caller{Role: tools.Visitor}
	for _, name := range []string{"tasks_write", "tasks_list", "tasks_complete", "tasks_delete"} {
		if _, err := r.Call(t.Context(), visitor, name, nil); !errors.Is(err, fault.ErrDenied) {
			t.Errorf("%s by a visitor = %v, want ErrDenied", name, err)
		}
	}
}

// away is a list that is away for its first calls.
type away struct {
	tasks.List
	left int
}

func (a *away) Tasks(ctx context.Context) ([]tasks.Task, error) {
	if a.left--; a.left >= 0 {
		return nil, &tasks.Failure{Kind: fault.ErrUnavailable, RetryAfter: time.Nanosecond}
	}
	return a.List.Tasks(ctx)
}

func TestRetry(t *testing.T) {
	a, err := agenda.New([]agenda.Calendar{{ID: "own", Writer: mem.New("own")}}, agenda.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	store, err := local.Open(t.Context(), "", now, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	for left, want := range []error{1: nil, 2: fault.ErrUnavailable} {
		r := tools.New(now, tools.Options{Backoff: time.Nanosecond})
		list := &away{store.List(""), left}
		if err := tasks.Register(r, func(string) tasks.List { return list }, a, tasks.Options{}); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Call(t.Context(), caller("ja"), "tasks_list", nil); !errors.Is(err, want) {
			t.Errorf("tasks_list of a list that is away %d times = %v, want %v", left, err, want)
		}
	}
}

func TestUnconfigured(t *testing.T) {
	r := tools.New(now, tools.Options{})
	if err := tasks.Register(r, nil, nil, tasks.Options{Off: "switched off"}); err != nil {
		t.Fatal(err)
	}
	if got := r.Unoffered(); len(got) != 4 || got[0].Why != "switched off" {
		t.Errorf("Unoffered() = %v, want the four tools", got)
	}
}
