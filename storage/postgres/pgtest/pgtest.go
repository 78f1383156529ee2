// Package pgtest starts a PostgreSQL of its own for tests, from the binaries that Debian installs, in a temporary folder and on a socket there. It
// touches no other server, and what it starts ends with it.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrMissing says that there are no binaries of PostgreSQL on this machine.
var ErrMissing = errors.New("no PostgreSQL found in /usr/lib/postgresql; scripts/setup installs it")

// Server is a PostgreSQL of our own.
type Server struct {
	bin, folder string
	process     *exec.Cmd
	schemas     int
}

// Start makes and starts a server. Its user may do everything and needs no password; only who may open the socket can connect.
func Start(ctx context.Context) (*Server, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil || len(found) == 0 {
		return nil, errors.Join(err, ErrMissing)
	}
	slices.Sort(found)
	folder, err := os.MkdirTemp("", "annai-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{bin: filepath.Dir(found[len(found)-1]), folder: folder}
	if err := s.make(ctx); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := s.Restart(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// shared starts the server of this process's tests.
var shared = sync.OnceValues(func() (*Server, error) {
	s, err := Start(context.Background())
	started = s
	return s, err
})

var started *Server

// Shared returns the server of this process's tests, which starts when it is first asked for and ends with [Main]. Where there is no PostgreSQL the
// test is skipped.
func Shared(t testing.TB) *Server {
	t.Helper()
	s, err := shared()
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	return s
}

// Main is what TestMain of a package does whose tests use [Shared]. It returns the status of the process.
func Main(m *testing.M) (status int) {
	status = m.Run()
	if started == nil {
		return status
	}
	if err := started.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// make makes the files of the server, which belong to who runs it.
func (s *Server) make(ctx context.Context) error {
	if attributes, err := credential(); err != nil {
		return err
	} else if c := attributes.Credential; c != nil {
		if err := os.Chown(s.folder, int(c.Uid), int(c.Gid)); err != nil {
			return err
		}
	}
	initdb, err := s.command(ctx, "initdb", "-D", filepath.Join(s.folder, "data"), "-U", "annai", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	if err != nil {
		return err
	}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

// command runs as somebody else than root, whom PostgreSQL refuses.
func (s *Server) command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	attributes, err := credential()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	c.Dir, c.SysProcAttr = s.folder, attributes
	return c, nil
}

func credential() (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// Restart starts the server again after [Server.Kill].
func (s *Server) Restart(ctx context.Context) error {
	c, err := s.command(context.WithoutCancel(ctx), "postgres", "-D", filepath.Join(s.folder, "data"), "-k", s.folder,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=100")
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the server has its own handle
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		return err
	}
	s.process = c
	return s.wait(ctx)
}

// wait returns once the server answers.
func (s *Server) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.address(""))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.folder, "log"))
			return fmt.Errorf("PostgreSQL does not answer: %w: %s", err, log)
		}
	}
}

// Kill ends the server as a crash would: connections break, and what was committed must be there after [Server.Restart].
func (s *Server) Kill() error { return s.end(syscall.SIGQUIT) }

// Stop ends the server and removes its files.
func (s *Server) Stop() error {
	return errors.Join(s.end(syscall.SIGQUIT), os.RemoveAll(s.folder))
}

func (s *Server) end(signal syscall.Signal) error {
	if s.process == nil {
		return nil
	}
	c := s.process
	s.process = nil
	if err := c.Process.Signal(signal); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) { // it says that it was told to
		return err
	}
	return nil
}

func (s *Server) address(schema string) string {
	address := fmt.Sprintf("host=%s user=annai dbname=postgres", s.folder)
	if schema != "" {
		address += " search_path=" + schema
	}
	return address
}

// Schema returns the address of an empty schema of its own. Not for several goroutines at once.
func (s *Server) Schema(t testing.TB) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.address(""))
	if err != nil {
		t.Fatalf("connect to PostgreSQL: %v", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	s.schemas++
	name := fmt.Sprint("test", s.schemas)
	if _, err := conn.Exec(t.Context(), "CREATE SCHEMA "+name); err != nil {
		t.Fatalf("create schema: %v", err)
	}
	return s.address(name)
}

// Program is the path of another of PostgreSQL's programs, such as pg_dump.
func (s *Server) Program(name string) string { return filepath.Join(s.bin, name) }

// Database makes an empty database, which goes when the server does, and returns its address.
func (s *Server) Database(t testing.TB) (address string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.address(""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	s.schemas++
	name := fmt.Sprintf("other%d", s.schemas)
	if _, err := conn.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(s.address(""), "dbname=postgres", "dbname="+name, 1)
}
