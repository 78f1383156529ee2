// Command generate makes data/places.tsv.gz from GeoNames' cities500.txt, and data/countries.tsv from
// the Unicode CLDR. scripts/gazetteer fetches the first and runs it in the folder of package gazetteer:
//
//	go run ./generate FOLDER/cities500.txt
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: generate cities500.txt")
	}
	if err := errors.Join(writePlaces(os.Args[1]), writeCountries()); err != nil {
		log.Fatal(err)
	}
}

func writePlaces(source string) (err error) {
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var rows []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		r, err := parse(lines.Text())
		if err != nil {
			return err
		}
		if r.kept() {
			rows = append(rows, r.line())
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	slices.Sort(rows) // rows alike stand together: they pack better
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(strings.Join(rows, ""))); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Println(len(rows), "places,", packed.Len(), "bytes")
	return os.WriteFile("data/places.tsv.gz", packed.Bytes(), 0o644)
}

// writeCountries writes the names of countries in English and Japanese.
func writeCountries() error {
	english, japanese := display.Regions(language.English), display.Regions(language.Japanese)
	var b strings.Builder
	for first := 'A'; first <= 'Z'; first++ {
		for second := 'A'; second <= 'Z'; second++ {
			code := string([]rune{first, second})
			region, err := language.ParseRegion(code)
			if err != nil || !region.IsCountry() || region.String() != code || region.Canonicalize() != region {
				continue
			}
			if en, ja := english.Name(region), japanese.Name(region); en != "" && ja != "" { // those of today
				fmt.Fprintf(&b, "%s\t%s\t%s\n", code, en, ja)
			}
		}
	}
	return os.WriteFile("data/countries.tsv", []byte(b.String()), 0o644)
}
