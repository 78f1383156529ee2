package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"annai/fault"
	"annai/internal/strictyaml"
)

const (
	prefix     = "ANNAI_"
	testPrefix = "ANNAI_TEST_" // switches of the test suite, no settings
)

// Bind adds the flags of all commands that open a venue to flags. A value is checked by [Load] and not before, so that all
// settings fail in the same words.
func Bind(flags *pflag.FlagSet) { bind(flags, scoped(everywhere)) }

// BindServer adds the flags of commands that listen, beside those of [Bind].
func BindServer(flags *pflag.FlagSet) { bind(flags, scoped(serverOnly)) }

func scoped(of scope) []setting {
	return slices.DeleteFunc(table(), func(s setting) bool { return s.scope != of })
}

func bind(flags *pflag.FlagSet, settings []setting) {
	for _, s := range settings {
		if s.secret {
			continue
		}
		flag := flags.VarPF(&word{text: s.def, kind: s.value}, s.key, "", s.usage)
		if s.value == "BOOL" {
			flag.NoOptDefVal = "true"
		}
	}
}

// word is a flag's value as it was written.
type word struct{ text, kind string }

func (w *word) Set(text string) error { w.text = text; return nil }
func (w *word) String() string        { return w.text }

// Type is the placeholder in the help; for a switch it is what pflag leaves out of it.
func (w *word) Type() string {
	if w.kind == "BOOL" {
		return "bool"
	}
	return w.kind
}

// Load reads the process's settings: flags, parsed and with those of [Bind], then the environment, then the file that either of
// them names, then defaults. It reports all that is wrong at once, a line each; the error wraps [fault.ErrInvalid], or
// [fault.ErrNotFound] for a file that does not exist.
func Load(flags *pflag.FlagSet) (Config, error) { return load(flags, os.Environ()) }

// value is a setting as it was written, and where.
type value struct{ text, from string }

func load(flags *pflag.FlagSet, environ []string) (Config, error) {
	return loadOf(table(), flags, environ)
}

// loadOf loads these settings; others have their defaults.
func loadOf(settings []setting, flags *pflag.FlagSet, environ []string) (Config, error) {
	set := map[string]value{}
	problems := []error{fromEnvironment(settings, set, environ)}
	fromFlags(set, flags)

	below, err := fromFile(settings, set[fileKey])
	problems = append(problems, err)
	for key, v := range below {
		if _, above := set[key]; !above {
			set[key] = v
		}
	}

	c, err := parse(set)
	if err := errors.Join(append(problems, err)...); err != nil {
		return Config{}, err
	}
	return c, nil
}

// parse fills a Config from what is set and defaults.
func parse(set map[string]value) (Config, error) {
	var c Config
	var problems []error
	for _, s := range table() {
		v := set[s.key]
		text := cmp.Or(v.text, s.def)
		if text == "" {
			continue
		}
		if err := s.parse(&c, text); err != nil {
			problems = append(problems, invalid("%s: %w", v.from, err))
		}
	}
	if len(problems) == 0 {
		if err := rules(c); err != nil {
			problems = append(problems, invalid("%w", err))
		}
	}
	return finished(c), errors.Join(problems...)
}

func fromFlags(set map[string]value, flags *pflag.FlagSet) {
	for _, s := range table() {
		if flag := flags.Lookup(s.key); flag != nil && flag.Changed {
			set[s.key] = value{flag.Value.String(), s.flag()}
		}
	}
}

// fromEnvironment adds the variables of environ to set. An empty variable counts as unset, which is how a container file leaves one out.
func fromEnvironment(settings []setting, set map[string]value, environ []string) error {
	known, also := map[string]string{}, map[string]string{} // variable to key
	for _, s := range settings {
		known[s.variable()] = s.key
		if s.also != "" {
			also[s.also] = s.key
		}
	}
	var problems []error
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		key, ok := known[name]
		switch {
		case ok && text != "":
			set[key] = value{text, name}
		case !ok && strings.HasPrefix(name, prefix) && !strings.HasPrefix(name, testPrefix):
			problems = append(problems, invalid("%s: no such setting", name))
		}
	}
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		key := also[name]
		if _, first := set[key]; key != "" && text != "" && !first {
			set[key] = value{text, name}
		}
	}
	return errors.Join(problems...)
}

// fromFile returns what the file named by v says; an unnamed one says nothing.
func fromFile(settings []setting, v value) (map[string]value, error) {
	path := v.text
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem{fmt.Errorf("%s: %s: no such file", v.from, path), fault.ErrNotFound}
	} else if err != nil {
		return nil, invalid("%s: %w", v.from, err)
	}
	var written map[string]string
	if err := strictyaml.Decode(data, &written); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}

	return check(settings, path, written)
}

// check returns the settings written in the file at path, with their paths made relative to it.
func check(settings []setting, path string, written map[string]string) (map[string]value, error) {
	known := map[string]setting{}
	for _, s := range settings {
		if s.key != fileKey {
			known[s.key] = s
		}
	}
	set := map[string]value{}
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(written)) {
		s, ok := known[key]
		if !ok {
			problems = append(problems, invalid("%s: %s: no such setting", path, key))
			continue
		}
		text := written[key]
		if s.path && text != "" && !filepath.IsAbs(text) && !slices.Contains(s.words, text) {
			text = filepath.Join(filepath.Dir(path), text)
		}
		set[key] = value{text, path + ": " + key}
	}
	return set, errors.Join(problems...)
}

// invalid is [fmt.Errorf] for what can't be right.
func invalid(format string, args ...any) error {
	return problem{fmt.Errorf(format, args...), fault.ErrInvalid}
}

// problem is an error of a kind that reads as one clear sentence, to which the kind's own word would add nothing.
type problem struct {
	error
	kind error
}

func (p problem) Unwrap() []error { return []error{p.error, p.kind} }
