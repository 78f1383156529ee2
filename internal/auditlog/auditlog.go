// Package auditlog keeps who did what: a line of JSON for each act, in a file that others can't
// read, apart from the log that is for finding faults.
//
// The idea to hold: an [Entry] has names and ids and no words, and whatever is put into it is made
// safe here. Who acts is not kept waiting and not refused because the entry can't be kept: that is
// said, and counted. Several processes may write to one file.
package auditlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"

	"annai/fault"
	"annai/internal/privatefile"
)

// The values of [Entry.What].
const (
	Request = "request" // of HTTP
	Tool    = "tool"    // a call of a tool that writes
	Talk    = "talk"    // what an owner said yes to
	Command = "command" // annai keys, backup and restore
)

// The values of [Entry.Outcome].
const (
	Done    = "done"
	Refused = "refused"
	Failed  = "failed"
)

// An Entry is one act.
type Entry struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
	// Key names the key of who acted, Role what it is for. User is who ran a command.
	Key     string `json:"key,omitempty"`
	Role    string `json:"role,omitempty"`
	User    string `json:"user,omitempty"`
	Address string `json:"address,omitempty"`
	// Method and Route are those of HTTP; Act is what else was done.
	Method string `json:"method,omitempty"`
	Route  string `json:"route,omitempty"`
	Act    string `json:"act,omitempty"`
	// Object names what it was done to, by kinds of ids.
	Object    map[string]string `json:"object,omitempty"`
	Outcome   string            `json:"outcome"`
	Status    int               `json:"status,omitempty"`
	RequestID string            `json:"request_id,omitempty"`
}

const (
	// maxSize is how large a file becomes before the next one begins, older how many older ones
	// are kept.
	maxSize = 10 << 20
	older   = 9
	// parts is how many files have the entries of the time for which they are kept.
	parts = 8
	// turnTries are how often is looked, with a pause between, whether another process has begun the
	// next file.
	turnTries = 20
	turnPause = 5 * time.Millisecond
	// sayEvery is how often is said that entries can't be kept.
	sayEvery = time.Minute
)

// A Log keeps entries. It is safe for concurrent use. Nil keeps none.
type Log struct {
	path string // empty: out is not a file of ours
	log  *slog.Logger
	size int64
	kept time.Duration // 0: as long as there is room

	mu     sync.Mutex
	begun  time.Time // when the first entry of the file was made; zero where it has none
	out    io.Writer
	file   *os.File
	lost   int
	said   time.Time
	failed error
}

// To returns a log that writes to a stream.
func To(out io.Writer, log *slog.Logger) *Log { return &Log{out: out, log: log} }

// Open opens the file, or makes it with its folder, for nobody else to read. When it has 10 MiB it
// gets the name with .1 behind it, what had that name .2, and so on up to .9. Entries are kept for so
// long, and an eighth of it longer at most, if that is not 0: see [Log.Forget]. A file that can't be
// written is [fault.ErrUnavailable].
func Open(path string, kept time.Duration, log *slog.Logger) (*Log, error) {
	return open(path, kept, log, maxSize)
}

func open(path string, kept time.Duration, log *slog.Logger, size int64) (*Log, error) {
	l := &Log{path: path, log: log, size: size, kept: kept}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), l.reopen()); err != nil {
		return nil, fmt.Errorf("audit log: it can't be written: %w: %w", err, fault.ErrUnavailable)
	}
	return l, nil
}

func (l *Log) reopen() error {
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if l.file != nil {
		_ = l.file.Close() // what was written is written
	}
	l.file, l.out, l.begun = f, f, time.Time{}
	if l.kept > 0 {
		l.begun = firstEntry(l.path)
	}
	return nil
}

// firstEntry is when the first entry of a file was made; zero where it has none that can be read.
func firstEntry(path string) time.Time {
	f, err := os.Open(path)
	if err != nil {
		return time.Time{}
	}
	defer func() { _ = f.Close() }() // it was only read
	var first Entry
	if json.NewDecoder(f).Decode(&first) != nil {
		return time.Time{}
	}
	return first.At
}

