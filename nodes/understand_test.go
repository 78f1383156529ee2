package nodes

import (
	"testing"

	"annai/nlu"
)

func TestLanguageAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reading nlu.Reading
		before  nlu.Language
		want    nlu.Language
	}{
		{nlu.Reading{Act: nlu.ActTranslates, Text: "英語でもう一回言ってもらえますか"}, nlu.Japanese, nlu.English},
		{nlu.Reading{Act: nlu.ActTranslates, Text: "my friend can't read that"}, nlu.Japanese, nlu.English},
		{nlu.Reading{Act: nlu.ActTranslates, Text: "日本語に戻して"}, nlu.English, nlu.Japanese},
		{nlu.Reading{Act: nlu.ActAsks, Text: "英語の本はある？"}, nlu.Japanese, ""},
	} {
		if got, _ := languageAsked(c.reading, c.before); got != c.want {
			t.Errorf("languageAsked(%q) after %s = %q, want %q", c.reading.Text, c.before, got, c.want)
		}
	}
}
