package documents

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"annai/internal/text"
)

// hidden are the elements whose text is not what the page says: code, menus and what is only there to be clicked.
var hidden = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Nav: true, atom.Noscript: true, atom.Template: true, atom.Svg: true,
	atom.Math: true, atom.Iframe: true,
	atom.Form: true, atom.Button: true, atom.Select: true, atom.Textarea: true, atom.Footer: true, atom.Aside: true,
	atom.Object: true, atom.Head: true,
}

// void elements have no end.
var void = map[atom.Atom]bool{
	atom.Area: true, atom.Base: true, atom.Br: true, atom.Col: true, atom.Embed: true, atom.Hr: true, atom.Img: true,
	atom.Input: true, atom.Link: true,
	atom.Meta: true, atom.Source: true, atom.Track: true, atom.Wbr: true,
}

// inlineElements stand within a line; every other element begins a line of its own.
var inlineElements = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Cite: true, atom.Code: true,
	atom.Data: true, atom.Dfn: true,
	atom.Em: true, atom.Font: true, atom.I: true, atom.Img: true, atom.Ins: true, atom.Kbd: true, atom.Label: true,
	atom.Mark: true, atom.Q: true,
	atom.Ruby: true, atom.Rb: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true,
	atom.Strong: true, atom.Sub: true, atom.Sup: true,
	atom.Time: true, atom.U: true, atom.Var: true, atom.Wbr: true,
}

var declaration = regexp.MustCompile(`(?i)<meta[^>]{0,200}charset\s*=\s*["']?([A-Za-z0-9_-]{1,40})`)

// readHTML reads what a page says: headings, paragraphs, lists and tables. Its meta elements may
// have the names of front matter; its language, title and canonical address are taken from where
// pages have them.
func readHTML(ctx context.Context, f file) ([]part, []Problem) {
	declared := ""
	if m := declaration.FindSubmatch(f.data[:min(len(f.data), 4096)]); m != nil {
		declared = string(m[1])
	}
	text, p := decode(f.data, declared)
	if p != nil {
		return nil, []Problem{*p}
	}
	h := page{tokens: html.NewTokenizer(strings.NewReader(text))}
	h.tokens.SetMaxBuf(maxText)
	for ctx.Err() == nil && h.next() {
	}
	if err := h.tokens.Err(); err != nil && !errors.Is(err, io.EOF) {
		return nil, []Problem{problem(0, "it can't be read as HTML: %v", err)}
	}
	h.endBlock()
	h.endRow()
	if strings.TrimSpace(h.out.String()) == "" {
		return nil, []Problem{problem(0, "no text: there is nothing on the page but what is left out")}
	}
	return []part{{front: f.complete(h.front, h.out.String()), body: h.out.String()}}, nil
}

// A page is HTML on its way to Markdown. It reads tokens, not a tree, so that no depth of elements costs anything.
type page struct {
	tokens *html.Tokenizer
	front  Front
	out    strings.Builder
	// line is the text of the block that is being read.
	line bytes.Buffer
	// prefix begins the block: "## " or "- ".
	prefix string
	// skip counts the elements of the name hide that are open.
	hide atom.Atom
	skip int
	// cells are those of the row that is being read; nil is no row. heads says that they are headings.
	cells   []string
	heads   bool
	inTitle bool
}

// next reads a token and reports whether there was one.
func (h *page) next() bool {
	switch h.tokens.Next() {
	case html.ErrorToken:
		return false
	case html.TextToken:
		h.text(string(h.tokens.Text()))
	case html.StartTagToken, html.SelfClosingTagToken:
		h.start()
	case html.EndTagToken:
		name, _ := h.tokens.TagName()
		h.end(atom.Lookup(name))
	case html.CommentToken, html.DoctypeToken:
	}
	return true
}

func (h *page) text(text string) {
	switch {
	case h.inTitle:
		h.front.Title += text
	case h.skip == 0:
		h.line.WriteString(text)
	}
}

