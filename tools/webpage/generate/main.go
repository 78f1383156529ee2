// Command generate writes data/providers.tsv, the list of oEmbed providers, from providers.json of
// the npm package oembed-providers (MIT, https://oembed.com). It runs in the folder of package
// webpage, and is given the path of that file.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/url"
	"os"
	"slices"
	"strings"
)

// A provider is one of providers.json.
type provider struct {
	Name      string `json:"provider_name"`
	Endpoints []struct {
		URL     string   `json:"url"`
		Schemes []string `json:"schemes"`
		Formats []string `json:"formats"`
	} `json:"endpoints"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: go run ./generate providers.json")
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var all []provider
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("# Made by go run ./generate from providers.json of the npm package oembed-providers.\n")
	for _, p := range all {
		for _, e := range p.Endpoints {
			address := strings.ReplaceAll(e.URL, "{format}", "json")
			u, err := url.Parse(address)
			xml := strings.HasSuffix(address, ".xml") || len(e.Formats) > 0 && !slices.Contains(e.Formats, "json")
			patterns := patternsOf(e.Schemes)
			if err != nil || u.Host == "" || xml || len(patterns) == 0 {
				continue
			}
			name := strings.Join(strings.Fields(p.Name), " ")
			fmt.Fprintf(&b, "%s\t%s\t%s\n", name, address, strings.Join(patterns, " "))
		}
	}
	return os.WriteFile("data/providers.tsv", []byte(b.String()), 0o644)
}

// patternsOf returns host and path of the patterns, each once: which of http and https makes no
// difference.
func patternsOf(schemes []string) []string {
	var all []string
	for _, s := range schemes {
		scheme, rest, ok := strings.Cut(s, "://")
		host, _, _ := strings.Cut(rest, "/")
		if !ok || scheme != "http" && scheme != "https" && scheme != "*" || !strings.Contains(host, ".") {
			continue
		}
		if !strings.Contains(rest, "/") {
			rest += "/*"
		}
		if !slices.Contains(all, rest) && !strings.ContainsAny(rest, " \t") {
			all = append(all, rest)
		}
	}
	return all
}
