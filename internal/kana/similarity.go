package kana

// Similarity says how alike two readings sound, in 0..1. What ears and children confuse counts
// little: long vowels, small tsu, voiced consonants. Two empty readings are as different as can be.
func Similarity(a, b string) float64 {
	x, _ := morae([]rune(a))
	y, _ := morae([]rune(b))
	longer := max(len(x), len(y))
	if longer == 0 {
		return 0
	}
	row := make([]int, len(y)+1)
	for j, m := range y {
		row[j+1] = row[j] + m.missing()
	}
	for _, m := range x {
		next(row, m, y)
	}
	return max(0, 1-float64(row[len(y)])/float64(longer*oneMora))
}

// next brings the costs of one row of the table to those of the row below, for one more mora.
func next(row []int, m mora, in []mora) {
	diagonal := row[0]
	row[0] += m.missing()
	for j, o := range in {
		cost := min(diagonal+m.against(o), row[j+1]+m.missing(), row[j]+o.missing())
		diagonal, row[j+1] = row[j+1], cost
	}
}