func (h *page) start() {
	token := h.tokens.Token()
	h.about(token)
	switch {
	case h.skip > 0:
		if token.DataAtom == h.hide && token.Type == html.StartTagToken {
			h.skip++
		}
		h.inTitle = token.DataAtom == atom.Title && h.hide == atom.Head
		if token.DataAtom == atom.Body {
			h.skip = 0
		}
	case token.DataAtom == atom.Title && h.front.Title == "":
		h.inTitle = true
	case hides(token) && token.Type == html.StartTagToken && !void[token.DataAtom]:
		h.endBlock()
		h.hide, h.skip = token.DataAtom, 1
	case token.DataAtom == atom.Br:
		h.line.WriteByte('\n')
	case token.DataAtom == atom.Tr:
		h.endBlock()
		h.endRow()
		h.cells, h.heads = []string{}, false
	case !inlineElements[token.DataAtom] && token.DataAtom != 0:
		h.endBlock()
		h.prefix = prefixOf(token.DataAtom)
		h.heads = h.heads || token.DataAtom == atom.Th && len(h.cells) > 0
	}
}

// hides reports whether the text of an element is not shown, or is none of the page's own.
func hides(token html.Token) bool {
	if hidden[token.DataAtom] {
		return true
	}
	for _, a := range token.Attr {
		if a.Key == "hidden" || a.Key == "aria-hidden" && a.Val == "true" || a.Key == "role" && a.Val == "navigation" {
			return token.DataAtom != 0
		}
	}
	return false
}

func prefixOf(a atom.Atom) string {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return strings.Repeat("#", int(a.String()[1]-'0')) + " "
	case atom.Li:
		return "- "
	default:
		return ""
	}
}

func (h *page) end(a atom.Atom) {
	switch {
	case a == atom.Title:
		h.inTitle = false
	case h.skip > 0:
		if a == h.hide {
			h.skip--
		}
	case a == atom.Tr:
		h.endBlock()
		h.endRow()
	case a == atom.Table:
		h.endBlock()
		h.endRow()
		h.out.WriteString("\n")
	case !inlineElements[a] && a != 0:
		h.endBlock()
	}
}

// endRow writes the row that was read, and the line that says that it is a heading.
func (h *page) endRow() {
	if row := strings.Join(h.cells, " | "); strings.Trim(row, " |") != "" {
		h.out.WriteString("| " + row + " |\n")
		if h.heads {
			h.out.WriteString(strings.Repeat("|---", len(h.cells)) + "|\n")
		}
	}
	h.cells = nil
}

// endBlock writes the block that was read.
func (h *page) endBlock() {
	text := strings.Join(strings.Fields(strings.Map(dropControl, h.line.String())), " ")
	h.line.Reset()
	prefix := h.prefix
	h.prefix = ""
	switch {
	case text == "":
	case h.cells != nil:
		h.cells = append(h.cells, strings.ReplaceAll(paragraph(text), "\n", " "))
	case prefix != "":
		h.out.WriteString(prefix + strings.TrimSpace(strings.ReplaceAll(paragraph(text), "\n", " ")) + "\n")
	default:
		h.out.WriteString("\n" + paragraph(text) + "\n")
	}
}

// about notes what an element says about the page.
func (h *page) about(token html.Token) {
	attr := map[string]string{}
	for _, a := range token.Attr {
		attr[a.Key] = a.Val
	}
	switch token.DataAtom {
	case atom.Html:
		if lang, _, _ := strings.Cut(strings.ToLower(attr["lang"]), "-"); lang == "ja" || lang == "en" {
			h.front.Lang = lang
		}
	case atom.Meta:
		for key, into := range h.front.fields() {
			if strings.EqualFold(attr["name"], key) && attr["content"] != "" {
				*into = attr["content"]
			}
		}
	case atom.Link:
		if strings.EqualFold(attr["rel"], "canonical") && h.front.Source == "" {
			h.front.Source = attr["href"]
		}
	default:
	}
}

// endsWide and beginsWide report whether a text has a character at that end which is written without spaces around it.
func endsWide(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return text.IsWide(r)
}

func beginsWide(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return text.IsWide(r)
}
