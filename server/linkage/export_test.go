package linkage

// MaxLarge is for tests.
const MaxLarge = maxLarge
