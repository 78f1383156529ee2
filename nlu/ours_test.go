package nlu_test

import (
	"testing"

	"annai/nlu"
)

// What a venue may know is not refused, and who needs somebody gets somebody.
func TestOurs(t *testing.T) {
	r := demo()
	for text, want := range map[string]nlu.Intent{
		"What do I need to do to use the 3D printer?": nlu.Info,
		"I think I left something behind yesterday":   nlu.Info,
		"is the lecture tonight recorded":             nlu.Info,
		"What is Mokumoku Night?":                     nlu.Info,
		"what is Arduino":                             nlu.Info,
		"量子コンピュータとは":                                  nlu.Info,
		"Who can I ask about programming":             nlu.Info,
		"誰に聞けばいいですか":                                  nlu.Info,
		"財布落とした":                                      nlu.Info,
		"日曜日はやってる？":                                   nlu.Info,
		"what is the weather":                         nlu.OutOfScope,
		"what is the capital of Japan":                nlu.OutOfScope,
		"株価とは":                                        nlu.OutOfScope,
		"耳が遠いのでもう少し大きな声でお願いします":                       nlu.CallStaff,
		"大きな声で話してください":                                nlu.CallStaff,
		"I want to make a complaint":                  nlu.CallStaff,
		"苦情を言いたい":                                     nlu.CallStaff,
		"困っています":                                      nlu.CallStaff,
		"I need help":                                 nlu.CallStaff,
		"館内はうるさいですか":                                  nlu.Info,
		"can you help me find the toilet":             nlu.Info,
		"クレーム対応セミナーはいつ":                               nlu.Event,
		"any classes for beginners":                   nlu.Event,
		"なんでもない":                                      nlu.Deny,
		"やっぱりなんでもないです":                                nlu.Deny,
		"it's nothing":                                nlu.Deny,
		"never mind":                                  nlu.Deny,
		"Do you speak Chinese?":                       nlu.Identity,
		"何語が話せますか":                                    nlu.Identity,
		"今日なんかある？":                                    nlu.Event,
		"なんかやってる":                                     nlu.Event,
		"is 2028 a leap year":                         nlu.DateCalc,
		"来年はうるう年ですか":                                  nlu.DateCalc,
		"what year is Reiwa 8":                        nlu.DateCalc,
		"Heisei 31 in western calendar":               nlu.DateCalc,
		"平成31年を西暦で":                                   nlu.DateCalc,
	} {
		if u := r.Understand(text, now(t)); u.Intent != want {
			t.Errorf("Understand(%q) = %s (%s), want %s", text, u.Intent, u.Reason, want)
		}
	}
}
