package poster

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image/png"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"annai/fault"
	"annai/tools"
	"annai/tools/media"
)

func newRegistry(t *testing.T) (*tools.Registry, *media.Files) {
	t.Helper()
	now := func() time.Time { return at(1, 14, 12, 0) }
	files, err := media.OpenFiles(t.Context(), "", now, media.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := tools.New(now, tools.Options{})
	opts := Options{Venue: map[string]string{"ja": "エンジニアカフェ", "en": "Engineer Cafe"}, Location: tokyo}
	if err := Register(r, files, opts); err != nil {
		t.Fatal(err)
	}
	return r, files
}

var visitor = tools.Caller{Role: tools.Visitor, Language: "ja"}

func TestTool(t *testing.T) {
	r, files := newRegistry(t)
	for _, test := range []struct {
		in            string
		kind          media.Kind
		width, height int
	}{
		{`{"eventTitle":"もくもく会"}`, media.PNG, 1080, 1920},
		{`{"eventTitle":"Mokumoku","style":"vibrant","dimensions":{"width":400,"height":300},
			"eventStart":"2026-01-14T19:00:00+09:00","eventEnd":"2026-01-14T21:00:00+09:00","place":"1F",
			"url":"https://example.com/","language":"en","includeBytes":true}`, media.PNG, 400, 300},
		{`{"eventTitle":"展示","eventStart":"2026-03-20","eventEnd":"2026-03-22","format":"svg"}`, media.SVG, 1080, 1920},
	} {
		raw, err := r.Call(t.Context(), visitor, "imagen.generate_poster", json.RawMessage(test.in))
		if err != nil {
			t.Errorf("Call(%s) = %v", test.in, err)
			continue
		}
		var out output
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
		got, want := []any{out.MediaType, out.Width, out.Height}, []any{string(test.kind), test.width, test.height}
		if diff := cmp.Diff(want, got); diff != "" || !out.ExpiresAt.Equal(at(1, 15, 12, 0)) {
			t.Errorf("Call(%s) expires at %v, want a day (-want +got):\n%s", test.in, out.ExpiresAt, diff)
		}
		u, err := url.Parse(out.ImageURL)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		file, err := files.Open(strings.TrimPrefix(u.Path, "/media/"), q.Get("expires"), q.Get("signature"))
		if err != nil {
			t.Errorf("Open(%s) = %v", out.ImageURL, err)
			continue
		}
		data, err := io.ReadAll(file)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		if out.ImageBytes != "" && out.ImageBytes != base64.StdEncoding.EncodeToString(data) ||
			(out.ImageBytes == "") == strings.Contains(test.in, "includeBytes") {
			t.Errorf("Call(%s) has %d imageBytes, want the file only if asked for", test.in, len(out.ImageBytes))
		}
		if test.kind == media.PNG {
			picture, err := png.Decode(bytes.NewReader(data))
			if err != nil || picture.Bounds().Dx() != test.width || picture.Bounds().Dy() != test.height {
				t.Errorf("picture of %s: %v, %v", test.in, err, picture.Bounds())
			}
		} else if !bytes.HasPrefix(data, []byte("<svg ")) {
			t.Errorf("picture of %s = %.40s, want an SVG", test.in, data)
		}
	}
}

func TestRefusals(t *testing.T) {
	r, _ := newRegistry(t)
	for in, want := range map[string]string{
		`{"eventTitle":" \n"}`:                                                                "題名",
		`{"eventTitle":"\ud83c\udf89"}`:                                                       "題名",
		`{"eventTitle":"` + strings.Repeat("長", 161) + `"}`:                                   "160文字",
		`{"eventTitle":"a","eventStart":"tomorrow"}`:                                          "2026-01-16T",
		`{"eventTitle":"a","eventEnd":"2026-01-16"}`:                                          "2026-01-16T",
		`{"eventTitle":"a","eventStart":"2026-01-16","eventEnd":"2026-01-16T19:00:00+09:00"}`: "そろって",
		`{"eventTitle":"a","eventStart":"2026-01-16","eventEnd":"2026-01-15"}`:                "開始より前",
		`{"eventTitle":"a","url":"javascript:alert(1)"}`:                                      "https://",
		`{"eventTitle":"a","dimensions":{"width":4096,"height":4096}}`:                        "900万画素",
		`{"eventTitle":"a","dimensions":{"width":10,"height":10}}`:                            "width",
		`{"eventTitle":"a","style":"baroque"}`:                                                "style",
	} {
		_, err := r.Call(t.Context(), visitor, name, json.RawMessage(in))
		if !errors.Is(err, fault.ErrInvalid) || !strings.Contains(tools.Message(err, "ja"), want) {
			t.Errorf("Call(%.90s) = %v, said %q, want ErrInvalid and %q", in, err, tools.Message(err, "ja"), want)
		}
		if english := tools.Message(err, "en"); english == "" || strings.ContainsAny(english, "、。") {
			t.Errorf("Call(%.90s): in English %q", in, english)
		}
	}
}
