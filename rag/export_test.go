package rag

// DefaultThreshold is what the tests hold to the bars.
const DefaultThreshold = defaultThreshold

// Common is how many common texts have vectors beside the passages.
var Common = len(commonTexts())

// MostCaution is what the kind of a question adds to the threshold or takes from it, at most.
const MostCaution = caution
