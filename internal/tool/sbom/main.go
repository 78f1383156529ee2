// Command sbom writes the bill of materials of a Go program, as CycloneDX in JSON, out of what the
// program knows of its build: the modules that are linked into it with their versions and sums, and
// the release of Go. The same program makes the same bill.
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// The parts of CycloneDX 1.6 (cyclonedx.org/docs/1.6/json) that are filled in.
type (
	bill struct {
		Schema     string      `json:"$schema"`
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type    string     `json:"type"`
		Ref     string     `json:"bom-ref"`
		Name    string     `json:"name"`
		Version string     `json:"version,omitempty"`
		PURL    string     `json:"purl,omitempty"`
		Sums    []property `json:"properties,omitempty"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM VERSION")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(w io.Writer, program, version string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	b := bill{
		Schema:  "http://cyclonedx.org/schema/bom-1.6.schema.json",
		Format:  "CycloneDX",
		Spec:    "1.6",
		Version: 1,
		Metadata: metadata{
			component{
				Type:    "application",
				Ref:     info.Main.Path,
				Name:    info.Main.Path,
				Version: cmp.Or(version, info.Main.Version),
			},
		},
		Components: []component{library("std", strings.TrimPrefix(info.GoVersion, "go"), "")},
	}
	for _, m := range info.Deps {
		b.Components = append(b.Components, module(m))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(b)
}

// module is a module that is linked in, or what stands in its place.
func module(m *debug.Module) component {
	for m.Replace != nil {
		m = m.Replace
	}
	return library(m.Path, m.Version, m.Sum)
}

func library(path, version, sum string) component {
	name := "pkg:golang/" + path + "@" + version
	c := component{Type: "library", Ref: name, Name: path, Version: version, PURL: name}
	if hash, ok := strings.CutPrefix(sum, "h1:"); ok { // the SHA-256 of a list of hashes, and so not that of any file
		if raw, err := base64.StdEncoding.DecodeString(hash); err == nil {
			c.Sums = []property{{"golang:sum:h1", hex.EncodeToString(raw)}}
		}
	}
	return c
}
