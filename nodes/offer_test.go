package nodes_test

import (
	"testing"

	"annai/api"
	"annai/dialog"
)

// Who wants a person is offered one in the answer, so that a kiosk may call them; who only asks about staff, or where
// something is, is not.
func TestStaffAreOffered(t *testing.T) {
	h := open(t, nil)
	for query, want := range map[string]string{
		"スタッフを呼んで": api.OfferStaff, "係の人を呼んでください": api.OfferStaff, "人と話したい": api.OfferStaff,
		"3Dプリンターが動きません": api.OfferStaff, "can somebody come?": api.OfferStaff, "Please call the staff": api.OfferStaff,
		"受付はどこですか？": "", "今日のイベントは？": "", "Where is the reception desk?": "", "こんにちは": "",
	} {
		answer, err := h.Answer(t.Context(), dialog.Turn{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		if answer.Offer != want {
			t.Errorf("Answer(%s).Offer = %q, want %q: %s", query, answer.Offer, want, answer.Text)
		}
	}
}
