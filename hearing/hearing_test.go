package hearing_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"annai/fault"
	"annai/hearing"
)

// wav is a file of 16 bits, 8,000 a second, of a tone as loud as loud.
func wav(length time.Duration, loud float64) []byte {
	n := int(length.Seconds() * 8000)
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("RIFF"), uint32(36+2*n))
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint32(le.AppendUint16(le.AppendUint16(b, 1), 1), 8000)
	b = le.AppendUint16(le.AppendUint16(le.AppendUint32(b, 16000), 2), 16)
	b = le.AppendUint32(append(b, "data"...), uint32(2*n))
	for i := range n {
		b = le.AppendUint16(b, uint16(int16(loud*math.Sin(float64(i)/3)*(1<<15-1))))
	}
	return b
}

// A recogniser is a function that hears.
type recogniser func(ctx context.Context, s hearing.Speech) (string, error)

func (r recogniser) Hear(ctx context.Context, s hearing.Speech) (string, error) { return r(ctx, s) }

func TestHear(t *testing.T) {
	var got hearing.Speech
	hears := ""
	l := hearing.New(recogniser(func(_ context.Context, s hearing.Speech) (string, error) {
		got = s
		return hears, nil
	}), hearing.Options{
		Words: func(_ context.Context, language string) string { return "words of " + language },
		Mend:  func(text string) string { return strings.ReplaceAll(text, "中車場", "駐車場") },
	})
	tone := wav(time.Second, 0.3)
	for _, c := range []struct {
		file        []byte
		heard, want string
	}{
		{tone, " 中車場は\nどこ ", "駐車場は どこ"},
		{tone, "ご視聴ありがとうございました。", ""},
		{tone, "Thanks for watching!", ""},
		{tone, "[BLANK_AUDIO]", ""},
		{tone, "(音楽)", ""},
		{tone, "。", ""},
		{tone, "ありがとうございました", "ありがとうございました"},
		{tone, "Thank you.", "Thank you."},
		{wav(time.Second, 0.0005), "words in silence", ""},
		{wav(time.Second, 0.004), "spoken low", "spoken low"},
		{[]byte("webm"), "in a format that is not read here", "in a format that is not read here"},
	} {
		hears = c.heard
		text, err := l.Hear(t.Context(), hearing.Speech{File: c.file, Language: "ja", Prompt: "more"})
		if err != nil || text != c.want {
			t.Errorf("Hear(%q) = %q, %v, want %q", c.heard, text, err, c.want)
		}
	}
	if got.Prompt != "words of ja more" {
		t.Errorf("the prompt is %q", got.Prompt)
	}
	long := wav(61*time.Second, 0.3)
	for name, file := range map[string][]byte{"nothing": nil, "a speech of a minute and more": long} {
		if _, err := l.Hear(t.Context(), hearing.Speech{File: file}); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Hear(%s) = %v, want ErrInvalid", name, err)
		}
	}
}

// TestHearBounds has a recogniser be slow: so many are waited for, and not for ever.
func TestHearBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := hearing.New(recogniser(func(ctx context.Context, _ hearing.Speech) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}), hearing.Options{MaxConcurrent: 1, Deadline: 5 * time.Second})
		speech := hearing.Speech{File: wav(time.Second, 0.3)}
		began := time.Now()
		first := make(chan error)
		go func() {
			_, err := l.Hear(t.Context(), speech)
			first <- err
		}()
		synctest.Wait()
		if _, err := l.Hear(t.Context(), speech); !errors.Is(err, hearing.ErrBusy) {
			t.Errorf("Hear(a second speech) = %v, want ErrBusy", err)
		}
		if err := <-first; !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 5*time.Second {
			t.Errorf("Hear = %v after %v", err, time.Since(began))
		}
	})
}

func TestLength(t *testing.T) {
	cut := wav(2*time.Second, 0.3)[:16044] // as a program leaves it that was stopped
	for _, c := range []struct {
		name  string
		file  []byte
		want  time.Duration
		known bool
	}{
		{"a second", wav(time.Second, 0.3), time.Second, true},
		{"a file that was cut off", cut, time.Second, true},
		{"a head", wav(time.Second, 0.3)[:30], 0, false},
		{"another format", []byte("OggS................"), 0, false},
		{"nothing", nil, 0, false},
	} {
		if got, known := hearing.Length(c.file); got != c.want || known != c.known {
			t.Errorf("Length(%s) = %v, %v, want %v, %v", c.name, got, known, c.want, c.known)
		}
	}
}

func FuzzLength(f *testing.F) {
	f.Add(wav(20*time.Millisecond, 0.3))
	f.Fuzz(func(t *testing.T, file []byte) {
		if length, _ := hearing.Length(file); length < 0 {
			t.Errorf("Length = %v", length)
		}
	})
}
