package api

import _ "embed"

//go:generate go run ./openapi/generate

//go:embed openapi.json
var document string

// Document returns the OpenAPI document of the contract, as JSON. It is made from the types of this package, and
// openapi.yaml says the same.
func Document() string { return document }
