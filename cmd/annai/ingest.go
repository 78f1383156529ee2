package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"annai/civil"
	"annai/fault"
	"annai/internal/config"
	"annai/internal/setup"
	"annai/rag"
	"annai/rag/corpus"
	"annai/rag/documents"
	"annai/rag/markdown"
	"annai/venue"
)

// knowledgeFile is the name of the store of knowledge in the data folder.
const knowledgeFile = "knowledge.db"

func ingestCommand() *cobra.Command {
	in := ingestion{}
	cmd := &cobra.Command{
		Use: "ingest PATH...", Short: "Read documents into the knowledge, and report what is missing or contradictory in it",
		Long: `Read files, or all files of folders, into the knowledge in the data folder, or in PostgreSQL
where --postgres names one: ` + documents.Endings + `.
What has not changed is not read again. Running servers notice and reload. A file that can't be read is
named with line and reason; the rest goes in, and what was known of that file stays. The report looks at all
knowledge, the venue's own documents too.

` + exitCodeHelp,
		Example: "  annai ingest --data ./data ./documents\n" +
			"  annai ingest --data ./data --dry-run ./documents/hours.ja.md\n" +
			"  annai ingest --postgres-file address.txt ./documents",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !in.pdf {
				return fmt.Errorf("%w: ingest what? annai ingest PATH...; see %s --help", errUsage, cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if in.pdf {
				return documents.ServePDF(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
			}
			return in.run(cmd, args)
		},
	}
	in.bind(cmd)
	return cmd
}

// ingestion is what `annai ingest` was told.
type ingestion struct {
	read       documents.Options
	dry, prune bool
	full       bool
	pdf        bool
	out, err   io.Writer
	now        func() time.Time
	terminal   bool
}

func (in *ingestion) bind(cmd *cobra.Command) {
	config.Bind(cmd.Flags())
	flags := cmd.Flags()
	flags.BoolVar(&in.dry, "dry-run", false, "only say what would be done, and report on what there would be")
	flags.BoolVar(&in.prune, "prune", false, "remove what came from files that are no longer in the folders")
	flags.BoolVar(&in.full, "full", false, "print the whole report")
	flags.StringVar(&in.read.Category, "category", "", `category of documents that do not say (default "general")`)
	flags.StringVar(&in.read.Lang, "language", "", "language of documents that do not say: ja or en (default: by name or script)")
	flags.StringVar(&in.read.Source, "source", "", "source of documents that do not say, which visitors may see")
	flags.BoolVar(&in.pdf, "read-pdf", false, "")
	_ = flags.MarkHidden("read-pdf") // the flag is there
}

func (in *ingestion) run(cmd *cobra.Command, paths []string) error {
	if in.read.Lang != "" && in.read.Lang != "ja" && in.read.Lang != "en" {
		return fmt.Errorf("%w: --language: %q is neither ja nor en", errUsage, in.read.Lang)
	}
	c, err := load(cmd)
	if err != nil {
		return err
	}
	if c.Data == "" && c.Postgres == "" && !in.dry {
		return fmt.Errorf(
			"%w: the knowledge is kept in the data folder: add --data DIR, or --dry-run to keep nothing", errUsage,
		)
	}
	v, err := openVenue(c.Venue)
	if err != nil {
		return err
	}
	e, err := openEmbedder(cmd.Context(), c)
	if err != nil {
		return err
	}
	in.out, in.err, in.now = cmd.OutOrStdout(), cmd.ErrOrStderr(), setup.Clock(c.Now)
	in.terminal = isTerminal(in.err)
	listing, err := documents.List(cmd.Context(), paths)
	if err != nil {
		return err
	}
	summary, passages, err := in.ingest(cmd.Context(), c, v, listing, e)
	if err != nil {
		return setup.OneLine(err)
	}
	if err := errors.Join(in.summarize(summary), in.report(cmd.Context(), v, passages)); err != nil {
		return err
	}
	if summary.Bad > 0 {
		return errSilent
	}
	return nil
}

// ingest does it, or only tries, and returns what is, or would be, served.
func (in *ingestion) ingest(ctx context.Context, c config.Config, v *venue.Venue, l documents.Listing, e rag.Embedder) (s corpus.Summary, passages []rag.Passage, err error) {
	in.read.PDF = documents.IsolatedPDF(readsPDF)
	m := &meter{out: in.err, terminal: in.terminal, began: time.Now()}
	opts := corpus.Options{Read: in.read, Prune: in.prune, Progress: m.show, Prepare: preparing(shippedVectors(v, discard))}
	opts.Problem = func(p documents.Problem) {
		m.clear()
		_, _ = fmt.Fprintf(in.err, "left out: %v\n", p)
	}
	defer m.clear()
	store, closeStore, err := in.open(ctx, c)
	if err != nil {
		return s, nil, err
	}
	defer func() { err = errors.Join(err, closeStore()) }()
	if in.dry {
		return corpus.Try(ctx, store, l, e, opts)
	}
	if s, err = store.Ingest(ctx, l, e, opts); err != nil {
		return s, nil, err
	}
	passages, _, err = store.Passages(ctx)
	return s, passages, err
}

// commitLimit is how long a commit of an ingest may take in PostgreSQL: the last one has all of it.
const commitLimit = 5 * time.Minute

// open opens where the knowledge is kept; nil where nothing is to be kept and nothing is there.
func (in *ingestion) open(ctx context.Context, c config.Config) (*corpus.Store, func() error, error) {
	if c.Postgres != "" {
		c.Deadline = commitLimit
		db, err := openShared(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		store, err := corpus.OpenShared(ctx, db)
		if err != nil {
			return nil, nil, errors.Join(err, db.Close())
		}
		return store, db.Close, nil
	}
	path := filepath.Join(c.Data, knowledgeFile)
	if in.dry && (c.Data == "" || !corpus.Exists(path)) {
		return nil, func() error { return nil }, nil
	}
	release := func() error { return nil }
	if !in.dry {
		var err error
		if release, err = useFolder(c); err != nil {
			return nil, nil, err
		}
	}
	store, err := corpus.Open(ctx, path)
	if err != nil {
		return nil, nil, errors.Join(err, release())
	}
	return store, func() error { return errors.Join(store.Close(), release()) }, nil
}

// preparing returns what has everything embedded that a server embeds of passages, but for what it has beside its venue.
func preparing(shipped *rag.Vectors) func(ctx context.Context, passages []rag.Passage, e rag.Embedder) error {
	return func(ctx context.Context, passages []rag.Passage, e rag.Embedder) error {
		known := *shipped // each time all of them are known again
		return known.Fill(ctx, passages, e, rag.Options{Pieces: pieces})
	}
}

func (in *ingestion) summarize(s corpus.Summary) error {
	did := "ingested"
	if in.dry {
		did = "would be ingested"
	}
	var parts []string
	for _, part := range []struct {
		count int
		what  string
	}{
		{s.Added, "new"},
		{s.Changed, "changed"},
		{s.Unchanged, "unchanged"},
		{s.Removed, "removed"},
		{s.Gone, "no longer there (--prune removes them)"},
		{s.Bad, "left out"},
	} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.count, part.what))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none"}
	}
	text := fmt.Sprintf("%s: files: %s; %d passages read, %d texts embedded", did, strings.Join(parts, ", "), s.Passages, s.Embedded)
	if !in.dry {
		text += fmt.Sprintf("; version %d is served", s.Version)
	}
	_, err := fmt.Fprintln(in.out, text)
	return err
}

