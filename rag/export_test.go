package rag

// DefaultThreshold is what the tests hold to the bars.
const DefaultThreshold = defaultThreshold
