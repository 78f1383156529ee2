package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"annai/fault"
)

const (
	index = "index.html"
	// worker is the script that keeps the page for when the server can't be reached. It may answer for
	// /kiosk, which is above it.
	worker = "sw.js"
	// strict is the policy of pages: everything from here, nothing inline, in nobody's frame.
	strict = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; " +
		"object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	// abilities are what pages may use of the device: the microphone, to be spoken to.
	abilities = "microphone=(self), camera=(), geolocation=(), payment=(), usb=()"
	// minCompressed is the smallest file that is worth compressing.
	minCompressed = 1 << 10
)

// hashed matches the names of files whose contents never change: the build puts a hash into them.
var hashed = regexp.MustCompile(`^assets/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$`)

// pages are the files of the kiosk, ready to be sent.
type pages struct {
	files map[string]file
	err   error
}

type file struct {
	mediaType, etag string
	plain           []byte
	// compressed is empty where that does not pay.
	compressed []byte
	forever    bool
}

// loadPages reads all files. What goes wrong is told when they are asked for: visitors' questions need no page.
func loadPages(files fs.FS) pages {
	p := pages{files: map[string]file{}}
	p.err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if packed, ok := strings.CutSuffix(name, ".gz"); ok {
			p.files[packed], err = newPackedFile(packed, text)
			return err
		}
		p.files[name], err = newFile(name, text)
		return err
	})
	if _, ok := p.files[index]; p.err == nil && !ok {
		p.err = fmt.Errorf("the kiosk has no %s", index)
	}
	return p
}

func newFile(name string, text []byte) (file, error) {
	sum := sha256.Sum256(text)
	f := file{
		mediaType: mediaType(name), etag: `W/"` + hex.EncodeToString(sum[:12]) + `"`, plain: text, forever: hashed.MatchString(name),
	}
	if len(text) < minCompressed || !compressible(f.mediaType) {
		return f, nil
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return file{}, err
	}
	if _, err := w.Write(text); err != nil {
		return file{}, err
	}
	if err := w.Close(); err != nil {
		return file{}, err
	}
	f.compressed = b.Bytes()
	return f, nil
}

// newPackedFile is [newFile] of one that is stored compressed.
func newPackedFile(name string, compressed []byte) (file, error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return file{}, fmt.Errorf("unpack %s: %w", name, err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return file{}, fmt.Errorf("unpack %s: %w", name, err)
	}
	f, err := newFile(name, text)
	f.compressed = compressed
	return f, err
}

func (p pages) health() string {
	if p.err != nil {
		return "error"
	}
	return "ok"
}

// page is GET /kiosk and what is below it.
func (s *Server) page(c *gin.Context) error {
	if s.kiosk.err != nil {
		return s.kiosk.err
	}
	name := strings.TrimPrefix(c.Param("path"), "/")
	if name == "" {
		name = index
	}
	f, ok := s.kiosk.files[name]
	if !ok {
		return fmt.Errorf("kiosk file: %w", fault.ErrNotFound)
	}
	if name == worker {
		c.Header("Service-Worker-Allowed", "/kiosk")
	}
	f.send(c)
	return nil
}

func (f file) send(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", strict)
	h.Set("Permissions-Policy", abilities)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", f.etag)
	h.Set("Cache-Control", "no-cache")
	if f.forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.Contains(c.GetHeader("If-None-Match"), f.etag) {
		c.Status(http.StatusNotModified)
		return
	}
	text := f.plain
	if f.compressed != nil && strings.Contains(c.GetHeader("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		text = f.compressed
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	c.Data(http.StatusOK, f.mediaType, text)
}

// mediaTypes are those of the files that pages are made of. The tables of the machine it runs on differ.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json; charset=utf-8", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml",
	".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
	".map": "application/json; charset=utf-8", ".wasm": "application/wasm", ".mp3": "audio/mpeg", ".ogg": "audio/ogg",
}

func mediaType(name string) string {
	extension := path.Ext(name)
	if known, ok := mediaTypes[extension]; ok {
		return known
	}
	if known := mime.TypeByExtension(extension); known != "" {
		return known
	}
	return "application/octet-stream"
}

func compressible(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.HasPrefix(mediaType, "image/svg") || strings.Contains(mediaType, "json")
}