// reported is how many findings of a kind are printed without --full.
const reported = 20

// report prints what is wrong with the knowledge: with what is in the store and with the venue's own documents.
func (in *ingestion) report(ctx context.Context, v *venue.Venue, passages []rag.Passage) error {
	own, _ := markdown.Load(v.Files, v.Knowledge) // their problems are the doctor's
	passages = withVenue(passages, own)
	opts := corpus.ReportOptions{Today: civil.DateOf(in.now().In(v.Location)), Venue: []string{v.Name.JA, v.Name.EN}}
	for _, a := range v.Ambiguous {
		for _, r := range a.Readings {
			if r.Means != v.Name {
				opts.Names = append(opts.Names, []string{r.Label.EN, r.Label.JA, r.Means.EN, r.Means.JA})
			}
		}
	}
	found, err := corpus.Report(ctx, passages, opts)
	if err != nil {
		return err
	}
	return in.printReport(found, len(passages))
}

func (in *ingestion) printReport(found []corpus.Finding, passages int) error {
	var b strings.Builder
	counts := map[corpus.FindingKind]int{}
	for _, f := range found {
		counts[f.Kind]++
	}
	fmt.Fprintf(&b, "report on %d passages:", passages)
	for _, k := range corpus.FindingKinds {
		fmt.Fprintf(&b, " %d %s;", counts[k], k)
	}
	text := strings.TrimSuffix(b.String(), ";") + "\n"
	b.Reset()
	printed := map[corpus.FindingKind]int{}
	for _, f := range found {
		if printed[f.Kind]++; printed[f.Kind] <= reported || in.full {
			fmt.Fprintf(&b, "  %s: %s: %s\n", f.Kind, strings.Join(f.Passages, " and "), f.Text)
		} else if printed[f.Kind] == reported+1 {
			fmt.Fprintf(&b, "  %s: and %d more (--full)\n", f.Kind, counts[f.Kind]-reported)
		}
	}
	_, err := io.WriteString(in.out, text+b.String())
	return err
}

