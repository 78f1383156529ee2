package text_test

import (
	"testing"

	"annai/internal/text"
)

func TestTitleIn(t *testing.T) {
	for title, want := range map[string][2]string{
		"もくもく会 (Mokumoku Night)": {"もくもく会", "Mokumoku Night"},
		"Morning Yoga (朝ヨガ)":     {"朝ヨガ", "Morning Yoga"},
		"Go (Rust)":              {"Go (Rust)", "Go (Rust)"},
		"読書会 (第3回)":              {"読書会 (第3回)", "読書会 (第3回)"},
		"読書会 (a) (b)":            {"読書会 (a) (b)", "読書会 (a) (b)"},
		"読書会 (open":              {"読書会 (open", "読書会 (open"},
		"":                       {"", ""},
	} {
		if got := [2]string{text.TitleIn(title, "ja"), text.TitleIn(title, "en")}; got != want {
			t.Errorf("TitleIn(%q) = %q, want %q", title, got, want)
		}
	}
}