// Write keeps an entry. What can't be kept is said in the log for faults, now and then.
func (l *Log) Write(e Entry) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(safe(e))
	if err == nil && l.path != "" {
		err = l.turn(int64(len(line)+1), e.At)
	}
	if err == nil {
		_, err = l.out.Write(append(line, '\n'))
	}
	l.failed = err
	if err == nil {
		if l.begun.IsZero() {
			l.begun = e.At
		}
		return
	}
	l.lost++
	if e.At.Sub(l.said) >= sayEvery || e.At.Before(l.said) {
		l.said = e.At
		l.log.Error("audit log can't be written", "lost", l.lost, "err", err)
	}
}

// Check says why the last entry could not be kept; nil if it was.
func (l *Log) Check() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// Lost is how many entries could not be kept.
func (l *Log) Lost() int {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// Close lets go of the file.
func (l *Log) Close() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Forget deletes what is older than entries are kept. Whoever keeps a log open calls it now and then.
func (l *Log) Forget(now time.Time) error {
	if l == nil || l.path == "" || l.kept <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.turn(0, now); err != nil {
		return fmt.Errorf("audit log: it can't be written: %w: %w", err, fault.ErrUnavailable)
	}
	for n := 1; n <= older; n++ {
		path := l.path + "." + strconv.Itoa(n)
		info, err := os.Stat(path)
		if err == nil && now.Sub(info.ModTime()) > l.kept {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("audit log: old entries are not deleted: %w: %w", err, fault.ErrUnavailable)
		}
	}
	return nil
}

// over reports whether the file has entries from so long ago that the next one is to begin: each has a part
// of the time that entries are kept.
func (l *Log) over(now time.Time) bool {
	return l.kept > 0 && !l.begun.IsZero() && now.Sub(l.begun) > l.kept/parts
}

// turn begins the next file where this one is full or over, and follows another process that has.
func (l *Log) turn(more int64, now time.Time) error {
	if l.file == nil { // it could not be opened again
		return l.reopen()
	}
	here, err := l.file.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(l.path)
	if err != nil || !os.SameFile(here, there) {
		return l.reopen()
	}
	if here.Size() == 0 || here.Size()+more <= l.size && !l.over(now) {
		return nil
	}
	return l.rename(here)
}

// rename gives the older files their next names, unless another process does.
func (l *Log) rename(full os.FileInfo) error {
	lock, err := os.OpenFile(l.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // which ends the lock
	mine := false
	for range turnTries {
		if mine, err = privatefile.TryLock(lock); mine || err != nil {
			break
		}
		time.Sleep(turnPause)
	}
	if err != nil || !mine {
		return err // the other one does it, slowly: this entry may still go into the full one
	}
	if there, err := os.Stat(l.path); err != nil || !os.SameFile(full, there) {
		return l.reopen()
	}
	_ = l.file.Close() // what is open can't be renamed everywhere
	l.file = nil
	for n := older; n > 0; n-- {
		from := l.path
		if n > 1 {
			from += "." + strconv.Itoa(n-1)
		}
		if err := os.Rename(from, l.path+"."+strconv.Itoa(n)); err != nil && !errors.Is(err, os.ErrNotExist) {
			break // nothing is lost: the next entry tries again
		}
	}
	return l.reopen()
}

// maxValue is how long a value may be, and plain says which are kept as they are: an id that a
// client chose may have words in it.
const maxValue = 128

var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@+-]*$`)

// safe returns the entry with nothing in it that anybody could have said.
func safe(e Entry) Entry {
	e.At = e.At.UTC()
	object := make(map[string]string, len(e.Object))
	for kind, id := range e.Object {
		if id != "" {
			object[kind] = Mask(id)
		}
	}
	e.Object = object
	return e
}

// Mask returns an id as it is, or a mark by which it can be known again, if it is not plainly one.
func Mask(id string) string {
	if len(id) <= maxValue && plain.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "sha256:" + hex.EncodeToString(sum[:8])
}
