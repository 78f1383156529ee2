package venue

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// UnmarshalYAML reads 800, "1,200", "460+", "650-700" and free.
func (a *Amount) UnmarshalYAML(unmarshal func(any) error) error {
	var text string
	if err := unmarshal(&text); err != nil {
		return err
	}
	a.text = strings.TrimSpace(text)
	if a.text == "free" || a.text == "0" {
		a.Free = true
		return nil
	}
	least, most, ok := parseBounds(a.text)
	if ok {
		a.Least, a.Most = least, most
	}
	return nil
}

// check returns what is wrong with the amount.
func (a Amount) check() error {
	switch {
	case a.text == "":
		return errors.New("is missing; give yen or free")
	case a.IsZero():
		return fmt.Errorf("%q is not free, nor yen like 800, \"460+\" or \"650-700\"", a.text)
	}
	return nil
}

// UnmarshalYAML reads 8 and "8-10".
func (c *Count) UnmarshalYAML(unmarshal func(any) error) error {
	if err := unmarshal(&c.text); err != nil {
		return err
	}
	if least, most, ok := parseBounds(c.text); ok && most > 0 {
		c.Least, c.Most = least, most
	}
	return nil
}

// parseBounds reads "800" and "650-700" as two numbers above zero, and "460+" as one and zero.
// Thousands may have commas.
func parseBounds(text string) (least, most int, ok bool) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, ",", ""), " ", "")
	first, isOpen := strings.CutSuffix(text, "+")
	first, second, isRange := strings.Cut(first, "-")
	least, err := strconv.Atoi(first)
	if err != nil || least <= 0 || isOpen && isRange {
		return 0, 0, false
	}
	switch {
	case isOpen:
		return least, 0, true
	case !isRange:
		return least, least, true
	}
	most, err = strconv.Atoi(second)
	return least, most, err == nil && most > least
}

// String returns "free", "800", "460+" or "650-700".
func (a Amount) String() string {
	switch {
	case a.Free:
		return "free"
	case a.Most == 0:
		return strconv.Itoa(a.Least) + "+"
	case a.Most == a.Least:
		return strconv.Itoa(a.Least)
	}
	return fmt.Sprintf("%d-%d", a.Least, a.Most)
}
