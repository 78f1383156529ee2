package webpage

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"annai/internal/charset"
)

// A page is what was read of one. Texts are lines already, addresses are whole.
type page struct {
	base *url.URL // of the addresses in it
	at   string
	// title and heading are of the elements title and h1, meta the first of each meta element, by
	// its name.
	title, heading string
	meta           map[string]string
	graph          map[string]any // Open Graph, without "og:"
	canonical      string
	picture        string
	language       string
	oEmbed         string
	event          *Event

	scripts int // of JSON-LD
	svg     int // how deep
}

// maxScripts is how many scripts of JSON-LD are read.
const maxScripts = 20

// parse reads a page that came from an address. It reads tokens, not a tree, so that no depth of
// elements costs anything.
func parse(data []byte, contentType string, from *url.URL) *page {
	p := &page{base: from, at: from.String(), meta: map[string]string{}, graph: map[string]any{}}
	tokens := html.NewTokenizer(strings.NewReader(charset.Text(data, contentType, true)))
	tokens.SetMaxBuf(maxPage)
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
			p.open(tokens)
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == "svg" {
				p.svg--
			}
		case html.TextToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

// open reads an element from its start tag on.
func (p *page) open(tokens *html.Tokenizer) {
	token := tokens.Token()
	of := attributes(token)
	switch token.DataAtom {
	case atom.Html:
		p.setLanguage(of["lang"])
	case atom.Base:
		if base := link(p.base, of["href"]); base != "" {
			p.base, _ = url.Parse(base)
		}
	case atom.Meta:
		p.addMeta(of)
	case atom.Link:
		p.addLink(of)
	case atom.Svg:
		if token.Type == html.StartTagToken {
			p.svg++
		}
	case atom.Title:
		if p.title == "" && p.svg <= 0 {
			p.title = line(inside(tokens, "title", maxPage), maxTitle)
		}
	case atom.H1:
		if p.heading == "" {
			p.heading = line(inside(tokens, "h1", maxHeading), maxTitle)
		}
	case atom.Script:
		kind, _, _ := strings.Cut(strings.ToLower(of["type"]), ";")
		if strings.TrimSpace(kind) == "application/ld+json" && p.scripts < maxScripts {
			p.scripts++
			p.addLinked(inside(tokens, "script", maxPage))
		}
	default:
	}
}

// attributes are those of a tag, the first of each name.
func attributes(token html.Token) map[string]string {
	of := make(map[string]string, len(token.Attr))
	for _, a := range token.Attr {
		if _, ok := of[a.Key]; !ok {
			of[a.Key] = a.Val
		}
	}
	return of
}

// maxHeading is how many bytes of a heading are read, since some have no end.
const maxHeading = 4 << 10

// inside is the text until the end of an element, or until it is as long as the limit.
func inside(tokens *html.Tokenizer, name string, limit int) string {
	var b strings.Builder
	for b.Len() < limit {
		switch tokens.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(tokens.Text())
		case html.EndTagToken:
			if end, _ := tokens.TagName(); string(end) == name {
				return b.String()
			}
			b.WriteByte(' ')
		case html.StartTagToken, html.SelfClosingTagToken:
			b.WriteByte(' ')
		case html.CommentToken, html.DoctypeToken:
		}
	}
	return b.String()
}

func (p *page) setLanguage(s string) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	odd := func(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') }
	if len(s) >= 2 && len(s) <= 35 && !strings.ContainsFunc(s, odd) {
		set(&p.language, s)
	}
}

func (p *page) addMeta(of map[string]string) {
	name := strings.ToLower(strings.TrimSpace(of["property"]))
	if name == "" {
		name = strings.ToLower(strings.TrimSpace(of["name"]))
	}
	value := line(of["content"], maxAddress)
	if name == "" || value == "" {
		return
	}
	if _, ok := p.meta[name]; !ok && len(p.meta) < maxValues {
		p.meta[name] = value
	}
	if key, ok := strings.CutPrefix(name, "og:"); ok {
		p.addGraph(line(key, maxTitle), line(value, maxValue))
	}
}

// addGraph adds a property of Open Graph; one that comes again makes a list.
func (p *page) addGraph(key, value string) {
	if len(p.graph) >= maxValues && p.graph[key] == nil {
		return
	}
	switch before := p.graph[key].(type) {
	case nil:
		p.graph[key] = value
	case string:
		if before != value {
			p.graph[key] = []any{before, value}
		}
	case []any:
		if len(before) < 10 && !slices.Contains(before, any(value)) {
			p.graph[key] = append(before, value)
		}
	}
}

func (p *page) addLink(of map[string]string) {
	relations := strings.Fields(strings.ToLower(of["rel"]))
	to := link(p.base, of["href"])
	switch {
	case to == "":
	case slices.Contains(relations, "canonical"):
		set(&p.canonical, to)
	case slices.Contains(relations, "image_src"):
		set(&p.picture, to)
	case slices.Contains(relations, "alternate") && strings.EqualFold(strings.TrimSpace(of["type"]),
		"application/json+oembed"):
		set(&p.oEmbed, to)
	}
}

// tell fills in what the page says of itself: in Open Graph before Twitter's cards, JSON-LD and its
// elements.
func (p *page) tell(out *Expansion) {
	m := p.meta
	out.URL, out.Event = p.at, p.event
	if len(p.graph) > 0 {
		out.OpenGraph = p.graph
	}
	for _, title := range []string{m["og:title"], m["twitter:title"], p.title, p.heading} {
		set(&out.Title, line(title, maxTitle))
	}
	if p.event != nil {
		set(&out.Title, p.event.Name)
	}
	for _, description := range []string{m["og:description"], m["twitter:description"], m["description"]} {
		set(&out.Description, line(description, maxDescription))
	}
	for _, name := range []string{
		"og:image:secure_url", "og:image", "og:image:url", "twitter:image",
		"twitter:image:src",
	} {
		set(&out.ImageURL, link(p.base, m[name]))
	}
	set(&out.ImageURL, p.picture)
	for _, name := range []string{m["og:site_name"], m["application-name"]} {
		set(&out.SiteName, line(name, maxTitle))
	}
	set(&out.CanonicalURL, p.canonical)
	set(&out.CanonicalURL, link(p.base, m["og:url"]))
	p.setLanguage(m["og:locale"])
	out.Language = p.language
}
