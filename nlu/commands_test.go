package nlu_test

import (
	"testing"

	"annai/nlu"
	"annai/nlu/slots"
)

// commands are what people say to their own calendar, and what is to be done.
var commands = map[string]slots.Operation{
	"来週月曜14時に山田さんと打ち合わせを入れて":                                           slots.Create,
	"毎週水曜10時に英会話を3月いっぱい入れて":                                            slots.Create,
	"1時間半の打ち合わせを来週のどこかに":                                               slots.Create,
	"母の誕生日を5月4日に毎年登録して":                                                slots.Create,
	"会議の15分前に知らせて":                                                     slots.Create,
	"明日の会議を1時間後ろにずらして":                                                 slots.Update,
	"打ち合わせの場所を会議室Bに変更して":                                               slots.Update,
	"14時の打ち合わせを15時からにして":                                               slots.Update,
	"会議を30分延長して":                                                       slots.Update,
	"金曜の歯医者をキャンセルして":                                                   slots.Delete,
	"山田さんとの打ち合わせを取り消して":                                                slots.Delete,
	"山田さんとの打ち合わせはいつだっけ":                                                slots.Query,
	"来週の火曜の午前中は空いてますか":                                                 slots.Query,
	"move my dentist appointment to Friday at 3":                       slots.Update,
	"push the standup back 30 minutes":                                 slots.Update,
	"move the standup to 9:30":                                         slots.Update,
	"rename the meeting to Sprint planning":                            slots.Update,
	"extend the review by 30 minutes":                                  slots.Update,
	"every other Friday at noon lunch with Ken until the end of March": slots.Create,
	"schedule lunch with Sarah tomorrow at noon":                       slots.Create,
	"block two hours for writing tomorrow morning":                     slots.Create,
	"cancel my 3pm meeting":                                            slots.Delete,
	"cancel yoga this week":                                            slots.Delete,
	"find a time next week for a 30 minute call with Ken":              slots.Query,
	"am I free on Tuesday morning":                                     slots.Query,
	"when is my next meeting":                                          slots.Query,
}

// TestCommands says that a command reaches the calendar, wherever it is said, with the right
// operation; what it says besides is a matter of package slots.
func TestCommands(t *testing.T) {
	for name, r := range map[string]*nlu.Reader{
		"anywhere":     nlu.New(nlu.Options{Anywhere: true}),
		"at the venue": demo(),
	} {
		for text, want := range commands {
			if u := r.Understand(text, now(t)); u.Intent != nlu.Calendar || u.Command.Operation != want ||
				(want != slots.Query) != u.Write {
				t.Errorf("%s: Understand(%q) = %s, %q, write %v, because %s, want a calendar's %s", name, text,
					u.Intent, u.Command.Operation, u.Write, u.Reason, want)
			}
		}
	}
}
