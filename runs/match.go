package runs

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// Matches says whether a value passes a filter of items: each name must be there with that value, or fulfil all comparisons of an object whose names are
// $eq, $ne, $gt, $gte, $lt and $lte. Only numbers and texts are larger or smaller, each than their like.
func Matches(value, filter Object) bool {
	for name, want := range filter {
		have, ok := value[name]
		if comparisons, is := want.(Object); is && compares(comparisons) {
			for op, with := range comparisons {
				if !compare(have, op, with) {
					return false
				}
			}
			continue
		}
		if !ok || !holds(have, want) {
			return false
		}
	}
	return true
}

// compares says whether the object is one of comparisons.
func compares(o Object) bool {
	for name := range o {
		if !strings.HasPrefix(name, "$") {
			return false
		}
	}
	return len(o) > 0
}

func compare(have any, op string, with any) bool {
	switch op {
	case "$eq":
		return reflect.DeepEqual(have, with)
	case "$ne":
		return !reflect.DeepEqual(have, with)
	}
	order, ok := ordered(have, with)
	if !ok {
		return false
	}
	switch op {
	case "$gt":
		return order > 0
	case "$gte":
		return order >= 0
	case "$lt":
		return order < 0
	case "$lte":
		return order <= 0
	default:
		return false
	}
}

func ordered(a, b any) (order int, ok bool) {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return cmp.Compare(x, y), ok
	case string:
		y, ok := b.(string)
		return strings.Compare(x, y), ok
	default:
		return 0, false
	}
}

// Begins says whether the namespace begins with the labels, of which "*" is any.
func Begins(namespace, prefix []string) bool {
	return len(namespace) >= len(prefix) && alike(namespace[:len(prefix)], prefix)
}

// Ends says whether the namespace ends with the labels, of which "*" is any.
func Ends(namespace, suffix []string) bool {
	return len(namespace) >= len(suffix) && alike(namespace[len(namespace)-len(suffix):], suffix)
}

func alike(labels, pattern []string) bool {
	return slices.EqualFunc(labels, pattern, func(label, p string) bool { return p == "*" || p == label })
}
