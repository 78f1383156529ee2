package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/tools/tasks"
	"annai/tools/tasks/local"
)

// annai tasks export prints an owner's tasks and no other's.
func TestExportTasks(t *testing.T) {
	data := t.TempDir()
	now := func() time.Time { return at }
	store, err := local.Open(t.Context(), filepath.Join(data, "tasks.db"), now, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for owner, title := range map[string]string{"": "Buy tea", "hanako": "Call home"} {
		if _, err := store.List(owner).Create(t.Context(), "key", tasks.Task{Title: title}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, "", "tasks", "export", "--data", data)
	if code != exitOK || !strings.Contains(out, "SUMMARY:Buy tea\r\n") || strings.Contains(out, "Call home") {
		t.Errorf("annai tasks export = %d, %q, %q, want the task of the owner without a name", code, out, errs)
	}
	code, out, errs = command(t, "", "tasks", "export", "--data", data, "--owner", "hanako")
	if code != exitOK || !strings.Contains(out, "SUMMARY:Call home\r\n") || strings.Contains(out, "Buy tea") {
		t.Errorf("annai tasks export --owner hanako = %d, %q, %q, want hers", code, out, errs)
	}
	for says, args := range map[string][]string{
		"--data":     {"tasks", "export"},
		"tasks=off":  {"tasks", "export", "--data", data, "--tasks", "off"},
		"caldav-url": {"tasks", "export", "--tasks", "caldav"},
	} {
		if code, _, errs := command(t, "", args...); code != exitFailed || !strings.Contains(errs, says) {
			t.Errorf("annai %q = %d, %q, want one that says %s", args, code, errs, says)
		}
	}
}
