package slots

// label is what a token is given: outside, or the beginning or the inside of a slot. To the model of operations
// an utterance is one token, and begin(n) is its operation.
type label = int

const outside label = 0

// types are those that are tagged, in the order of their labels.
var types = [...]Type{Date, Time, Event, Person, Place, Frequency, Other}

// operations are those that the model tells apart, in the order of their labels. An update is told from the others by rule,
// because the data that we learn from has no such class.
var operations = [...]Operation{Create, Query, Delete}

const numLabels = 1 + 2*len(types)

func begin(n int) label  { return 1 + 2*n }
func inside(n int) label { return 2 + 2*n }

func isInside(l label) bool { return l > 0 && l%2 == 0 }

// typeOf returns the type of a label that is not outside.
func typeOf(l label) Type { return types[(l-1)/2] }

// startLabel stands before the first token.
const startLabel = numLabels

// numPairs is how many pairs of labels there are, startLabel among the first of them.
const numPairs = (numLabels + 1) * numLabels

// follows reports whether label b may stand behind a.
func follows(a, b label) bool { return !isInside(b) || a == b || a == b-1 }
