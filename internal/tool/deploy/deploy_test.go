// Package deploy holds only tests: docker-compose.yml follows the Compose specification and locks the container down, and the Dockerfile
// builds what the Makefile builds.
package deploy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// load reads the file as docker compose does: schema, interpolation and what the schema can't say.
func load(t *testing.T, content []byte) (*types.Project, error) {
	t.Helper()
	return loadWith(t, content, types.Mapping{})
}

func loadWith(t *testing.T, content []byte, environment types.Mapping) (*types.Project, error) {
	t.Helper()
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  t.TempDir(),
		ConfigFiles: []types.ConfigFile{{Filename: "docker-compose.yml", Content: content}},
		Environment: environment,
	}, func(o *loader.Options) { o.SetProjectName("annai", true) })
}

func TestCompose(t *testing.T) {
	project, err := load(t, read(t, "docker-compose.yml"))
	if err != nil {
		t.Fatalf("load(docker-compose.yml) = %v, want no error", err)
	}
	annai, err := project.GetService("annai")
	if err != nil {
		t.Fatal(err)
	}
	if !annai.ReadOnly || annai.Privileged {
		t.Errorf("read_only %t, privileged %t, want true, false", annai.ReadOnly, annai.Privileged)
	}
	if !slices.Equal(annai.CapDrop, []string{"ALL"}) || len(annai.CapAdd) > 0 {
		t.Errorf("cap_drop %q, cap_add %q, want ALL and none", annai.CapDrop, annai.CapAdd)
	}
	if !slices.Contains(annai.SecurityOpt, "no-new-privileges:true") {
		t.Errorf("security_opt %q, want no-new-privileges:true", annai.SecurityOpt)
	}
	if annai.HealthCheck == nil || len(annai.HealthCheck.Test) == 0 {
		t.Error("no healthcheck")
	}
	for _, port := range annai.Ports {
		if port.HostIP != "127.0.0.1" {
			t.Errorf("port %d is published on %q, want 127.0.0.1: nobody needs a key", port.Target, port.HostIP)
		}
	}
	if len(annai.Ports) == 0 {
		t.Error("no port is published")
	}
}

// TestComposeOfModels: what runs a model is locked down as well, of a known release, and in no
// network but that with annai.
func TestComposeOfModels(t *testing.T) {
	project, err := load(t, []byte(strings.ReplaceAll(string(read(t, "docker-compose.yml")), "profiles: [ollama]", "")))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ollama", "ollama-pull"} {
		s, err := project.GetService(name)
		if err != nil {
			t.Fatal(err)
		}
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.PidsLimit == 0 {
			t.Errorf("%s is not locked down: %+v", name, s)
		}
		if networks := s.NetworksByPriority(); !slices.Equal(networks, []string{"models"}) || len(s.Ports) > 0 {
			t.Errorf("%s is in the networks %q with ports %v, want models and none", name, networks, s.Ports)
		}
		if _, tag, _ := strings.Cut(s.Image, ":"); tag == "" || tag == "latest" {
			t.Errorf("%s is of the image %s, want one of a release", name, s.Image)
		}
	}
}

// TestComposeOfReplicas: three servers that differ in nothing are behind the proxy, which alone is
// reached from outside, and keep what they know in the database, which only they reach.
func TestComposeOfReplicas(t *testing.T) {
	content := read(t, "docker-compose.replicas.yml")
	if _, err := load(t, content); err == nil {
		t.Error("load without a password of the database = no error, want one")
	}
	project, err := loadWith(t, content, types.Mapping{"POSTGRES_PASSWORD": "secret"})
	if err != nil {
		t.Fatalf("load(docker-compose.replicas.yml) = %v, want no error", err)
	}
	networks := map[string][]string{
		"annai-1": {"database", "front"}, "annai-2": {"database", "front"}, "annai-3": {"database", "front"},
		"proxy": {"front", "outside"}, "postgres": {"database"},
	}
	for name, want := range networks {
		s, err := project.GetService(name)
		if err != nil {
			t.Fatal(err)
		}
		got := s.NetworksByPriority()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is in the networks %q, want %q", name, got, want)
		}
		privileges := slices.Contains(s.SecurityOpt, "no-new-privileges:true")
		if !slices.Equal(s.CapDrop, []string{"ALL"}) || !privileges || s.MemLimit == 0 {
			t.Errorf("%s is not locked down: %+v", name, s)
		}
		published := len(s.Ports) > 0
		if published != (name == "proxy") || published && s.Ports[0].HostIP != "127.0.0.1" {
			t.Errorf("%s has the ports %v, want those of the proxy, on 127.0.0.1", name, s.Ports)
		}
		_, tag, _ := strings.Cut(s.Image, ":")
		if !strings.HasPrefix(name, "annai-") && (tag == "" || tag == "latest") {
			t.Errorf("%s is of the image %s, want one of a release", name, s.Image)
		}
	}
	if !project.Networks["database"].Internal {
		t.Error("the database can be reached, or reach others, from outside of its network")
	}
	subnet := project.Networks["front"].Ipam.Config[0].Subnet
	for _, name := range []string{"annai-1", "annai-2", "annai-3"} {
		s := project.Services[name]
		if got := *s.Environment["ANNAI_TRUSTED_PROXIES"]; got != subnet {
			t.Errorf("%s trusts the proxies %s, want those of %s", name, got, subnet)
		}
		if !strings.Contains(*s.Environment["ANNAI_POSTGRES"], ":secret@postgres/") || !s.ReadOnly {
			t.Errorf("%s keeps what it knows at %s", name, *s.Environment["ANNAI_POSTGRES"])
		}
		line := "server " + name + " " + name + ":8080"
		if !strings.Contains(project.Configs["haproxy"].Content, line) {
			t.Errorf("the proxy has no line %q", line)
		}
	}
}

