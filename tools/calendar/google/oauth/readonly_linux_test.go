package oauth_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"annai/fault"
	"annai/tools/calendar/google/oauth"
)

// TestAFolderThatIsOnlyRead: what is there is read, and what can't be written says so. Root may write everywhere, and so a thread of this
// process becomes somebody else for its files.
func TestAFolderThatIsOnlyRead(t *testing.T) {
	dir, version := saved(t, nil)
	for path, mode := range map[string]os.FileMode{
		t.TempDir() + "/..": 0o755, dir + "/..": 0o755, dir: 0o555,
		dir + "/google.key": 0o444, dir + "/google-default.token": 0o444, dir + "/google.lock": 0o444,
	} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Geteuid() == 0 {
			runtime.LockOSThread()                                          // and never unlock it: the thread ends with this goroutine
			_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0) // it returns who it was
		}
		s := fileStore(t, dir, nil)
		if got, _, err := s.Load(t.Context(), "default"); err != nil || got.RefreshToken != refreshToken {
			t.Errorf("Load = %v, want the token", err)
		}
		_, err := s.Save(t.Context(), "default", oauth.Token{RefreshToken: refreshToken}, version)
		if !errors.Is(err, fault.ErrDenied) || !strings.Contains(err.Error(), dir+", where tokens are, can't be written: permission denied") || strings.Contains(err.Error(), refreshToken) {
			t.Errorf("Save = %v, want ErrDenied that names the folder", err)
		}
		if err := s.Delete(t.Context(), "default"); !errors.Is(err, fault.ErrDenied) {
			t.Errorf("Delete = %v, want ErrDenied", err)
		}
	}()
	<-done
	if err := os.Chmod(dir, 0o755); err != nil { // so that it can be removed
		t.Error(err)
	}
}
