package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// servers are several of one owner on one PostgreSQL, without a folder of data.
type servers struct {
	*desk

	all     []running
	address string // of the PostgreSQL
}

func newServers(t *testing.T, n int, args ...string) *servers {
	t.Helper()
	_, address := postgresSchema(t)
	args = append([]string{
		"--venue", smallVenue(t), "--postgres", address, "--owner-key-file", fileWith(t, calendarKey),
	}, args...)
	s := &servers{desk: &desk{T: t}, address: address}
	for range n {
		s.all = append(s.all, start(t, args...))
	}
	return s
}

// at is the owner's desk at one of the servers.
func (s *servers) at(n int) *desk {
	s.server = s.all[n]
	return s.desk
}

// TestOwnCalendarOfServers plans at one server, says yes at another and reads at the third.
func TestOwnCalendarOfServers(t *testing.T) {
	s := newServers(t, 3, "--encryption-key-file", fileWith(t, hexKey))
	s.at(0).say("talk", "明日の14時に歯医者を入れて", "よろしいですか")
	s.at(1).say("talk", "はい", "登録しました")
	s.at(2).say("talk", "明日の予定は？", "歯医者")
	for n := range s.all {
		s.at(n).say("elsewhere"+s.all[n].url, "明日の予定は？", "歯医者")
		if free := s.at(n).say("free"+s.all[n].url, "明日の14時は空いてる？"); strings.Contains(free.Text, "空いています") {
			t.Errorf("server %d says %q of an hour that is taken", n, free.Text)
		}
	}
	s.at(2).say("other", "明日の歯医者を16時に変更して", "よろしいですか")
	s.at(0).say("other", "はい", "変更しました")
	s.at(1).say("third", "明日の歯医者は何時から？", "16:00")
}

// TestGoogleCalendarOfServers writes at one server into a calendar at Google, and reads at another.
func TestGoogleCalendarOfServers(t *testing.T) {
	d := newDesk(t)
	d.server.stop()
	s := &servers{desk: d}
	_, address := postgresSchema(t)
	for range 2 {
		s.all = append(s.all, start(t, append(d.args, "--postgres", address)...))
	}
	s.at(0).say("before", "明日の予定は？", "ありません")
	s.at(1).say("talk", "明日の14時に歯医者を入れて", "よろしいですか")
	s.at(1).say("talk", "はい", "登録しました")
	s.at(0).say("after", "明日の予定は？", "歯医者")
	if free := s.at(0).say("free", "明日の14時は空いてる？"); strings.Contains(free.Text, "空いています") {
		t.Errorf("the other server says %q of an hour that is taken", free.Text)
	}
	s.at(0).say("away", "明日の歯医者を削除して", "よろしいですか")
	s.at(0).say("away", "はい", "削除しました")
	s.at(1).say("gone", "明日の予定は？", "ありません")
}

// TestKnowledgeOfServers ingests beside two servers, both of which soon know it.
func TestKnowledgeOfServers(t *testing.T) {
	s := newServers(t, 2)
	docs := writeFiles(t, map[string]string{
		"tea.ja.md": "---\ntitle: 茶室の料金\nlang: ja\ncategory: fees\n---\n\n茶室は一服七百円です。\n",
	})
	for _, dry := range [][]string{{"--dry-run"}, nil} {
		out, errs, err := ingest(t, append(dry, "--postgres", s.address, "--venue", smallVenue(t), docs)...)
		if err != nil || !strings.Contains(out, "1 new") {
			t.Fatalf("ingest %q = %s%s, %v", dry, out, errs, err)
		}
	}
	for n := range s.all {
		var answer string
		for end := time.Now().Add(20 * time.Second); !strings.Contains(answer, "七百"); {
			if time.Now().After(end) {
				t.Fatalf("server %d says %q, want what was ingested", n, answer)
			}
			answer = s.at(n).say("", "茶室の料金はいくら？").Text
			time.Sleep(200 * time.Millisecond)
		}
	}
}

// TestTasksOfServers plans a task at one server and says yes at another.
func TestTasksOfServers(t *testing.T) {
	s := newServers(t, 2)
	s.at(0).say("one", "牛乳を買うをタスクに追加して", "よろしいですか")
	s.at(1).say("one", "はい", "追加しました")
	s.at(0).say("two", "タスクは何がある？", "牛乳")
}

// TestNotShared has what each server has for itself said at the start and by doctor.
func TestNotShared(t *testing.T) {
	s := newServers(t, 1)
	contains(t, "the log", s.all[0].out.String(), "not shared with other servers", "limits of what is open")
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "calendar-own.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ := command(t, "", "doctor", "--postgres", s.address, "--data", data, "--venue", smallVenue(t))
	contains(t, "doctor", out, "note  servers", "nothing is read of calendar-own.db", "pictures and films")
	if _, out, _ = command(t, "", "doctor", "--venue", smallVenue(t)); strings.Contains(out, "not shared") {
		t.Errorf("doctor without PostgreSQL says %s, want nothing of servers", out)
	}
}

// TestMovedToServers has the calendar and the tasks of a data folder there once PostgreSQL is set.
func TestMovedToServers(t *testing.T) {
	data := t.TempDir()
	args := []string{"--venue", smallVenue(t), "--owner-key-file", fileWith(t, calendarKey), "--data", data}
	d := &desk{T: t, server: start(t, args...)}
	d.say("talk", "明日の14時に歯医者を入れて", "よろしいですか")
	d.say("talk", "はい", "登録しました")
	d.say("task", "牛乳を買うをタスクに追加して", "よろしいですか")
	d.say("task", "はい", "追加しました")
	d.server.stop()
	_, address := postgresSchema(t)
	d.server = start(t, append(args, "--postgres", address)...)
	d.say("after", "明日の予定は？", "歯医者")
	d.say("tasks", "タスクは何がある？", "牛乳")
	contains(t, "the log", d.server.out.String(), "calendar copied from the data folder", "calendar-own.db")
}