// withVenue returns what is served: what was ingested, and the venue's own documents but for those that were ingested under the same name.
func withVenue(ingested, own []rag.Passage) []rag.Passage {
	names := map[string]bool{}
	for _, p := range ingested {
		names[p.Document] = true
	}
	for _, p := range own {
		if !names[p.Document] {
			ingested = append(ingested, p)
		}
	}
	return ingested
}

// A meter shows how far an ingest has come: a bar that is drawn over itself in a terminal, else a line now and then.
type meter struct {
	out      io.Writer
	terminal bool
	began    time.Time
	shown    time.Time
	drawn    bool
}

// The least time between two bars, and between two lines.
const (
	barEvery  = 100 * time.Millisecond
	lineEvery = 5 * time.Second
)

func (m *meter) show(p corpus.Progress) {
	now := time.Now()
	every := lineEvery
	if m.terminal {
		every = barEvery
	}
	if m.shown.IsZero() && !m.terminal {
		m.shown = m.began
	}
	if now.Sub(m.shown) < every {
		return
	}
	m.shown = now
	line := progressLine(p, now.Sub(m.began), m.terminal)
	if m.terminal {
		m.drawn = true
		_, _ = fmt.Fprintf(m.out, "\r%s\x1b[K", line) // a terminal that is gone has nobody to tell
		return
	}
	_, _ = fmt.Fprintln(m.out, line)
}

// clear takes the bar away.
func (m *meter) clear() {
	if m.drawn {
		_, _ = fmt.Fprint(m.out, "\r\x1b[K")
		m.drawn = false
	}
}

// progressLine says how far it is, how fast, and how long it will take.
func progressLine(p corpus.Progress, took time.Duration, bar bool) string {
	share := 0.0
	if p.AllBytes > 0 {
		share = float64(p.Bytes) / float64(p.AllBytes)
	}
	line := fmt.Sprintf("%3.0f %%  %d of %d files  %d passages  %.0f passages/s", 100*share, p.Files, p.AllFiles, p.Passages, float64(p.Passages)/max(took.Seconds(), 0.001))
	if share > 0 {
		left := time.Duration(float64(took) * (1 - share) / share)
		line += "  " + left.Round(time.Second).String() + " left"
	}
	if !bar {
		return line
	}
	const width = 24
	done := min(int(share*width), width)
	return "[" + strings.Repeat("#", done) + strings.Repeat(".", width-done) + "] " + line
}

// readsPDF starts annai itself, to read a PDF.
func readsPDF(ctx context.Context) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find annai itself: %w: %w", err, fault.ErrUnavailable)
	}
	return exec.CommandContext(ctx, self, "ingest", "--read-pdf"), nil
}
