//go:build !novoice

package jtalk_test

import (
	"fmt"

	"annai/voice/jtalk"
)

// What a mouth says when the voice reads a sentence in which a name has a reading.
func Example() {
	a, err := jtalk.New(map[string]string{"AKARI": "あ'かり"})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := a.Say("AKARIは3Fです。")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, label := range labels {
		fmt.Print(jtalk.Phoneme(label), " ")
	}
	// Output: sil a k a r i w a s a N g a i d e s U sil
}
