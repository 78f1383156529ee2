package media

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"annai/fault"
)

// FileOptions are the settings of [Files] that have a default.
type FileOptions struct {
	// Life is how long an address works, and a file is kept after it was put last. 0: 24 hours.
	Life time.Duration
	// MaxFile is the largest file in bytes, and MaxTotal what all may have. 0: 32 MiB, and 256 MiB
	// in a folder or 64 MiB in memory.
	MaxFile, MaxTotal int64
	// MaxCount is how many files are kept. 0: 1,000.
	MaxCount int
}

// Files are the files that tools made. They are safe for concurrent use, also by several processes
// on one folder.
type Files struct {
	now   func() time.Time
	opts  FileOptions
	key   []byte
	mu    sync.Mutex // of changes
	shelf shelf
}

// A shelf is where files are. Its names are good ones.
type shelf interface {
	// put keeps a file, or renews the time of one that is there.
	put(name string, data []byte, at time.Time) error
	// open is [fault.ErrNotFound] where there is no such file.
	open(name string) (File, error)
	list() ([]kept, error)
	// remove does nothing where there is no such file.
	remove(name string) error
}

// kept is a file on a shelf.
type kept struct {
	name string
	size int64
	at   time.Time // when it was put last
}

// OpenFiles keeps files in a folder, which it makes, together with the key that signs addresses.
// dir "" keeps both in memory.
func OpenFiles(ctx context.Context, dir string, now func() time.Time, opts FileOptions) (*Files, error) {
	or(&opts.Life, 24*time.Hour)
	or(&opts.MaxFile, 32<<20)
	or(&opts.MaxCount, 1000)
	f := &Files{now: now, opts: opts}
	if dir == "" {
		or(&f.opts.MaxTotal, 64<<20)
		f.key, f.shelf = newKey(), &memory{files: map[string]stored{}}
		return f, nil
	}
	or(&f.opts.MaxTotal, 256<<20)
	key, err := openKey(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("media: %w", err)
	}
	f.key, f.shelf = key, folder{dir}
	return f, f.Sweep()
}

func or[T comparable](value *T, otherwise T) {
	if *value == *new(T) {
		*value = otherwise
	}
}

// Put keeps a file and returns an address of it. Those that were put longest ago make room. A file
// that is empty, too large or of no [Kind] is [fault.ErrInvalid].
func (f *Files) Put(data []byte, kind Kind) (Address, error) {
	ending := endings[kind]
	if size := int64(len(data)); ending == "" || size == 0 || size > min(f.opts.MaxFile, f.opts.MaxTotal) {
		return Address{}, fmt.Errorf("keep a file of %d bytes and type %q: %w", size, kind, fault.ErrInvalid)
	}
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:16]) + "." + ending
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if err := f.sweep(now, name, int64(len(data))); err != nil {
		return Address{}, err
	}
	if err := f.shelf.put(name, data, now); err != nil {
		return Address{}, fmt.Errorf("keep file %s: %w", name, err)
	}
	expires := now.Add(f.opts.Life).Truncate(time.Second)
	until := strconv.FormatInt(expires.Unix(), 10)
	signature := base64.RawURLEncoding.EncodeToString(f.sign(name, until))
	return Address{URL: "/media/" + name + "?expires=" + until + "&signature=" + signature, Expires: expires}, nil
}

var goodName = regexp.MustCompile(`^[0-9a-f]{32}\.(?:png|jpg|gif|svg|mp4)$`)

// Open opens the file of an address, given the three parts of its URL as they are written there. An
// address that is over is [ErrExpired]; one that is none of ours, and one whose file made room for
// others, are [fault.ErrNotFound].
func (f *Files) Open(name, expires, signature string) (File, error) {
	given, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !goodName.MatchString(name) || subtle.ConstantTimeCompare(given, f.sign(name, expires)) == 0 {
		return File{}, errForged
	}
	until, err := strconv.ParseInt(expires, 10, 64)
	if err != nil {
		return File{}, errForged
	}
	if !f.now().Before(time.Unix(until, 0)) {
		return File{}, ErrExpired
	}
	file, err := f.shelf.open(name)
	if err != nil {
		return File{}, fmt.Errorf("open file %s: %w", name, err)
	}
	file.Kind = kindOf(name)
	return file, nil
}

func kindOf(name string) Kind {
	for kind, ending := range endings {
		if name[33:] == ending {
			return kind
		}
	}
	return ""
}

// sign returns the HMAC-SHA256 of a name and the second at which its address expires.
func (f *Files) sign(name, expires string) []byte {
	mac := hmac.New(sha256.New, f.key)
	mac.Write([]byte(name + "\n" + expires))
	return mac.Sum(nil)
}

// Sweep removes files to which no address leads any more.
func (f *Files) Sweep() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sweep(f.now(), "", 0)
}

// sweep removes what is over, and what was put longest ago until a file of that name and size has
// room. The caller holds the lock.
func (f *Files) sweep(now time.Time, name string, size int64) error {
	all, err := f.shelf.list()
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	all = slices.DeleteFunc(all, func(k kept) bool { return k.name == name })
	slices.SortFunc(all, func(a, b kept) int { return a.at.Compare(b.at) })
	total, count := size, len(all)
	if name != "" {
		count++
	}
	for _, k := range all {
		total += k.size
	}
	for _, k := range all {
		if now.Before(k.at.Add(f.opts.Life)) && total <= f.opts.MaxTotal && count <= f.opts.MaxCount {
			break // all others were put later
		}
		if err := f.shelf.remove(k.name); err != nil {
			return fmt.Errorf("remove file %s: %w", k.name, err)
		}
		total, count = total-k.size, count-1
	}
	return nil
}
