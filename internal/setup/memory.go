package setup

import (
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// LimitMemory lets the garbage collector know how much memory the container has, so that it
// collects more often instead of the process being ended. What GOMEMLIMIT says goes before. A tenth
// is left for what the collector does not count.
func LimitMemory(log *slog.Logger) {
	limit := memoryLimit(os.DirFS("/"))
	if limit == 0 || debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	limit -= limit / 10
	debug.SetMemoryLimit(limit)
	log.Info("memory of the container", "limit_bytes", limit)
}

// memoryLimit is how many bytes of memory this process may have by its control groups, version 2 or
// 1; 0: there is no limit.
func memoryLimit(root fs.FS) (limit int64) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		if len(fields) < 3 {
			continue
		}
		switch {
		case fields[1] == "":
			limit = lower(limit, lowest(root, "sys/fs/cgroup", fields[2], "memory.max"))
		case strings.Contains(","+fields[1]+",", ",memory,"):
			limit = lower(limit, lowest(root, "sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"))
		}
	}
	return limit
}

// lowest is the lowest limit of a group and those around it. In a container the group's path may be
// that of the machine, where there is nothing; the limit is at the top then.
func lowest(root fs.FS, top, group, file string) (limit int64) {
	for at := path.Join("/", group); ; at = path.Dir(at) {
		data, err := fs.ReadFile(root, path.Join(top, at, file))
		if err == nil {
			n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
			if err == nil && n > 0 && n < 1<<60 { // version 1 has a very large number for none, version 2 the word max
				limit = lower(limit, n)
			}
		}
		if at == "/" {
			return limit
		}
	}
}

// lower is the lower of two limits, of which 0 is none.
func lower(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
