package mp4_test

import (
	"errors"
	"testing"
	"time"

	"annai/fault"
	"annai/tools/media/mp4"
)

func TestDuration(t *testing.T) {
	file := film(t, 64, 64)
	if got, err := mp4.Duration(file); err != nil || got != 3*time.Second {
		t.Errorf("Duration = %v, %v, want 3 s", got, err)
	}
	long := append([]byte("\x00\x00\x00\x01free\x00\x00\x00\x00\x00\x00\x00\x10"), file...)
	if got, err := mp4.Duration(long); err != nil || got != 3*time.Second {
		t.Errorf("Duration behind a box with a long size = %v, %v, want 3 s", got, err)
	}
	newer := "\x00\x00\x00\x2cmoov\x00\x00\x00\x24mvhd\x01\x00\x00\x00" +
		"12345678" + "12345678" + "\x00\x00\x03\xe8" + "\x00\x00\x00\x00\x00\x00\x1f\x40"
	if got, err := mp4.Duration([]byte(newer)); !errors.Is(err, fault.ErrInvalid) {
		t.Errorf("Duration of a box that ends late = %v, %v, want ErrInvalid", got, err)
	}
	newer = "\x00\x00\x00\x30moov\x00\x00\x00\x28mvhd" + newer[16:]
	if got, err := mp4.Duration([]byte(newer)); err != nil || got != 8*time.Second {
		t.Errorf("Duration by a header of version 1 = %v, %v, want 8 s", got, err)
	}
	for name, data := range map[string]string{
		"nothing": "", "words": "this is no film at all", "a size that is too small": "\x00\x00\x00\x04moov",
		"a size that is too large": "\xff\xff\xff\xffmoov", "no header": "\x00\x00\x00\x08moov",
		"a short header": "\x00\x00\x00\x14moov\x00\x00\x00\x0cmvhd\x00\x00\x00\x00",
	} {
		if got, err := mp4.Duration([]byte(data)); !errors.Is(err, fault.ErrInvalid) {
			t.Errorf("Duration of %s = %v, %v, want ErrInvalid", name, got, err)
		}
	}
}

func FuzzDuration(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x30moov\x00\x00\x00\x28mvhd\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := mp4.Duration(data); err == nil && (got < 0 || got > 24*time.Hour) {
			t.Errorf("Duration = %v, want at most a day", got)
		}
	})
}
