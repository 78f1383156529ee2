package corpus

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"annai/fault"
	"annai/rag"
	"annai/rag/documents"
)

// Options are the settings of [Store.Ingest] that have a default.
type Options struct {
	// Read says how files are read.
	Read documents.Options
	// Prepare asks the embedder for every text that a server will ask it for when it serves these
	// passages: it builds what the server builds, and throws it away. What it returns as
	// [fault.ErrInvalid] is a problem of the file. Nil asks for title and text of each, as one
	// text.
	Prepare func(ctx context.Context, passages []rag.Passage, e rag.Embedder) error
	// Progress is told whenever something was done, in this goroutine. Nil tells nobody.
	Progress func(Progress)
	// Problem is told of each file that is left out, in this goroutine. Nil tells nobody.
	Problem func(documents.Problem)
	// Prune removes what was ingested from the same folders and is no longer there. Otherwise it is only counted.
	Prune bool
}

// Progress says how far an ingest has come. A file of many passages counts piece by piece.
type Progress struct {
	Files, AllFiles int
	Bytes, AllBytes int64
	Passages        int
	// Embedded counts texts whose vector had to be made.
	Embedded int
}

// A Summary is what an ingest did.
type Summary struct {
	// Version is what is served afterwards.
	Version int64
	// Added, Changed, Unchanged, Removed, Gone and Bad count files. A bad one that was served is
	// served still, and so is one that is gone and was not removed.
	Added, Changed, Unchanged, Removed, Gone, Bad int
	// Passages counts those of added and changed files, Embedded the vectors that were made.
	Passages, Embedded int
}

// Ingest reads the files of a listing, embeds what is new and serves all of it at once, under a new
// version if anything has changed. A file that can't be read is a problem, and what is served of it
// stays. A second ingest at the same time is [fault.ErrConflict]. An error changes nothing of what
// is served; the next ingest goes on where this one was.
func (s *Store) Ingest(ctx context.Context, l documents.Listing, e rag.Embedder, opts Options) (Summary, error) {
	unlock, err := s.place.lock(ctx)
	if err != nil {
		return Summary{}, err
	}
	i := ingest{store: s, embedder: e, opts: opts}
	i.fillOptions()
	err = i.run(ctx, l)
	return i.summary, errors.Join(err, unlock())
}

// An ingest is one run of [Store.Ingest].
type ingest struct {
	store    *Store
	embedder rag.Embedder
	opts     Options
	summary  Summary
	progress Progress
	before   int64 // bytes of the files that are done
	// seen are the paths that are there; true, if what is staged of them is what they say now.
	seen map[string]bool
}

func (i *ingest) fillOptions() {
	if i.opts.Prepare == nil {
		i.opts.Prepare = prepare
	}
	if i.opts.Progress == nil {
		i.opts.Progress = func(Progress) {}
	}
	if i.opts.Problem == nil {
		i.opts.Problem = func(documents.Problem) {}
	}
}

func (i *ingest) run(ctx context.Context, l documents.Listing) error {
	i.progress.AllFiles = len(l.Files)
	for _, f := range l.Files {
		i.progress.AllBytes += f.Size
	}
	for _, p := range l.Problems {
		i.bad(p)
	}
	i.seen = map[string]bool{}
	for _, hidden := range l.Hidden {
		i.seen[hidden] = false
	}
	for _, f := range l.Files {
		i.seen[f.Path] = false
		if err := i.file(ctx, f); err != nil {
			return fmt.Errorf("ingest %s: %w", f.Name, err)
		}
		i.before += f.Size
		i.progress.Files++
		i.progress.Bytes, i.progress.Embedded = i.before, i.summary.Embedded
		i.opts.Progress(i.progress)
	}
	return i.publish(ctx, l)
}

func (i *ingest) bad(problems ...documents.Problem) {
	i.summary.Bad++
	for _, p := range problems {
		i.opts.Problem(p)
	}
}

// file reads one file into the staging area, if it is not what is served or staged already.
func (i *ingest) file(ctx context.Context, f documents.File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := f.Read()
	if err != nil {
		i.bad(documents.Unreadable(f.Name, err))
		return nil
	}
	hash := hashOfFile(data, i.opts.Read)
	old, err := i.old(ctx, f, hash)
	if err != nil || old.current {
		return err
	}
	if old.name != "" {
		f.Name, f.Root = old.name, old.root
	}
	if owner, err := i.owner(ctx, f); err != nil {
		return err
	} else if owner != "" {
		i.bad(documents.NameTaken(f.Name, owner))
		return nil
	}
	if old.staged {
		i.count(f, old)
		return nil
	}
	return i.stage(ctx, f, data, hash, old)
}

