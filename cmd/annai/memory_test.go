package main

import (
	"testing"
	"testing/fstest"
)

func TestMemoryLimit(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no groups":                  {nil, 0},
		"version 2, a container":     {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 512 << 20},
		"version 2, no limit":        {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 0},
		"version 2, a service":       {map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "1000\n"}, 1000},
		"version 2, the lowest":      {map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "500\n", "sys/fs/cgroup/a/memory.max": "1000\n"}, 500},
		"version 2, the host's path": {map[string]string{"proc/self/cgroup": "0::/docker/x\n", "sys/fs/cgroup/memory.max": "700\n"}, 700},
		"version 1":                  {map[string]string{"proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/docker/x\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "600\n"}, 600},
		"version 1, no limit":        {map[string]string{"proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"what is no number":          {map[string]string{"proc/self/cgroup": "0::/\nnonsense\n", "sys/fs/cgroup/memory.max": "-5\n"}, 0},
	} {
		files := fstest.MapFS{}
		for path, text := range test.files {
			files[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memoryLimit(files); got != test.want {
			t.Errorf("%s: memoryLimit = %d, want %d", name, got, test.want)
		}
	}
}
