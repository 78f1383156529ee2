package nodes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"annai/api"
)

// TestConfirmation asks for the question before a yes in parts.
func TestConfirmation(t *testing.T) {
	s := openStudy(t, nil, nil)
	first := s.owner(t, "s", "金曜の10時に歯医者を入れて")
	s.owner(t, "s", "はい")
	for _, test := range []struct {
		order string
		want  api.Confirmation
	}{
		{"金曜の10時半に会議を入れて", api.Confirmation{
			Do: "add", Intro: "次の内容で登録します。", Ask: "登録してよろしいですか？",
			Fields: []api.Field{
				{Label: "予定", Value: "会議"},
				{Label: "日時", Value: "2025年1月17日(金) 10:30〜11:30"},
				{Label: "カレンダー", Value: "マイカレンダー"},
			},
			Warnings: []string{"同じ時間に「歯医者」（1月17日(金) 10:00〜11:00）の予定があります。"},
			Notes:    []string{"招待メールは、だれにも送りません。"},
		}},
		{"歯医者を11時に変更して", api.Confirmation{
			Do: "change", Intro: "予定を次のように変更します。", Ask: "変更してよろしいですか？",
			Fields: []api.Field{
				{Label: "予定", Value: "歯医者"},
				{Label: "日時", Value: "2025年1月17日(金) 10:00〜11:00 → 2025年1月17日(金) 11:00〜12:00"},
			},
		}},
		{"歯医者を削除して", api.Confirmation{Do: "remove", Intro: "次の予定を削除します。", Ask: "削除してよろしいですか？"}},
	} {
		r := s.owner(t, "s", test.order)
		if r.Interrupt == nil || r.Interrupt.Confirmation == nil {
			t.Fatalf("Answer(%q) = %q after %q, want a confirmation", test.order, r.Text, first.Text)
		}
		if diff := cmp.Diff(test.want, *r.Interrupt.Confirmation); diff != "" {
			t.Errorf("confirmation of %q (-want +got):\n%s", test.order, diff)
		}
		s.owner(t, "s", "やめて")
	}
}