// TestComposeCheckCanFail shows that load is no rubber stamp.
func TestComposeCheckCanFail(t *testing.T) {
	good := string(read(t, "docker-compose.yml"))
	for _, edit := range [][2]string{
		{"read_only: true", "read_olny: true"},
		{"read_only: true", "read_only: [true]"},
		{"annai-data:/data", "elsewhere:/data"},
	} {
		bad := strings.Replace(good, edit[0], edit[1], 1)
		if bad == good {
			t.Fatalf("docker-compose.yml does not hold %q", edit[0])
		}
		if _, err := load(t, []byte(bad)); err == nil {
			t.Errorf("load(docker-compose.yml with %q) = no error, want one", edit[1])
		}
	}
}

func TestDockerfile(t *testing.T) {
	file := string(read(t, "Dockerfile"))
	if !regexp.MustCompile(`(?m)^RUN .*make build\b`).MatchString(file) {
		t.Error("the Dockerfile's build stage does not run make build, which is the one place that says how to build")
	}
	if !strings.Contains(file, "\nARG BASE_IMAGE=gcr.io/distroless/static-debian12:nonroot\n") {
		t.Error("the final stage is not distroless, or its image can't be given by digest")
	}
	_, final, ok := strings.Cut(file, "FROM ${BASE_IMAGE}\n")
	if !ok {
		t.Fatal("the final stage is not of BASE_IMAGE")
	}
	for _, want := range []string{"USER nonroot", "EXPOSE 8080", "HEALTHCHECK ", `ENTRYPOINT ["/annai"]`} {
		if !strings.Contains(final, want) {
			t.Errorf("the final stage has no %q", want)
		}
	}
	goMod := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(read(t, "go.mod")))
	if want := "\nARG GO_IMAGE=golang:" + goMod[1] + "-"; !strings.Contains(file, want) {
		t.Errorf("the Dockerfile has no %q, the version of go.mod", want)
	}
	if !strings.Contains(file, "FROM ${GO_IMAGE} AS build\n") {
		t.Error("the build stage is not of GO_IMAGE")
	}
}

// TestImagesCanBePinned: whoever deploys gives each image by its digest, in the environment, without changing a file.
func TestImagesCanBePinned(t *testing.T) {
	const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	pins := types.Mapping{"POSTGRES_PASSWORD": "secret"}
	for _, name := range []string{"GO_IMAGE", "BASE_IMAGE", "OLLAMA_IMAGE", "HAPROXY_IMAGE", "POSTGRES_IMAGE"} {
		pins[name] = strings.ToLower(name) + digest
	}
	for _, name := range []string{"docker-compose.yml", "docker-compose.replicas.yml"} {
		content := []byte(strings.ReplaceAll(string(read(t, name)), "profiles: [ollama]", ""))
		pinned, err := loadWith(t, content, pins)
		if err != nil {
			t.Fatal(err)
		}
		for service, s := range pinned.Services {
			if s.Build == nil {
				if !strings.HasSuffix(s.Image, digest) {
					t.Errorf("%s, %s: the image is %s, want one that can be given by digest", name, service, s.Image)
				}
				continue
			}
			for _, arg := range []string{"GO_IMAGE", "BASE_IMAGE"} {
				if value := s.Build.Args[arg]; value == nil || *value != pins[arg] {
					t.Errorf("%s, %s: built with %v as %s, want what is given", name, service, value, arg)
				}
			}
		}
		usual, err := loadWith(t, content, types.Mapping{"POSTGRES_PASSWORD": "secret"})
		if err != nil {
			t.Fatal(err)
		}
		for service, s := range usual.Services {
			if s.Build != nil && (s.Build.Args["GO_IMAGE"] != nil || s.Build.Args["BASE_IMAGE"] != nil) {
				t.Errorf("%s, %s: built with %v where nothing is given, want what the Dockerfile says", name, service, s.Build.Args)
			}
		}
	}
}
