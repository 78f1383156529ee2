package slots_test

import (
	"strings"
	"testing"

	"annai/nlu/datetime"
	"annai/nlu/slots"
)

var commands = []struct{ lang, text string }{
	{"ja", "来週月曜14時に山田さんと打ち合わせを入れて"},
	{"ja", "明日の午後三時に会議室でプロジェクトの定例ミーティングがあることを十分前にリマインドしてください"},
	{"en", "put lunch with my mother on friday at noon"},
	{"en", "please remind me about the meeting with brian at the office on tuesday at three p. m."},
	{"ja", strings.Repeat("明日の会議を消して", 222)},
	{"en", strings.Repeat("cancel my meeting tomorrow at nine ", 57)},
}

func BenchmarkExtract(b *testing.B) {
	for _, c := range commands {
		times := datetime.Parse(c.text, now(b))
		b.Run(c.lang+"/"+firstRunes(c.text, 10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				slots.Extract(c.text, c.lang, times)
			}
		})
	}
}

func firstRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
