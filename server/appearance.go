package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"time"

	"github.com/gin-gonic/gin"

	"annai/api"
	"annai/fault"
	"annai/venue"
)

// look is where the files of a venue's own kiosk are. Their addresses change with their contents, so
// that browsers may keep them, and a kiosk has its figure also while the server is away.
type look struct {
	crest, avatar venueFile
}

// A venueFile is a file of the venue as it is served. Its zero value is none.
type venueFile struct {
	path, mediaType string
	// name is the last part of its address.
	name string
}

// newLook reads the files of a venue once. One that can't be read is left out: the kiosk has ours then.
func newLook(v *venue.Venue) look {
	crest, kind := v.Appearance.CrestFile()
	return look{
		crest:  newVenueFile(v.Files, crest, kind),
		avatar: newVenueFile(v.Files, v.Appearance.Avatar, "model/gltf-binary"),
	}
}

func newVenueFile(files fs.FS, name, mediaType string) venueFile {
	if name == "" || files == nil {
		return venueFile{}
	}
	file, err := files.Open(name)
	if err != nil {
		return venueFile{}
	}
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	if errors.Join(err, file.Close()) != nil {
		return venueFile{}
	}
	served := hex.EncodeToString(sum.Sum(nil)[:12]) + path.Ext(name)
	return venueFile{path: name, mediaType: mediaType, name: served}
}

// appearance is what the kiosk is told.
func (l look) appearance(v *venue.Venue) api.VenueAppearance {
	a := v.Appearance
	told := api.VenueAppearance{Color: a.Color, Coat: a.Coat, Tie: a.Tie, Glow: a.Glow}
	if crest, _ := a.CrestFile(); crest == "" {
		told.Crest = a.Crest
	}
	if l.crest.name != "" {
		told.CrestURL = "/venue/crest/" + l.crest.name
	}
	if l.avatar.name != "" {
		told.AvatarURL = "/venue/avatar/" + l.avatar.name
	}
	return told
}

// crest is GET /venue/crest/{name}, a picture that a page shows without a key.
func (s *Server) crest(c *gin.Context) error { return s.look.crest.send(c, s.parts.Venue.Files) }

// avatar is GET /venue/avatar/{name}.
func (s *Server) avatar(c *gin.Context) error { return s.look.avatar.send(c, s.parts.Venue.Files) }

func (f venueFile) send(c *gin.Context, files fs.FS) (err error) {
	if f.name == "" || c.Param("name") != f.name {
		return fmt.Errorf("file of the venue: %w", fault.ErrNotFound)
	}
	file, err := files.Open(f.path)
	if err != nil {
		return fmt.Errorf("open %s: %w: %w", f.path, err, fault.ErrUnavailable)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	content, ok := file.(io.ReadSeeker)
	if !ok {
		return fmt.Errorf("%s can't be read from the middle: %w", f.path, fault.ErrUnavailable)
	}
	h := c.Writer.Header()
	h.Set("Content-Type", f.mediaType)
	h.Set("Content-Security-Policy", stillImage)
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, content)
	return nil
}
