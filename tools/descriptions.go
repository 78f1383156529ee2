package tools

import (
	"fmt"
	"io/fs"
	"strings"
)

// Descriptions reads what a model is told about a tool from descriptions/name.ja.txt and descriptions/name.en.txt.
func Descriptions(files fs.FS, name string) (map[string]string, error) {
	both := map[string]string{}
	for _, lang := range []string{"ja", "en"} {
		text, err := fs.ReadFile(files, "descriptions/"+name+"."+lang+".txt")
		if err != nil {
			return nil, fmt.Errorf("describe tool %s: %w", name, err)
		}
		both[lang] = strings.TrimSpace(string(text))
	}
	return both, nil
}
