package documents_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/rag/documents"
)

// makePDF writes a PDF of these objects, the first of which is the catalogue.
func makePDF(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

// stream writes a stream, packed.
func stream(content string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	return fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", b.Len(), b.String())
}

// page makes a PDF with one page, whose fonts are F1 (Latin) and F2 (Japanese by a table of its own).
func page(content string) []byte {
	table := "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n" +
		"3 beginbfchar\n<0001> <6848>\n<0002> <5185>\n<0003> <3002>\nendbfchar\nendcmap\nend\nend\n"
	return makePDF(
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
		stream(content),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Type /Font /Subtype /Type0 /BaseFont /Gothic /Encoding /Identity-H /ToUnicode 7 0 R /DescendantFonts [8 0 R] >>",
		stream(table),
		"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Gothic >>",
	)
}

func TestPDF(t *testing.T) {
	content := `BT /F1 12 Tf 72 720 Td (Opening hours) Tj 0 -40 Td (We open at ) Tj [(ni) -20 (ne) -300 (and)] TJ 0 -14 Td (close at five.) Tj ET
BT /F2 12 Tf 1 0 0 1 72 600 Tm <000100020003> Tj ET`
	wantPDF := "Opening hours: We open at nine and close at five."
	d, problems := documents.Read(t.Context(), "leaflet.pdf", page(content), documents.Options{PDF: isolated})
	if len(problems) > 0 {
		t.Fatalf("Read(leaflet.pdf) = %v", problems)
	}
	got := lines(d)
	if len(got) != 1 || !strings.Contains(got[0], wantPDF) || !strings.Contains(got[0], "案内。") {
		t.Errorf("Read(leaflet.pdf) = %q, want %q and 案内。", got, wantPDF)
	}
}

func TestPDFPages(t *testing.T) {
	pages, err := isolated(t.Context(), page("BT /F1 12 Tf (One) Tj T* (Two) ' ET"))
	if diff := cmp.Diff([]string{"One Two"}, pages); diff != "" || err != nil {
		t.Errorf("IsolatedPDF, %v (-want +got):\n%s", err, diff)
	}
}

// hostile are files that mean no good. Each must be read, or refused, in a short time and little memory.
func hostile() map[string][]byte {
	self := makePDF("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 5 >>")
	parent := makePDF("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 3 0 R /Contents 4 0 R >>", stream("BT /F1 12 Tf (x) Tj ET"))
	return map[string][]byte{
		"a bomb of operators": page(strings.Repeat("0 0 Td ", 700_000)),
		"a bomb of text": page("BT /F1 12 Tf " +
			strings.Repeat("(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ", 100_000) + "ET"),
		"a bomb of a string":  page("BT /F1 12 Tf (" + strings.Repeat("a", 6_000_000) + ") Tj ET"),
		"nested arrays":       page(strings.Repeat("[", 200_000)),
		"nested dictionaries": page(strings.Repeat("<</A ", 200_000)),
		"its own child":       self,
		"its own parent":      parent,
		"countless pages": makePDF("<< /Type /Catalog /Pages 2 0 R >>",
			"<< /Type /Pages /Kids [] /Count 2000000000 >>"),
		"a negative count":  makePDF("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count -5 >>"),
		"a stream too long": makePDF("<< /Type /Catalog /Pages 2 0 R >>", "<< /Length 99999999999 >>\nstream\n"),
		"cut off":           page("BT (x) Tj ET")[:300],
		"no arguments":      page("BT Tf Tj TJ ' \" Td Tm TL T* TD ET Q Q"),
		"only a beginning":  []byte("%PDF-1.7\n"),
		"xref at itself": []byte("%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Prev 9 >>\n%" +
			strings.Repeat("x", 200) + "\nstartxref\n9\n%%EOF\n"),
		"nothing but zeros": bytes.Repeat([]byte{0}, 1<<20),
	}
}

func TestHostilePDFs(t *testing.T) {
	const limit = 500 * time.Millisecond
	for name, data := range hostile() {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			began := time.Now()
			_, problems := documents.Read(ctx, "a.pdf", data, documents.Options{PDF: isolated})
			if took := time.Since(began); took > time.Minute {
				t.Errorf("Read(%s) took %s, want it ended after %s", name, took, limit)
			}
			if len(problems) > 0 && !errors.Is(problems[0], fault.ErrInvalid) {
				t.Errorf("Read(%s) = %v, want no problem or ErrInvalid", name, problems)
			}
		})
	}
}

func TestPDFTakesNoLongerThanItMay(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := isolated(ctx, page("BT (x) Tj ET")); !errors.Is(err, context.Canceled) {
		t.Errorf("IsolatedPDF with a cancelled context = %v, want that", err)
	}
}

func FuzzPDF(f *testing.F) {
	f.Add(page("BT /F1 12 Tf 72 720 Td (Text) Tj [(a) -300 (b)] TJ ET"))
	f.Add(hostile()["its own parent"])
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		d, problems := documents.Read(ctx, "a.pdf", data, documents.Options{PDF: isolated})
		if (len(d.Passages()) > 0) == (len(problems) > 0) {
			t.Errorf("Read(a.pdf, %q) = %d passages and problems %v, want either", data, len(d.Passages()), problems)
		}
	})
}

// isChild is set in the environment of a test process that reads a PDF.
const isChild = "ANNAI_DOCUMENTS_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(isChild) != "" {
		if err := documents.ServePDF(context.Background(), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var isolated = documents.IsolatedPDF(func(ctx context.Context) (*exec.Cmd, error) {
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), isChild+"=1", "GORACE=atexit_sleep_ms=0")
	return child, nil
})

// A child that answers nothing, or too much, or can't be started is a problem of the file, or says what is the matter.
func TestChildren(t *testing.T) {
	for name, test := range map[string]struct {
		command []string
		want    error
	}{
		"no child":       {[]string{"/nothing/is/here"}, fault.ErrUnavailable},
		"one that dies":  {[]string{"false"}, fault.ErrInvalid},
		"one that lies":  {[]string{"echo", "{"}, fault.ErrInvalid},
		"an endless one": {[]string{"yes"}, fault.ErrInvalid},
	} {
		extract := documents.IsolatedPDF(func(ctx context.Context) (*exec.Cmd, error) {
			return exec.CommandContext(ctx, test.command[0], test.command[1:]...), nil
		})
		if pages, err := extract(t.Context(), []byte("%PDF")); !errors.Is(err, test.want) {
			t.Errorf("%s: = %q, %v; want %v", name, pages, err, test.want)
		}
	}
}
