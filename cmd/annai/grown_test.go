package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"annai/rag/corpus"
	"annai/rag/documents"
	"annai/rag/embedded"
	"annai/venue"
)

// kindsOfEvents are what the titles of many events are made of.
var kindsOfEvents = []string{
	"%s勉強会 第%d回 / %s Study Group #%d",
	"%sハンズオン %d / %s Hands-on %d",
	"%sもくもく会 vol.%d / %s Work Night vol. %d",
	"%s入門講座 第%d回 / Introduction to %s, part %d",
	"%s座談会 %d / %s Round Table %d",
}

// topicsOfEvents are in Japanese and in English.
var topicsOfEvents = [][2]string{
	{"Rust", "Rust"},
	{"データベース", "Database"},
	{"電子工作", "Electronics"},
	{"機械学習", "Machine Learning"},
	{"デザイン", "Design"},
	{"起業", "Startup"},
	{"写真", "Photography"},
	{"セキュリティ", "Security"},
	{"英会話", "English Conversation"},
	{"ボードゲーム", "Board Game"},
	{"3Dプリンタ", "3D Printing"},
	{"地域の歴史", "Local History"},
}

// busyVenue writes the demonstration venue with so many entries in a year, a tenth of them series of four.
func busyVenue(b *testing.B, entries int) (path string) {
	b.Helper()
	demo, err := venue.Demo()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if err := os.CopyFS(dir, demo.Files); err != nil {
		b.Fatal(err)
	}
	from := startOf(b).AddDate(0, -6, 0)
	apart := 365 * 24 * time.Hour / time.Duration(entries)
	var ics strings.Builder
	ics.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//annai//bench//EN\r\n")
	for i := range entries {
		topic := topicsOfEvents[i%len(topicsOfEvents)]
		kind := kindsOfEvents[i/len(topicsOfEvents)%len(kindsOfEvents)]
		start := from.Add(time.Duration(i) * apart).Truncate(30 * time.Minute).UTC().Format("20060102T150405Z")
		fmt.Fprintf(&ics, "BEGIN:VEVENT\r\nUID:%d@bench\r\nDTSTAMP:20261101T000000Z\r\n", i)
		fmt.Fprintf(&ics, "DTSTART:%s\r\nDURATION:PT2H\r\nLOCATION:1F メインホール\r\n", start)
		if i%10 == 0 {
			ics.WriteString("RRULE:FREQ=WEEKLY;COUNT=4\r\n")
		}
		fmt.Fprintf(&ics, "SUMMARY:"+kind+"\r\n", topic[0], i+1, topic[1], i+1)
		fmt.Fprintf(&ics, "DESCRIPTION:%sに興味のある方はどなたでも。参加費は無料です。\r\nEND:VEVENT\r\n", topic[0])
	}
	ics.WriteString("END:VCALENDAR\r\n")
	if err := os.WriteFile(filepath.Join(dir, "calendar.ics"), []byte(ics.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	return filepath.Join(dir, "venue.yaml")
}

// startOf is when these benchmarks are.
func startOf(b *testing.B) time.Time {
	b.Helper()
	now, err := time.Parse(time.RFC3339, thursday)
	if err != nil {
		b.Fatal(err)
	}
	return now
}

// manyDocuments writes a folder of so many passages: what places say that tests of retrieval are about.
func manyDocuments(b *testing.B, passages int) (dir string) {
	b.Helper()
	dir = b.TempDir()
	places := os.DirFS(filepath.Join("..", "..", "rag", "testdata", "learnt", "venues"))
	files, err := fs.Glob(places, "*.txt")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range files {
		text, err := fs.ReadFile(places, name)
		if err != nil {
			b.Fatal(err)
		}
		place := strings.TrimSuffix(name, ".txt")
		for _, lang := range []string{"ja", "en"} {
			document := fmt.Sprintf("---\ntitle: %s\nlang: %s\ncategory: facility\n---\n\n", place, lang)
			for line := range strings.Lines(string(text)) {
				if said, ok := strings.CutPrefix(line, "@"+lang+" "); ok && passages > 0 {
					heading, says, _ := strings.Cut(said, " | ")
					document += "## " + heading + "\n\n" + says + "\n"
					passages--
				}
			}
			if err := os.WriteFile(filepath.Join(dir, place+"."+lang+".md"), []byte(document), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	if passages > 0 {
		b.Fatalf("%d passages are missing", passages)
	}
	return dir
}

// ingestDocuments ingests a folder into a data folder as annai ingest does, but for the report.
func ingestDocuments(b *testing.B, dir, data string) corpus.Summary {
	b.Helper()
	demo, err := venue.Demo()
	if err != nil {
		b.Fatal(err)
	}
	e, err := embedded.New()
	if err != nil {
		b.Fatal(err)
	}
	listing, err := documents.List(b.Context(), []string{dir})
	if err != nil {
		b.Fatal(err)
	}
	store, err := corpus.Open(b.Context(), filepath.Join(data, knowledgeFile))
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	}()
	opts := corpus.Options{Prepare: preparing(shippedVectors(demo, discard))}
	summary, err := store.Ingest(b.Context(), listing, e, opts)
	if err != nil {
		b.Fatal(err)
	}
	return summary
}
