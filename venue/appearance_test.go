package venue_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"testing/fstest"

	"annai/venue"
)

// glb is binary glTF with a description and nothing else.
func glb(description string) []byte {
	b := []byte("glTF")
	for _, n := range []int{2, 20 + len(description), len(description), 0x4e4f534a} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n)) //nolint:gosec // small
	}
	return append(b, description...)
}

func openWith(appearance string) (*venue.Venue, error) {
	const (
		free  = `"avatarPermission":"everyone","commercialUsage":"corporation"`
		bound = `"avatarPermission":"onlyAuthor","commercialUsage":"personalProfit"`
	)
	files := fstest.MapFS{
		"venue.yaml":  {Data: []byte("name: Library\nappearance:\n" + appearance)},
		"crest.svg":   {Data: []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")},
		"large.png":   {Data: make([]byte, 300<<10)},
		"one.vrm":     {Data: glb(`{"extensions":{"VRMC_vrm":{"meta":{` + free + `}}}}`)},
		"own.vrm":     {Data: glb(`{"extensions":{"VRMC_vrm":{"meta":{` + bound + `}}}}`)},
		"old.vrm":     {Data: glb(`{"extensions":{"VRM":{"meta":{"allowedUserName":"OnlyAuthor"}}}}`)},
		"model.vrm":   {Data: glb(`{"asset":{"version":"2.0"}}`)},
		"cut.vrm":     {Data: glb(`{"asset":{}}`)[:24]},
		"picture.vrm": {Data: []byte("\x89PNG\r\n\x1a\n and so on for some bytes")},
	}
	return venue.Parse(files, "venue.yaml")
}

func TestAppearance(t *testing.T) {
	v, err := openWith(`  color: "#7a1f3d"
  coat: '#2B2B6E'
  glow: "#ffd9a0"
  crest: 図
  avatar: one.vrm
`)
	if err != nil {
		t.Fatal(err)
	}
	want := venue.Appearance{Color: "#7a1f3d", Coat: "#2B2B6E", Glow: "#ffd9a0", Crest: "図", Avatar: "one.vrm"}
	if v.Appearance != want || len(v.Notes()) > 0 {
		t.Errorf("Appearance = %+v, notes %v, want %+v and none", v.Appearance, v.Notes(), want)
	}
	v, err = openWith("  crest: ./crest.svg\n")
	if err != nil {
		t.Fatal(err)
	}
	if name, kind := v.Appearance.CrestFile(); name != "crest.svg" || kind != "image/svg+xml" {
		t.Errorf("CrestFile() = %q, %q, want crest.svg, image/svg+xml", name, kind)
	}
}

func TestAppearanceRefused(t *testing.T) {
	for appearance, want := range map[string]string{
		`  color: "#e8a33d"`: "line 3: appearance.color: #e8a33d has a contrast of 2.2 to the white text on it; " +
			"WCAG AA wants 4.5, which #9a6c29 has",
		`  glow: "#3a2f5e"`: "appearance.glow: #3a2f5e has a contrast of 1.3 to the face on it; " +
			"WCAG AA wants 3.0, which #",
		`  color: #0b6e69`: "appearance.color: is empty; a color stands in quotes, " +
			`since # begins a comment: "#0b6e69"`,
		`  tie: red`: `appearance.tie: "red" is not a color like #0b6e69`,
		`  crest: 図書館`: `appearance.crest: "図書館" is neither one or two characters ` +
			"nor an svg, png or webp file",
		`  crest: large.png`: `appearance.crest: "large.png" is larger than 256 KiB`,
		`  crest: no.svg`:    `appearance.crest: "no.svg" does not exist`,
		`  avatar: ../x.vrm`: `appearance.avatar: "../x.vrm" is not a path in the folder of the venue file or below`,
		`  avatar: model.vrm`: `appearance.avatar: "model.vrm" is no VRM file: ` +
			"it is a glTF model without the extension VRMC_vrm",
		`  avatar: cut.vrm`:     `"cut.vrm" is no VRM file: it is cut off`,
		`  avatar: picture.vrm`: `"picture.vrm" is no VRM file: it does not begin like binary glTF 2.0`,
	} {
		if _, err := openWith(appearance + "\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error\n%v\nwant\n%s", appearance, err, want)
		}
	}
}

func TestAvatarNotes(t *testing.T) {
	for name, want := range map[string][]string{
		"own.vrm": {"own.vrm says that only its author may use it", "own.vrm says that no company may use it"},
		"old.vrm": {"old.vrm says that only its author may use it"},
	} {
		v, err := openWith("  avatar: " + name + "\n")
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Notes()) != len(want) {
			t.Fatalf("%s: notes %v, want %q", name, v.Notes(), want)
		}
		for i, note := range v.Notes() {
			if note.Says != want[i] {
				t.Errorf("%s: note %q, want %q", name, note.Says, want[i])
			}
		}
	}
}

// TestPictureHosts: hosts of pictures are names and nothing more.
func TestPictureHosts(t *testing.T) {
	const head = "name: 図書館\npictures: "
	for list, want := range map[string]string{
		"[images.library.example, .Connpass.com]": "",
		"[https://library.example]":               `pictures[0]: "https://library.example" is not a host such as`,
		"[library.example, a/b]":                  `pictures[1]: "a/b" is not a host`,
	} {
		v, err := venue.Parse(fstest.MapFS{"venue.yaml": {Data: []byte(head + list + "\n")}}, "venue.yaml")
		switch {
		case want == "" && (err != nil || v.Pictures[1] != ".connpass.com"):
			t.Errorf("%s: %v, %v", list, v, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error\n%v\nwant\n%s", list, err, want)
		}
	}
}
