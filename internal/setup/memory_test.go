package setup

import (
	"testing"
	"testing/fstest"
)

func TestMemoryLimit(t *testing.T) {
	const groups, v2, v1 = "proc/self/cgroup", "sys/fs/cgroup/", "sys/fs/cgroup/memory/"
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no groups":              {nil, 0},
		"version 2, a container": {map[string]string{groups: "0::/\n", v2 + "memory.max": "536870912\n"}, 512 << 20},
		"version 2, no limit":    {map[string]string{groups: "0::/\n", v2 + "memory.max": "max\n"}, 0},
		"version 2, a service": {
			map[string]string{groups: "0::/a/b\n", v2 + "a/b/memory.max": "max\n", v2 + "a/memory.max": "1000\n"}, 1000,
		},
		"version 2, the lowest": {
			map[string]string{groups: "0::/a/b\n", v2 + "a/b/memory.max": "500\n", v2 + "a/memory.max": "1000\n"}, 500,
		},
		"version 2, the host's path": {map[string]string{groups: "0::/docker/x\n", v2 + "memory.max": "700\n"}, 700},
		"version 1": {
			map[string]string{groups: "5:cpu:/\n4:memory:/docker/x\n", v1 + "memory.limit_in_bytes": "600\n"}, 600,
		},
		"version 1, no limit": {
			map[string]string{groups: "4:memory:/\n", v1 + "memory.limit_in_bytes": "9223372036854771712\n"}, 0,
		},
		"what is no number": {map[string]string{groups: "0::/\nnonsense\n", v2 + "memory.max": "-5\n"}, 0},
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
