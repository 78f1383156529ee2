// Command generate writes openapi.yaml and openapi.json, made from the types of package api, into the current folder, which is
// that package's, and docs/http.md beside it.
package main

import (
	"errors"
	"log"
	"os"

	"annai/api/openapi"
)

func main() {
	doc, err := openapi.Make(os.DirFS("."))
	if err == nil {
		err = errors.Join(
			os.WriteFile("openapi.yaml", doc.YAML, 0o644),
			os.WriteFile("openapi.json", doc.JSON, 0o644),
			os.WriteFile("../docs/http.md", doc.Markdown, 0o644),
		)
	}
	if err != nil {
		log.Fatal(err)
	}
}
