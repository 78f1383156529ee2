package mp4_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/media/h264"
	"annai/tools/media/mp4"

	"github.com/google/go-cmp/cmp"
)

// film returns a file of three seconds: two slides and the change between them.
func film(t *testing.T, width, height int) []byte {
	t.Helper()
	const rate = 25
	encoder, err := h264.New(width, height, rate)
	if err != nil {
		t.Fatal(err)
	}
	video := mp4.Video{Width: width, Height: height, Rate: rate}
	video.Sequence, video.Picture = encoder.Parameters()
	for _, c := range []color.RGBA{{11, 110, 105, 255}, {255, 236, 189, 255}, {107, 70, 48, 255}} {
		picture := image.NewRGBA(image.Rect(0, 0, width, height))
		for i := range picture.Pix {
			picture.Pix[i] = [4]uint8{c.R, c.G, c.B, c.A}[i%4]
		}
		coded := h264.Convert(picture)
		video.Samples = append(video.Samples, mp4.Sample{Unit: encoder.Key(coded, 20), Key: true})
		video.Samples = append(video.Samples, mp4.Sample{Unit: encoder.Next(coded, 20)})
		for range rate - 2 {
			video.Samples = append(video.Samples, mp4.Sample{Unit: encoder.Repeat()})
		}
	}
	file, err := video.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// need skips the test without a program, or fails it where skips are forbidden.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	if os.Getenv("ANNAI_TEST_NOSKIP") == "1" {
		t.Fatalf("cannot run without %s; run scripts/setup", program)
	}
	t.Skipf("SKIPPED, NOT TESTED: cannot run without %s", program)
}

func TestProbe(t *testing.T) {
	need(t, "ffprobe")
	name := filepath.Join(t.TempDir(), "film.mp4")
	if err := os.WriteFile(name, film(t, 1080, 1920), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "ffprobe", "-v", "warning", "-count_frames",
		"-show_streams", "-show_format", "-of", "json", name)
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil || words.Len() > 0 {
		t.Fatalf("ffprobe = %v, and says:\n%s", err, &words)
	}
	var got struct {
		Streams []map[string]any
		Format  map[string]any
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Streams) != 1 {
		t.Fatalf("%d streams, want 1", len(got.Streams))
	}
	stream := got.Streams[0]
	want := map[string]any{
		"codec_name": "h264", "profile": "Constrained Baseline", "level": 40.0,
		"is_avc": "true", "nal_length_size": "4",
		"width": 1080.0, "height": 1920.0, "sample_aspect_ratio": "1:1",
		"pix_fmt": "yuv420p", "chroma_location": "center",
		"color_range": "tv", "color_space": "bt709", "color_transfer": "bt709", "color_primaries": "bt709",
		"r_frame_rate": "25/1", "avg_frame_rate": "25/1", "duration": "3.000000",
		"nb_frames": "75", "nb_read_frames": "75", "has_b_frames": 0.0,
	}
	seen := map[string]any{}
	for name := range want {
		seen[name] = stream[name]
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("ffprobe (-want +got):\n%s", diff)
	}
	if got.Format["duration"] != "3.000000" {
		t.Errorf("the file lasts %v, want 3 s", got.Format["duration"])
	}
}

func TestIndexComesFirst(t *testing.T) {
	file := film(t, 64, 64)
	var boxes []string
	for rest := file; len(rest) > 0; {
		size := int(rest[0])<<24 | int(rest[1])<<16 | int(rest[2])<<8 | int(rest[3])
		boxes = append(boxes, string(rest[4:8]))
		rest = rest[size:]
	}
	if got := strings.Join(boxes, " "); got != "ftyp moov mdat" {
		t.Errorf("boxes are %s, want ftyp moov mdat", got)
	}
}

func TestEncodeRefuses(t *testing.T) {
	whole := mp4.Video{
		Rate: 25, Sequence: []byte{0x67, 66, 0xc0, 40}, Picture: []byte{0x68},
		Samples: []mp4.Sample{{Unit: []byte{0x65}}},
	}
	if _, err := whole.Encode(); err != nil {
		t.Fatalf("Encode = %v, want a file", err)
	}
	for name, change := range map[string]func(*mp4.Video){
		"no pictures":     func(v *mp4.Video) { v.Samples = nil },
		"no rate":         func(v *mp4.Video) { v.Rate = 0 },
		"no sequence set": func(v *mp4.Video) { v.Sequence = nil },
		"no picture set":  func(v *mp4.Video) { v.Picture = nil },
		"more than 1 GiB": func(v *mp4.Video) {
			v.Samples = slices.Repeat([]mp4.Sample{{Unit: make([]byte, 1<<20)}}, 1<<10)
		},
		"a sequence cut":   func(v *mp4.Video) { v.Sequence = v.Sequence[:3] },
		"a negative speed": func(v *mp4.Video) { v.Rate = -1 },
	} {
		broken := whole
		change(&broken)
		if _, err := broken.Encode(); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("%s: Encode = %v, want ErrInvalid", name, err)
		}
	}
}

// page plays the film to its end and tells the test what it saw.
const page = `<!doctype html><video id="v" muted playsinline src="/film.mp4"></video><script>
const tell = (what) => fetch("/told", { method: "POST", body: JSON.stringify(what) });
v.onerror = () => tell({ error: v.error.code + " " + v.error.message });
v.onended = () => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d");
  context.drawImage(v, 0, 0, 1, 1);
  tell({
    width: v.videoWidth, height: v.videoHeight, duration: v.duration, at: v.currentTime,
    colour: [...context.getImageData(0, 0, 1, 1).data],
  });
};
v.play().catch((error) => tell({ error: String(error) }));
</script>`

func TestChromiumPlaysIt(t *testing.T) {
	need(t, "chromium")
	file := film(t, 1080, 1920)
	told := make(chan []byte, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	})
	mux.HandleFunc("GET /film.mp4", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "film.mp4", time.Time{}, bytes.NewReader(file))
	})
	mux.HandleFunc("POST /told", func(_ http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		told <- body.Bytes()
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	cmd := exec.CommandContext(t.Context(), "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--autoplay-policy=no-user-gesture-required",
		"--user-data-dir="+profile(t), "--remote-debugging-port=0", server.URL)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	var got struct {
		Error         string
		Width, Height int
		Duration, At  float64
		Colour        []int
	}
	select {
	case body := <-told:
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("the page said %s: %v", body, err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the page said nothing in two minutes")
	}
	if got.Error != "" || got.Width != 1080 || got.Height != 1920 || got.Duration != 3 || got.At != 3 {
		t.Errorf("Chromium saw %+v, want 1080 x 1920 for 3 s, to the end", got)
	}
	for i, want := range []int{107, 70, 48} {
		if len(got.Colour) != 4 || got.Colour[i] < want-4 || got.Colour[i] > want+4 {
			t.Errorf("the last picture has the colour %v, want about [107 70 48]", got.Colour)
			break
		}
	}
}

// profile is a folder for what Chromium keeps, whose children write there a moment longer than it lives.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "chromium") //nolint:usetesting // what is left there for a moment is no failure
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}
