package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"annai/api"
	"annai/venue"
)

func TestAppearance(t *testing.T) {
	picture, model := []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), []byte("glTF and more")
	f := setup{more: func(p *Parts) {
		v := *p.Venue
		v.Files = fstest.MapFS{"crest.svg": {Data: picture}, "guide.vrm": {Data: model}}
		v.Appearance = venue.Appearance{Color: "#7a1f3d", Crest: "crest.svg", Avatar: "guide.vrm"}
		p.Venue = &v
	}}.fixture(t)
	got := decode[api.VenueResponse](t, f.do(t, "GET", "/venue", "")).Appearance
	want := api.VenueAppearance{Color: "#7a1f3d", CrestURL: got.CrestURL, AvatarURL: got.AvatarURL}
	if diff := cmp.Diff(want, got); diff != "" || got.CrestURL == "" || got.AvatarURL == "" {
		t.Fatalf("appearance %+v (-want +got):\n%s", got, diff)
	}
	for url, file := range map[string]struct {
		kind string
		data []byte
	}{got.CrestURL: {"image/svg+xml", picture}, got.AvatarURL: {"model/gltf-binary", model}} {
		w := f.do(t, "GET", url, "")
		kind, body := w.Header().Get("Content-Type"), w.Body.String()
		if w.Code != http.StatusOK || kind != file.kind || body != string(file.data) {
			t.Errorf("GET %s = %d %s %q, want 200 %s %q", url, w.Code, kind, body, file.kind, file.data)
		}
		if w.Header().Get("Content-Security-Policy") != stillImage {
			t.Errorf("GET %s: an SVG that is opened by itself may do anything", url)
		}
		checkEnvelope(t, f.do(t, "GET", url+"x", ""), http.StatusNotFound, api.CodeNotFound)
	}
}

func TestPackedFile(t *testing.T) {
	script := strings.Repeat("const three = 3;\n", 200)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, script); err != nil || w.Close() != nil {
		t.Fatal("cannot pack")
	}
	f := setup{more: func(p *Parts) {
		p.Kiosk = fstest.MapFS{
			"index.html":                  {Data: []byte("<p>")},
			"assets/three-12345678.js.gz": {Data: packed.Bytes()},
		}
	}}.fixture(t)
	const url = "/kiosk/assets/three-12345678.js"
	plain, small := f.do(t, "GET", url, ""), f.do(t, "GET", url, "", "Accept-Encoding", "gzip")
	kind := plain.Header().Get("Content-Type")
	if plain.Body.String() != script || kind != "text/javascript; charset=utf-8" {
		t.Errorf("GET %s = %s, %d bytes, want the script unpacked", url, kind, plain.Body.Len())
	}
	encoding := small.Header().Get("Content-Encoding")
	if encoding != "gzip" || !bytes.Equal(small.Body.Bytes(), packed.Bytes()) {
		t.Errorf("GET %s, taking gzip = %q, %d bytes, want what is stored", url, encoding, small.Body.Len())
	}
	checkEnvelope(t, f.do(t, "GET", url+".gz", ""), http.StatusNotFound, api.CodeNotFound)
}
