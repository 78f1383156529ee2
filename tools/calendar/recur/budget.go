package recur

// SeriesSteps is what one series may take where nothing else is said; no honest calendar needs it.
const SeriesSteps = 50_000

// A Budget bounds how many steps recurrence rules may take, one series or many together. It is used by one goroutine.
type Budget struct{ left int }

// NewBudget returns a budget of so many steps.
func NewBudget(steps int) *Budget { return &Budget{left: steps} }

// Exhausted reports whether more was asked for than there was: then something is missing in what was worked out.
func (b *Budget) Exhausted() bool { return b.left < 0 }

// Part returns a budget of its own with at most so many steps of b, and a function that gives back to b what is left of it.
func (b *Budget) Part(steps int) (part *Budget, giveBack func()) {
	given := max(0, min(steps, b.left))
	part = &Budget{left: given}
	b.left -= given
	return part, func() { b.left += max(0, part.left) }
}

// spend takes a step; false says that there was none left.
func (b *Budget) spend() bool {
	b.left--
	return b.left >= 0
}
