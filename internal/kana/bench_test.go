package kana

import (
	"fmt"
	"testing"
)

// sixtyNames are as many as a venue has events and headings.
func sixtyNames() []string {
	kinds := []string{"写真展", "料理教室", "コンサート / Concert", "観察会 / Watching Walk", "ワークショップ"}
	of := []string{"ベトナム", "水のスポーツ", "カピバラの", "七夕", "城下町の歴史", "親子", "はじめてのPython", "蛍", "ペンギンの", "夜の", "星空", "抹茶"}
	var names []string
	for i, o := range of {
		for j, k := range kinds {
			names = append(names, fmt.Sprintf("%s%s%d", o, k, i*len(kinds)+j))
		}
	}
	return names
}

func BenchmarkFind(b *testing.B) {
	x := NewIndex(sixtyNames())
	for b.Loop() {
		x.Find("あの、すみません、かぴばらのかんさつかいってなんじからでしたっけ")
	}
}

func BenchmarkNewIndex(b *testing.B) {
	names := sixtyNames()
	for b.Loop() {
		NewIndex(names)
	}
}
