// Package peer sets up programs of others that judge ours in tests: clients and suites that were written for somebody else's server.
//
// The idea to hold: which version of which program is in a lock file in testdata, and is installed beside it when it is missing. Where the
// tools for that are missing the test is skipped and says so, except where ANNAI_TEST_NOSKIP=1 forbids it. The package knows none of the programs.
package peer

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// NPM installs what dir/package-lock.json says into dir/node_modules. Scripts of packages run only if scripts.
func NPM(t testing.TB, dir string, scripts bool) {
	t.Helper()
	defer alone(t, dir)()
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err == nil {
		return
	}
	if _, err := exec.LookPath("npm"); err != nil {
		missing(t, "node and npm, version 20 or later")
	}
	arguments := []string{"ci", "--no-audit", "--no-fund"}
	if !scripts {
		arguments = append(arguments, "--ignore-scripts")
	}
	install(t, dir, "npm", arguments...)
}

// Python makes a virtual environment in dir/.venv with what dir/requirements.txt says, and returns its interpreter.
func Python(t testing.TB, dir string) string {
	t.Helper()
	venv, err := filepath.Abs(filepath.Join(dir, ".venv"))
	if err != nil {
		t.Fatal(err)
	}
	defer alone(t, dir)()
	python, complete := filepath.Join(venv, "bin", "python"), filepath.Join(venv, "complete")
	if _, err := os.Stat(complete); err == nil {
		return python
	}
	if _, err := exec.LookPath("python3"); err != nil {
		missing(t, "python3")
	}
	install(t, dir, "python3", "-m", "venv", ".venv")
	install(t, dir, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt")
	if err := os.WriteFile(complete, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return python
}

// Chromium asks for Debian's Chromium and a Japanese font, which it installs where it may.
func Chromium(t testing.TB) {
	t.Helper()
	if _, err := os.Stat("/usr/bin/chromium"); err == nil {
		return
	}
	const packages = "/usr/bin/chromium; on Debian: apt-get install chromium fonts-noto-cjk"
	if _, err := exec.LookPath("apt-get"); err != nil || runtime.GOOS != "linux" || os.Getuid() != 0 {
		missing(t, packages)
	}
	defer alone(t, "/var/lib")()
	install(t, ".", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "update", "-q")
	install(t, ".", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-qy", "--no-install-recommends",
		"chromium", "fonts-noto-cjk")
}

// alone has the tests of other packages, which run at the same time, wait until the folder's are done.
func alone(t testing.TB, dir string) (done func()) {
	t.Helper()
	f, err := os.Open(dir)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = f.Close() }
}

func install(t testing.TB, dir, program string, arguments ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, arguments...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var refused *exec.ExitError
	switch {
	case errors.As(err, &refused):
		missing(t, "what "+dir+" wants installed: "+program+": "+err.Error()+"\n"+string(out))
	case err != nil:
		t.Fatal(err)
	}
}

// missing ends the test, as skipped where that is allowed.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("ANNAI_TEST_NOSKIP") == "1" { //nolint:forbidigo // a switch of the test suite, no setting
		t.Fatalf("cannot run without %s", what)
	}
	t.Skipf("SKIPPED, NOT TESTED: cannot run without %s", what)
}
