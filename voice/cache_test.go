package voice

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"annai/api"
	"annai/fault"
)

// slow speaks a sample per byte of the text after a second, or fails.
type slow struct {
	spoken, open, most atomic.Int32
	err                error
}

func (s *slow) Speak(ctx context.Context, text, _ string) (Speech, error) {
	s.spoken.Add(1)
	s.most.Store(max(s.most.Load(), s.open.Add(1)))
	defer s.open.Add(-1)
	if text == "panic" {
		panic(text)
	}
	select {
	case <-time.After(time.Second):
		return Speech{Samples: make([]int16, len(text)), Mouth: []api.Viseme{{Shape: "a"}}}, s.err
	case <-ctx.Done():
		return Speech{}, ctx.Err()
	}
}

// say adds the text and asks for its speech.
func say(ctx context.Context, c *Cache, text string) (Speech, error) {
	address, _ := c.Add(text, "en")
	return c.Get(ctx, address)
}

func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		speaker := &slow{}
		c := NewCache(speaker, CacheOptions{AtOnce: 1, Now: time.Now})
		address, _ := c.Add("hello", "en")
		if again, _ := c.Add("hello", "en"); again != address {
			t.Errorf("Add twice = %s and %s", address, again)
		}
		if other, _ := c.Add("hello", "ja"); other == address {
			t.Errorf("two languages have the address %s", other)
		}
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if s, err := c.Get(t.Context(), address); err != nil || len(s.Samples) != 5 {
					t.Errorf("Get = %d samples, %v", len(s.Samples), err)
				}
			})
		}
		all.Wait()
		if n := speaker.spoken.Load(); n != 1 {
			t.Errorf("spoken %d times, want once", n)
		}
		if _, mouth := c.Add("hello", "en"); len(mouth) != 1 {
			t.Errorf("the mouth of what was spoken is %v", mouth)
		}
		for _, text := range []string{"one", "two", "three"} {
			all.Go(func() { _, _ = c.Speak(t.Context(), text, "en") })
			all.Go(func() { _, _ = say(t.Context(), c, text) })
		}
		all.Wait()
		if n := speaker.most.Load(); n != 1 {
			t.Errorf("%d at once, want 1", n)
		}
		if _, err := c.Get(t.Context(), "nowhere"); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Get(nowhere) = %v, want ErrNotFound", err)
		}
		if _, err := say(t.Context(), c, "panic"); err == nil {
			t.Error("a panic is no error")
		}
		known := len(c.known)
		if s, err := c.Speak(t.Context(), "secret", "en"); err != nil || len(s.Samples) != 6 || len(c.known) != known {
			t.Errorf("Speak = %d samples, %v; %d texts are known, want %d", len(s.Samples), err, len(c.known), known)
		}
		time.Sleep(11 * time.Minute)
		if _, err := c.Get(t.Context(), address); !errors.Is(err, fault.ErrNotFound) || c.bytes != 0 {
			t.Errorf("Get(forgotten) = %v with %d bytes, want ErrNotFound", err, c.bytes)
		}
	})
}

// TestCacheLeft ends a making with the last who waits for it, and only with that.
func TestCacheLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		speaker := &slow{}
		c := NewCache(speaker, CacheOptions{Now: time.Now})
		address, _ := c.Add("hello", "en")
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		left := func() {
			if _, err := c.Get(ctx, address); !errors.Is(err, context.Canceled) {
				t.Errorf("Get(left) = %v", err)
			}
		}
		all.Go(left)
		all.Go(func() {
			if _, err := c.Get(t.Context(), address); err != nil {
				t.Errorf("Get(stays) = %v", err)
			}
		})
		synctest.Wait()
		leave()
		all.Wait()

		other, _ := c.Add("good bye", "en")
		address = other
		ctx, leave = context.WithCancel(t.Context())
		all.Go(left)
		synctest.Wait()
		leave()
		all.Wait()
		if n := speaker.open.Load(); n != 0 {
			t.Errorf("%d are still spoken for nobody", n)
		}
		if s, err := c.Get(t.Context(), other); err != nil || len(s.Samples) != 8 {
			t.Errorf("Get(again) = %d samples, %v", len(s.Samples), err)
		}
	})
}

func TestCacheBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCache(&slow{}, CacheOptions{MaxTexts: 3, MaxBytes: 120, Now: time.Now})
		first, _ := c.Add("first", "en")
		for _, text := range []string{"second", "third", "fourth"} {
			if _, err := say(t.Context(), c, text); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Get(t.Context(), first); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("Get(first of four) = %v, want ErrNotFound", err)
		}
		if c.bytes > 120 {
			t.Errorf("%d bytes are kept, at most 120", c.bytes)
		}
		second, _ := c.Add("second", "en")
		if s, err := c.Get(t.Context(), second); err != nil || len(s.Samples) != 6 {
			t.Errorf("Get(what was dropped) = %d samples, %v", len(s.Samples), err)
		}
	})
}

func TestSpare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := &slow{err: fault.ErrUnavailable}
		s := Spare(gone, &slow{}, SpareOptions{Now: time.Now})
		speak := func(spare bool) {
			t.Helper()
			if speech, err := s.Speak(t.Context(), "hello", "en"); err != nil || speech.Spare != spare {
				t.Errorf("Speak = %v, spare %v, want %v", err, speech.Spare, spare)
			}
		}
		speak(true)
		speak(true)
		if n := gone.spoken.Load(); n != 1 {
			t.Errorf("who failed was asked %d times, want once", n)
		}
		gone.err = nil
		time.Sleep(time.Minute)
		speak(false)
		s = Spare(&slow{err: fault.ErrUnavailable}, &slow{}, SpareOptions{Now: time.Now})
		c := NewCache(s, CacheOptions{Now: time.Now})
		if _, err := say(t.Context(), c, "hello"); err != nil || c.bytes != 0 {
			t.Errorf("Get = %v; %d bytes of the spare voice are kept, want none", err, c.bytes)
		}
	})
}
