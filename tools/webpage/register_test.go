package webpage_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"annai/fault"
	"annai/tools"
	"annai/tools/webpage"
)

const notShownJA, notShownEN = "このページを表示できませんでした。", "The page could not be shown."

// A page that can't be read is answered with its address and the reason, in both languages, and
// tried again only where that may help.
func TestDegraded(t *testing.T) {
	w := newWeb(t)
	w.pages["a.example/robots.txt"] = "User-agent: annai\nDisallow: /no"
	w.pages["a.example/picture"] = "\x89PNG\r\n\x1a\n"
	w.status["a.example/broken"], w.status["a.example/mine"] = 500, 403
	var log strings.Builder
	r := tools.New(time.Now, tools.Options{Backoff: time.Nanosecond, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err := webpage.Register(r, w.reader()); err != nil {
		t.Fatal(err)
	}
	for page, want := range map[string]struct {
		reason webpage.Reason
		tries  int
		ja, en string
	}{
		"a.example/no": {
			webpage.Robots, 0, "このサイトは、プログラムによる読み取りを受け付けていません。",
			"This site asks programs not to read the page.",
		},
		"a.example/picture": {
			webpage.Type, 1, "このアドレスは、ウェブページではありません。",
			"There is something other than a web page at this address.",
		},
		"a.example/gone": {
			webpage.Status, 1, "このアドレスのページは見つかりませんでした。", "There is no page at this address.",
		},
		"a.example/mine":   {webpage.Status, 1, notShownJA, notShownEN},
		"a.example/broken": {webpage.Status, 2, notShownJA, notShownEN},
	} {
		for lang, said := range map[string]string{"ja": want.ja, "en": want.en} {
			w.asked = nil
			out, err := r.Call(t.Context(), tools.Caller{Role: tools.Visitor, Language: lang}, "url_expand",
				input(w.at(page)))
			if err != nil {
				t.Errorf("url_expand of %s = %v, want an answer", page, err)
				continue
			}
			var got webpage.Expansion
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			exactly := webpage.Expansion{
				URL: w.at(page), Backend: "embedded", Degraded: true,
				Reason: want.reason, Error: said,
			}
			if got.URL != exactly.URL || !got.Degraded || got.Reason != exactly.Reason || got.Error != said ||
				got.Title != "" {
				t.Errorf("url_expand of %s = %s, want %+v", page, out, exactly)
			}
			if n := strings.Count(strings.Join(w.asked, " "), page); n != want.tries {
				t.Errorf("%s was asked for %d times, want %d", page, n, want.tries)
			}
		}
	}
	if strings.Contains(log.String(), "a.example") {
		t.Errorf("the log names an address that a visitor gave:\n%s", log.String())
	}
}

func input(address string) json.RawMessage {
	data, _ := json.Marshal(webpage.Request{URL: address})
	return data
}

func TestNoAddress(t *testing.T) {
	r := tools.New(time.Now, tools.Options{})
	if err := webpage.Register(r, newWeb(t).reader()); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"", "hello", "javascript:alert(1)", "ftp://a.example/",
		"http://user:word@a.example/", "/path", "http://127.1/",
	} {
		_, err := r.Call(t.Context(), tools.Caller{Role: tools.Visitor, Language: "en"}, "url_expand", input(address))
		if want := "Please give the address of a page"; !errors.Is(err, fault.ErrInvalid) ||
			!strings.HasPrefix(tools.Message(err, "en"), want) {
			t.Errorf("url_expand of %q = %v, want ErrInvalid and %q", address, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for page := range strings.SplitSeq(file(f, "sources.txt"), "\n\n") {
		f.Add([]byte(page), "text/html")
	}
	f.Add([]byte("<html lang=ja><meta charset=shift_jis><title>\x82\xa0</title>"), "text/html")
	f.Add([]byte(`<script type=application/ld+json>[{"@type":"Event","name":["a"],"location":[[],{}]}]</script>`), "")
	f.Add([]byte(`<base href="//x"><link rel="canonical" href="javascript:x"><svg></svg></svg><h1><h1>`), "")
	f.Add([]byte("<title>\x1b$B\x00\u202e</title><h1>"), "text/html; charset=iso-2022-jp")
	from, err := url.Parse("https://a.example/b")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, contentType string) {
		got := webpage.Parse(data, contentType, from)
		texts := []string{got.Title, got.Description, got.SiteName, got.Language}
		if got.Event != nil {
			texts = append(texts, got.Event.Name, got.Event.StartDate, got.Event.EndDate)
		}
		for key, value := range got.OpenGraph {
			texts = append(texts, key)
			if s, ok := value.(string); ok {
				texts = append(texts, s)
			}
		}
		for _, s := range texts {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) ||
				utf8.RuneCountInString(s) > 1001 {
				t.Errorf("text %q is no bounded line", s)
			}
		}
		for _, address := range []string{got.ImageURL, got.CanonicalURL} {
			if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme != "http" &&
				u.Scheme != "https" || u.User != nil) {
				t.Errorf("address %q can't be followed", address)
			}
		}
	})
}
