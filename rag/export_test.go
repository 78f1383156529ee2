package rag

// DefaultThreshold is what the tests hold to the bars.
const DefaultThreshold = defaultThreshold

// Everyday is how many everyday questions have vectors beside the passages.
var Everyday = len(everydayQuestions())