// stage reads and embeds a file and writes both.
func (i *ingest) stage(ctx context.Context, f documents.File, data, hash []byte, old previous) error {
	d, problems := documents.Read(ctx, f.Name, data, i.opts.Read)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(problems) > 0 {
		i.bad(problems...)
		return nil
	}
	passages := d.Passages()
	k := newKeeper(i.store, i.embedder)
	err := i.embed(ctx, f, passages, k)
	i.summary.Embedded += k.made
	if errors.Is(err, fault.ErrInvalid) {
		i.bad(documents.NothingToFind(f.Name, err))
		return nil
	}
	if err != nil {
		return err
	}
	switch err := i.store.stage(ctx, f, d, hash, k); {
	case errors.Is(err, fault.ErrInvalid): // it has what can be in no row
		i.bad(documents.Unreadable(f.Name, err))
		return nil
	case err != nil:
		return err
	}
	old.passages = len(passages)
	i.count(f, old)
	return nil
}

// count says that what is staged of a file is what it says now.
func (i *ingest) count(f documents.File, old previous) {
	i.seen[f.Path] = true
	if old.served {
		i.summary.Changed++
	} else {
		i.summary.Added++
	}
	i.summary.Passages += old.passages
	i.progress.Passages = i.summary.Passages
}

// chunk is how many passages are prepared between two reports of progress.
const chunk = 64

// embed has the vectors of a document made and written.
func (i *ingest) embed(ctx context.Context, f documents.File, passages []rag.Passage, k *keeper) error {
	for begin := 0; begin < len(passages); begin += chunk {
		end := min(begin+chunk, len(passages))
		if err := i.opts.Prepare(ctx, passages[begin:end:end], k); err != nil {
			return err
		}
		p := i.progress
		p.Bytes = i.before + int64(float64(f.Size)*float64(end)/float64(len(passages)))
		p.Passages += end
		p.Embedded = i.summary.Embedded + k.made
		i.opts.Progress(p)
	}
	return k.flush(ctx)
}

func prepare(ctx context.Context, passages []rag.Passage, e rag.Embedder) error {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Title + "\n" + p.Text
	}
	_, err := e.Embed(ctx, texts)
	return err
}

// hashOfFile is of what is in a file and of how it is read, so that other settings read it anew.
func hashOfFile(data []byte, opts documents.Options) []byte {
	h := sha256.New()
	// it never fails
	_, _ = fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s\x00", documents.Version, opts.Lang, opts.Category, opts.Source)
	_, _ = io.Writer(h).Write(data)
	return h.Sum(nil)
}

// previous is what the store has of a file.
type previous struct {
	name, root string
	current    bool // served, as it is now, with all vectors
	staged     bool // staged, as it is now, with all vectors
	served     bool
	passages   int // of what is staged
}

// old looks what the store has of a file.
func (i *ingest) old(ctx context.Context, f documents.File, hash []byte) (previous, error) {
	var p previous
	rows, err := i.store.write.QueryContext(ctx, oldQuery, f.Path, hash, i.embedder.Fingerprint())
	if err != nil {
		return p, trouble(err)
	}
	defer rows.Close()
	for rows.Next() {
		var staged, same, embedded bool
		var passages int
		if err := rows.Scan(&p.name, &p.root, &staged, &same, &embedded, &passages); err != nil {
			return p, trouble(err)
		}
		p.served = p.served || !staged
		if same && embedded && staged {
			p.staged, p.passages = true, passages
		}
		p.current = p.current || same && embedded && !staged
	}
	if p.current {
		i.summary.Unchanged++
	}
	return p, trouble(rows.Err())
}

const oldQuery = `SELECT name, root, staged, hash = $2,
	NOT EXISTS (SELECT 1 FROM annai_embedded e WHERE e.document = d.number
		AND NOT EXISTS (SELECT 1 FROM annai_vectors v WHERE v.fingerprint = $3 AND v.hash = e.hash)),
	(SELECT count(*) FROM annai_passages p WHERE p.document = d.number)
	FROM annai_documents d WHERE path = $1 ORDER BY staged`

// owner returns the path of another file whose passages have the same names.
func (i *ingest) owner(ctx context.Context, f documents.File) (string, error) {
	var path string
	err := i.store.write.QueryRowContext(ctx,
		"SELECT path FROM annai_documents WHERE name = $1 AND path <> $2 LIMIT 1", f.Name, f.Path).Scan(&path)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return path, trouble(err)
}
